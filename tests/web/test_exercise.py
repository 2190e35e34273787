from __future__ import annotations

import html
import platform
import re
from typing import Any
from uuid import uuid4

import numpy as np
import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from pytest_django.fixtures import DjangoAssertNumQueries

from courses.models import Item, Result
from exercises.services import load_package, publish, store_proof
from grader import grading, intake, queue, selectors
from grader.models import Kind, Problem, State, Submission
from grader.report import Verdict
from tests.conftest import HIDDEN_NUMBER, HandIn, SignIn, judgement
from tests.grader.small import SOURCE, TOML, a_report, make_package

HTMX = {"HX-Request": "true"}


def send(client: Client, item: Item, **changed: object) -> None:
    form = {"key": str(uuid4()), "kind": "submission", "source": SOURCE} | changed
    client.post(reverse("grader:submit", args=[item.pk]), form)


def test_the_page_has_statement_and_starter(exercise_item: Item, learner: User, sign_in: SignIn) -> None:
    page = sign_in(learner).get(exercise_item.get_absolute_url()).content.decode()
    assert "Return twice" in page
    assert "return None" in page
    assert "double(x)" in page
    assert "You square" not in page


def test_the_page_tells_versions_limits_and_what_is_not_available(
    exercise_item: Item, learner: User, sign_in: SignIn
) -> None:
    toml = TOML.replace("minutes = 1", 'minutes = 1\nforbidden = ["attention", "numpy.sort"]')
    revision = load_package(package=make_package(toml=toml))
    store_proof(digest=revision.digest, extent="full", ok=True, report={})
    publish(revision=revision)
    page = sign_in(learner).get(exercise_item.get_absolute_url()).content.decode()
    rules = re.search(r'<details class="rules">.*?</details>', page, re.DOTALL)
    assert rules
    assert f"Python {platform.python_version()} with numpy {np.__version__} and PyTorch " in rules[0]
    assert "Your file is loaded once" in rules[0]
    assert "Each test may take 1 s of processor time, all of them together 2 s" in rules[0]
    assert "256 MB of memory, return 16 MB at once, and print 64 KB" in rules[0]
    assert "torch’s own attention, <code>numpy.sort</code>." in rules[0]
    assert "earns some points" in rules[0]


def test_without_javascript_submitting_leads_to_the_submission(
    exercise_item: Item, learner: User, sign_in: SignIn
) -> None:
    client = sign_in(learner)
    response = client.post(
        reverse("grader:submit", args=[exercise_item.pk]), {"key": str(uuid4()), "kind": "submission", "source": SOURCE}
    )
    submission = Submission.objects.get()
    assert response["Location"] == reverse("grader:submission", args=[submission.pk])
    page = client.get(response["Location"]).content.decode()
    assert "Waiting" in page
    assert '<meta http-equiv="refresh"' in page


def test_htmx_gets_a_live_result_and_a_fresh_key(exercise_item: Item, learner: User, sign_in: SignIn) -> None:
    client = sign_in(learner)
    key = str(uuid4())
    url = reverse("grader:submit", args=[exercise_item.pk])
    page = client.post(url, {"key": key, "kind": "submission", "source": SOURCE}, headers=HTMX).content.decode()
    live = reverse("grader:live", args=[Submission.objects.get().pk])
    assert f'hx-get="{live}?poll=1" hx-trigger="load delay:80ms"' in page
    assert 'id="form-key"' in page
    assert key not in page


def test_polling_ends_with_the_verdict(exercise_item: Item, learner: User, hand_in: HandIn, sign_in: SignIn) -> None:
    client = sign_in(learner)
    judged = hand_in(exercise_item, learner)
    waiting = hand_in(exercise_item, learner, judged="")
    assert "hx-get" in client.get(reverse("grader:live", args=[waiting.pk])).content.decode()
    page = client.get(reverse("grader:live", args=[judged.pk])).content.decode()
    assert "hx-get" not in page
    assert "Accepted" in page


def test_only_beside_the_form_polling_also_updates_what_stands_around_it(
    exercise_item: Item, learner: User, hand_in: HandIn, sign_in: SignIn
) -> None:
    client, submission = sign_in(learner), hand_in(exercise_item, learner)
    live, own_page = (reverse(name, args=[submission.pk]) for name in ("grader:live", "grader:submission"))
    for page, beside in ((exercise_item.get_absolute_url(), True), (own_page, False)):
        headers = HTMX | {"HX-Current-URL": f"http://testserver{page}"}
        reply = client.get(live, headers=headers).content.decode()
        assert ('id="history"' in reply) == ('id="policy"' in reply) == beside


def test_a_double_click_is_one_submission(exercise_item: Item, learner: User, sign_in: SignIn) -> None:
    client, key = sign_in(learner), str(uuid4())
    send(client, exercise_item, key=key)
    send(client, exercise_item, key=key)
    assert Submission.objects.count() == 1


def test_another_persons_key_names_nothing_of_mine(
    exercise_item: Item, learner: User, classmate: User, sign_in: SignIn
) -> None:
    key = str(uuid4())
    for person in (learner, classmate):
        send(sign_in(person), exercise_item, key=key)
    assert {row.user for row in Submission.objects.all()} == {learner, classmate}


def test_a_forged_form_is_refused(exercise_item: Item, learner: User) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(learner)
    send(client, exercise_item)
    assert not Submission.objects.exists()


def test_two_tabs_share_the_last_attempt(exercise_item: Item, learner: User, sign_in: SignIn) -> None:
    exercise_item.attempts = 1
    exercise_item.save()
    client = sign_in(learner)
    for _ in range(2):
        send(client, exercise_item)
    assert Submission.objects.count() == 1


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"source": ""}, "empty"),
        ({"source": "x = '\0'"}, "NUL"),
        ({"source": "x" * 300_000}, "larger than"),
        ({"key": "not a key"}, "damaged"),
        ({"kind": "regrade"}, "damaged"),
    ],
)
@pytest.mark.parametrize("headers", [{}, HTMX])
def test_what_cannot_be_submitted_is_said_and_costs_nothing(
    exercise_item: Item, learner: User, sign_in: SignIn, changed: dict[str, str], sentence: str, headers: dict[str, str]
) -> None:
    form = {"key": str(uuid4()), "kind": "submission", "source": SOURCE} | changed
    response = sign_in(learner).post(reverse("grader:submit", args=[exercise_item.pk]), form, headers=headers)
    assert response.status_code == 422
    assert sentence in response.content.decode()
    assert not Submission.objects.exists()


def test_a_file_that_is_not_utf8_is_refused(exercise_item: Item, learner: User, sign_in: SignIn) -> None:
    file = SimpleUploadedFile("code.py", "x = 'é'".encode("latin-1"))
    response = sign_in(learner).post(
        reverse("grader:submit", args=[exercise_item.pk]), {"key": str(uuid4()), "kind": "submission", "file": file}
    )
    assert response.status_code == 422
    assert "not UTF-8" in response.content.decode()


def form_of(client: Client, item: Item) -> dict[str, str]:
    """The form as the page serves it."""
    page = client.get(item.get_absolute_url()).content.decode()
    fields = dict(re.findall(r'<input type="hidden" name="(key|shown)"[^>]* value="([^"]+)"', page))
    source = re.search(r'<textarea id="code"[^>]*>\n(.*?)</textarea>', page, re.DOTALL)
    assert source
    return {"kind": "submission", "source": html.unescape(source[1]).replace("\n", "\r\n"), **fields}


def uploaded(code: bytes = b"y = 2\r\n") -> dict[str, Any]:
    return {"file": SimpleUploadedFile("code.py", code)}


@pytest.mark.parametrize("typed", [None, "", "  \r\n", "y = 2\n"])
def test_a_file_counts_where_nothing_else_was_typed(
    exercise_item: Item, learner: User, sign_in: SignIn, typed: str | None
) -> None:
    client = sign_in(learner)
    form = form_of(client, exercise_item)
    client.post(
        reverse("grader:submit", args=[exercise_item.pk]),
        form | uploaded() | ({} if typed is None else {"source": typed}),
    )
    assert Submission.objects.get().source == "y = 2\n"


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_a_file_beside_what_was_typed_is_asked_about_and_neither_is_lost(
    exercise_item: Item, learner: User, sign_in: SignIn, headers: dict[str, str]
) -> None:
    client, url = sign_in(learner), reverse("grader:submit", args=[exercise_item.pk])
    form = form_of(client, exercise_item) | {"source": "typed = '<b>'"}
    response = client.post(url, form | uploaded(), headers=headers)
    page = response.content.decode()
    assert response.status_code == 422
    assert "You chose the file “code.py” and also changed the code on the page" in page
    assert "\ny = 2\n</textarea>" in page
    assert "\ntyped = &#x27;&lt;b&gt;&#x27;</textarea>" in page
    assert page.count(f'name="key" value="{form["key"]}"') == page.count('name="kind" value="submission"') == 2
    assert not Submission.objects.exists()
    for source in ("y = 2\n", "typed = '<b>'"):
        client.post(url, {"key": form["key"], "kind": "submission", "source": source})
    assert [row.source for row in Submission.objects.order_by("pk")] == ["y = 2\n", "typed = '<b>'"]


def test_a_file_that_is_no_text_does_not_cost_what_was_typed(
    exercise_item: Item, learner: User, sign_in: SignIn
) -> None:
    client = sign_in(learner)
    form = form_of(client, exercise_item) | {"source": "typed = 1"}
    response = client.post(reverse("grader:submit", args=[exercise_item.pk]), form | uploaded(b"\xff\xfe"))
    assert response.status_code == 422
    assert "not UTF-8" in response.content.decode()
    assert "typed = 1</textarea>" in response.content.decode()
    assert not Submission.objects.exists()


def test_code_that_begins_with_an_empty_line_keeps_it(exercise_item: Item, learner: User, sign_in: SignIn) -> None:
    client = sign_in(learner)
    send(client, exercise_item, source="\n\nx = 1\n")
    assert form_of(client, exercise_item)["source"] == "\r\n\r\nx = 1\r\n"


@pytest.mark.parametrize("changed", [{"source": f"{SOURCE}# corrected\n"}, {"kind": "sample"}])
def test_a_form_that_comes_back_changed_is_new_work(
    exercise_item: Item, learner: User, sign_in: SignIn, changed: dict[str, str]
) -> None:
    client, url = sign_in(learner), reverse("grader:submit", args=[exercise_item.pk])
    form = {"key": str(uuid4()), "kind": "submission", "source": SOURCE}
    first, second, again = (client.post(url, form | each)["Location"] for each in ({}, changed, changed))
    assert first != second == again
    assert Submission.objects.count() == 2


def test_the_page_is_not_stored_by_browsers(exercise_item: Item, learner: User, sign_in: SignIn) -> None:
    client = sign_in(learner)
    for response in (
        client.get(exercise_item.get_absolute_url()),
        client.post(reverse("grader:submit", args=[exercise_item.pk]), {"source": "x = 1"}),
    ):
        assert "no-store" in response["Cache-Control"]


@pytest.mark.parametrize(
    ("poll", "delay"),
    [("", 80), ("1", 150), ("2", 250), ("7", 2000), ("8", 2000), ("999", 2000), ("-1", 80), ("x", 80), ("9" * 9, 80)],
)
def test_polls_slow_down(
    exercise_item: Item, learner: User, hand_in: HandIn, sign_in: SignIn, poll: str, delay: int
) -> None:
    waiting = hand_in(exercise_item, learner, judged="")
    page = sign_in(learner).get(reverse("grader:live", args=[waiting.pk]), {"poll": poll}).content.decode()
    assert f'hx-trigger="load delay:{delay}ms"' in page


def test_what_was_refused_is_given_back(exercise_item: Item, learner: User, sign_in: SignIn) -> None:
    exercise_item.attempts = 1
    exercise_item.save()
    client = sign_in(learner)
    send(client, exercise_item)
    response = client.post(
        reverse("grader:submit", args=[exercise_item.pk]),
        {"key": str(uuid4()), "kind": "submission", "source": "precious = 1"},
    )
    assert response.status_code == 422
    assert "precious = 1" in response.content.decode()


@pytest.mark.parametrize("page", ["grader:submission", "grader:live"])
def test_of_hidden_tests_a_learner_sees_title_and_kind_alone(
    exercise_item: Item, learner: User, instructor: User, hand_in: HandIn, sign_in: SignIn, page: str
) -> None:
    url = reverse(page, args=[hand_in(exercise_item, learner, judged="wrong").pk])
    seen = sign_in(learner).get(url).content.decode()
    assert "Twice a secret." in seen
    assert "The right form, but the wrong value." in seen
    assert "printed in the sample" in seen
    assert HIDDEN_NUMBER not in seen
    assert "printed in the hidden test" not in seen
    taught = sign_in(instructor).get(url).content.decode()
    assert HIDDEN_NUMBER in taught
    assert "printed in the hidden test" in taught


def test_the_first_failure_is_open_and_tests_keep_their_order(
    exercise_item: Item, learner: User, hand_in: HandIn, sign_in: SignIn
) -> None:
    submission = hand_in(exercise_item, learner, judged="wrong")
    page = sign_in(learner).get(reverse("grader:submission", args=[submission.pk])).content.decode()
    tests = page[page.index('class="tests"') :]
    assert tests.count("<details open>") == 1
    assert tests.index("Twice two.") < tests.index("<details open>") < tests.index("Twice a secret.")


def test_an_exercise_that_is_not_published_is_not_shown(exercise_item: Item, learner: User, sign_in: SignIn) -> None:
    assert exercise_item.exercise is not None
    exercise_item.exercise.published = None
    exercise_item.exercise.save()
    page = sign_in(learner).get(exercise_item.get_absolute_url()).content.decode()
    assert "Not open yet" in page
    assert "<textarea" not in page


def test_an_exercise_page_needs_few_queries(
    exercise_item: Item, learner: User, hand_in: HandIn, sign_in: SignIn,
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:  # fmt: skip
    for _ in range(5):
        hand_in(exercise_item, learner)
    client = sign_in(learner)
    with django_assert_max_num_queries(10):
        client.get(exercise_item.get_absolute_url())


def test_to_ask_while_tests_run_needs_few_queries(
    exercise_item: Item, learner: User, hand_in: HandIn, sign_in: SignIn,
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:  # fmt: skip
    client, waiting = sign_in(learner), hand_in(exercise_item, learner, judged="")
    with django_assert_max_num_queries(4):
        client.get(reverse("grader:live", args=[waiting.pk]), headers=HTMX)


def test_the_gradebook_opens_the_best_submission(
    exercise_item: Item, learner: User, instructor: User, hand_in: HandIn, sign_in: SignIn
) -> None:
    wrong, right = hand_in(exercise_item, learner, judged="wrong"), hand_in(exercise_item, learner)
    client = sign_in(instructor)
    book = client.get(reverse("courses:gradebook", args=[exercise_item.course.slug])).content.decode()
    assert reverse("grader:submission", args=[right.pk]) in book
    history = client.get(reverse("grader:history", args=[exercise_item.pk, learner.pk])).content.decode()
    assert reverse("grader:submission", args=[wrong.pk]) in history


def test_a_regrade_is_queued_for_the_same_mark(
    exercise_item: Item, learner: User, instructor: User, hand_in: HandIn, sign_in: SignIn
) -> None:
    first = hand_in(exercise_item, learner, judged="wrong")
    sign_in(instructor).post(reverse("grader:regrade", args=[first.pk]))
    again = Submission.objects.get(kind=Kind.REGRADE)
    assert (again.regrade_of, again.seed, again.origin) == (first, first.seed, first.origin)


@pytest.fixture
def regraded(exercise_item: Item, learner: User, hand_in: HandIn) -> tuple[Submission, Submission]:
    """A wrong submission and its regrade, which found it right."""
    first = hand_in(exercise_item, learner, judged="wrong")
    again = intake.regrade(submission=first)
    record_as(again, "right")
    return first, again


def record_as(waiting: Submission, judged: str) -> None:
    claimed = queue.claim()
    assert claimed == waiting
    grading.record(submission=claimed, report=judgement(judged))


def gradings(page: str) -> str:
    """The list of gradings, and nothing else of the page."""
    return page[page.index('id="gradings"') :].partition("</section>")[0]


@pytest.mark.parametrize("who", ["learner", "instructor"])
@pytest.mark.parametrize("opened", [0, 1])
def test_from_either_grading_the_other_is_found_and_which_of_them_counts(
    regraded: tuple[Submission, Submission], opened: int, who: str, sign_in: SignIn, request: pytest.FixtureRequest
) -> None:
    first, again = regraded
    client = sign_in(request.getfixturevalue(who))
    page = client.get(reverse("grader:submission", args=[regraded[opened].pk])).content.decode()
    shown = gradings(page)
    assert "Graded 2 times" in shown
    assert reverse("grader:submission", args=[regraded[1 - opened].pk]) in shown
    assert shown.count("counts</strong>") == 1
    assert shown.index("counts</strong>") > shown.index(f"#{again.pk}<") > shown.index(f"#{first.pk}<")


def test_from_the_gradebook_cell_to_the_run_that_made_the_mark(
    regraded: tuple[Submission, Submission], instructor: User, sign_in: SignIn
) -> None:
    first, again = regraded
    client = sign_in(instructor)
    book = client.get(reverse("courses:gradebook", args=[first.item.course.slug])).content.decode()
    cell = re.search(r'class="mark-link[^"]*" href="([^"]+)">100<', book)
    assert cell
    assert reverse("grader:submission", args=[again.pk]) in gradings(client.get(cell[1]).content.decode())


def test_the_last_grading_counts_unless_it_could_not_read_the_code(
    regraded: tuple[Submission, Submission],
) -> None:
    first, again = regraded
    unreadable = intake.regrade(submission=first)
    claimed = queue.claim()
    assert claimed == unreadable
    grading.record(submission=claimed, report=a_report(Verdict.INVALID_SUBMISSION, score=0))
    waiting = intake.regrade(submission=again)
    found = {one.submission.pk: one.counts for one in selectors.gradings(waiting)}
    assert found == {first.pk: False, again.pk: True, unreadable.pk: False, waiting.pk: False}
    again.refresh_from_db()
    assert Result.objects.get(origin=first.origin).raw == again.score


def test_a_regrade_that_ends_while_watched_updates_what_counts(
    exercise_item: Item, learner: User, instructor: User, hand_in: HandIn, sign_in: SignIn
) -> None:
    first = hand_in(exercise_item, learner, judged="wrong")
    again = intake.regrade(submission=first)
    client, live = sign_in(instructor), reverse("grader:live", args=[again.pk])
    assert 'id="gradings"' not in client.get(live).content.decode()
    record_as(again, "right")
    shown = gradings(client.get(live).content.decode())
    assert 'hx-swap-oob="true"' in shown
    assert shown.index("counts</strong>") > shown.index(f"#{again.pk}<")


def test_the_list_of_what_was_handed_in_says_what_was_graded_again(
    regraded: tuple[Submission, Submission], learner: User, hand_in: HandIn, sign_in: SignIn
) -> None:
    item = regraded[0].item
    hand_in(item, learner)
    page = sign_in(learner).get(reverse("grader:history", args=[item.pk, learner.pk])).content.decode()
    assert page.count("graded again") == 1
    ordinary = sign_in(learner).get(reverse("grader:submission", args=[Submission.objects.latest("pk").pk]))
    assert 'id="gradings"' not in ordinary.content.decode()


def test_a_paused_exercise_keeps_work_and_grades_it_after_resuming(
    exercise_item: Item, learner: User, instructor: User, hand_in: HandIn, sign_in: SignIn
) -> None:
    teacher, url = sign_in(instructor), reverse("grader:hold", args=[exercise_item.pk])
    teacher.post(url, {"held": "1"})
    exercise_item.refresh_from_db()
    kept = hand_in(exercise_item, learner, judged="")
    assert queue.claim() is None
    page = sign_in(learner).get(reverse("grader:submission", args=[kept.pk])).content.decode()
    assert "paused" in page
    teacher.post(url, {"held": "0"})
    assert queue.claim() == kept


def test_a_reported_problem_reaches_the_inbox_with_its_submission(
    exercise_item: Item, learner: User, instructor: User, hand_in: HandIn, sign_in: SignIn
) -> None:
    submission = hand_in(exercise_item, learner, judged="wrong")
    client = sign_in(learner)
    for _ in range(2):
        client.post(reverse("grader:report", args=[submission.pk]), {"text": "Row 1 <b>is wrong</b>."})
    problem = Problem.objects.get()
    teacher, inbox = sign_in(instructor), reverse("grader:inbox", args=[exercise_item.course.slug])
    page = teacher.get(inbox).content.decode()
    assert "Row 1 &lt;b&gt;is wrong&lt;/b&gt;." in page
    assert reverse("grader:submission", args=[submission.pk]) in page
    teacher.post(reverse("grader:settle", args=[problem.pk]))
    assert "settled" in teacher.get(inbox).content.decode()


def test_a_held_submission_says_that_it_costs_nothing(
    exercise_item: Item, learner: User, hand_in: HandIn, sign_in: SignIn
) -> None:
    submission = hand_in(exercise_item, learner, judged="")
    Submission.objects.update(state=State.HELD, ready=False, fault="zygote: broken pipe in /secret/path")
    page = sign_in(learner).get(reverse("grader:submission", args=[submission.pk])).content.decode()
    assert "costs you nothing" in page
    assert "/secret/path" not in page
