"""axe-core on every page, light and dark, and no page wider than a small telephone."""

from __future__ import annotations

from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.contrib.auth.models import User
from django.utils import timezone
from playwright.sync_api import Browser, Page

from courses import people
from courses.models import Course, Item, Lesson, QuizAttempt, Role, SignInTally
from grader import grading, intake, problems, queue
from grader.models import Submission
from tests.browser.conftest import OpenAs
from tests.conftest import HandIn, TakeQuiz, judgement

NARROW = {"width": 360, "height": 780}


@pytest.fixture
def work(
    generative_ai: Course, quiz_item: Item, exercise_item: Item, take_quiz: TakeQuiz, hand_in: HandIn
) -> dict[str, Any]:
    """A learner's work, so that no page is empty."""
    learner, instructor = (User.objects.get(username=name) for name in ("learner", "instructor"))
    wrong = hand_in(exercise_item, learner, judged="wrong")
    problems.report(submission=wrong, text="Unclear.")
    people.invite(course=generative_ai, by=instructor, role=Role.LEARNER, note="Ada")
    people.enrol_by_name(username="nobody", course=generative_ai, role=Role.LEARNER, by=instructor)
    poetry = Course.objects.create(slug="poetry", title="Poetry")
    people.enrol_by_name(username="learner", course=poetry, role=Role.ASSISTANT, by=instructor)
    intake.regrade(submission=wrong)
    regraded = queue.claim()
    assert regraded is not None
    grading.record(submission=regraded, report=judgement("right"))
    forgotten = hand_in(exercise_item, learner)
    Submission.objects.filter(pk=forgotten.pk).update(report=None, report_removed_at=timezone.now())
    attempt = take_quiz(quiz_item, learner, right=False)
    waiting = hand_in(exercise_item, learner, judged="")
    return {"wrong": wrong, "waiting": waiting, "attempt": attempt}


def pages(who: str, course: Course, lesson: Lesson) -> list[str]:
    base = course.get_absolute_url()
    items = [item.get_absolute_url() for item in Item.objects.order_by("-kind", "order")]
    work = [f"/submissions/{one.pk}/" for one in Submission.objects.all()]
    work += [f"/quizzes/attempts/{one.pk}/" for one in QuizAttempt.objects.all()]
    work += sorted({f"/exercises/{one.item_id}/people/{one.user_id}/" for one in Submission.objects.all()})
    both = ["/", base, lesson.module.get_absolute_url(), lesson.get_absolute_url(), *work, f"{base}progress/"]
    if who == "learner":
        return [*both, *items, "/password/", "/password/changed/"]
    # To those who teach, every exercise says the same more: a quiz and an exercise stand for all.
    return [*both, *items[:2], f"{base}gradebook/", f"{base}people/", f"{base}inbox/"]


def cut_off(page: Page) -> list[str]:
    """What is wider than its place and cannot be scrolled there."""
    found: list[str] = page.evaluate(
        """() => [...document.querySelectorAll("main table, main math[display=block], main pre, main svg")]
        .filter(e => e.getBoundingClientRect().right > innerWidth && getComputedStyle(e).overflowX !== "auto"
          && !e.closest(".table-scroll, .formula, .program"))
        .map(e => e.outerHTML.slice(0, 80))"""
    )
    return [f"cut off: {one}" for one in found]


def violations(page: Page) -> list[str]:
    # With preloading, axe copies style sheets that import others into the page, which the security policy forbids.
    found = Axe().run(page, options={"preload": False}).response["violations"]
    return [f"{one['id']}: {[node['html'][:160] for node in one['nodes']]}" for one in found]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("who", ["learner", "instructor"])
def test_no_page_has_a_violation_or_is_too_wide(
    open_as: OpenAs, generative_ai: Course, lesson: Lesson, work: dict[str, Any], scheme: str, who: str
) -> None:
    page = open_as(who, color_scheme=scheme)
    problems_found = {}
    for path in pages(who, generative_ai, lesson):
        page.set_viewport_size({"width": 1280, "height": 900})
        page.goto(path)
        found = violations(page)
        page.set_viewport_size(NARROW)  # type: ignore[arg-type]
        if page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth"):
            found.append("wider than the screen")
        found += cut_off(page)
        if found:
            problems_found[path] = found
    assert problems_found == {}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_for_visitors_have_no_violation(browser: Browser, site: str, generative_ai: Course, scheme: Any) -> None:
    page = browser.new_page(color_scheme=scheme)
    instructor = User.objects.get(username="instructor")
    invitation = people.invite(course=generative_ai, by=instructor, role=Role.LEARNER, note="")
    for path in (
        "/sign-in/",
        f"/invitations/{invitation.token}/",
        "/invitations/old/",
        "/nothing/",
        "/password/reset/x/y/",
    ):
        page.goto(f"{site}{path}")
        assert violations(page) == [], path
    page.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_what_is_too_soon_or_too_large_is_told_on_a_page(
    browser: Browser, site: str, generative_ai: Course, scheme: Any
) -> None:
    SignInTally.objects.create(kind=SignInTally.Kind.NAME, key="learner", failures=9)
    page = browser.new_page(color_scheme=scheme, viewport=NARROW)  # type: ignore[arg-type]
    page.goto(f"{site}/sign-in/")
    page.get_by_label("Username").fill("learner")
    page.get_by_label("Password").fill("wrong")
    page.get_by_role("button", name="Sign in").click()
    assert "please try again in 16 seconds" in page.get_by_role("alert").inner_text()
    assert page.get_by_label("Username").input_value() == "learner"
    assert violations(page) == []
    page.evaluate(
        """() => {
          const form = document.querySelector("main form"), text = document.createElement("textarea");
          text.name = "more"; text.value = "x".repeat(3000000); form.append(text); form.submit();
        }"""
    )
    page.get_by_role("heading", name="That is too large").wait_for()
    assert "at most 64 KB" in page.inner_text("main")
    assert violations(page) == []
    page.close()
