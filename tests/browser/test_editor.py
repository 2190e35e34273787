"""What happens to code that somebody wrote: files, signing out, old pages, and servers that do not answer."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.contrib.sessions.models import Session
from playwright.sync_api import Page, expect

from courses.models import Item
from grader import grading, queue
from grader.models import Submission
from tests.browser.conftest import PASSWORD, OpenAs
from tests.conftest import judgement

CODE = "precious = 1"


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Path]:
    contents = {
        "code.py": b"\xef\xbb\xbfy = 2\r\n",
        "photo.py": b"\x89PNG\0",
        "old.py": b"\xe9t\xe9",
        "large.py": b"#" * 262145,
    }
    for name, content in contents.items():
        (tmp_path / name).write_bytes(content)
    return {name: tmp_path / name for name in contents}


def code(page: Page) -> Any:
    return page.get_by_label("Your code")


def sign_in(page: Page) -> None:
    page.get_by_label("Username").fill("learner")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()


def submit(page: Page) -> None:
    page.get_by_role("button", name="Submit", exact=True).click()


def test_a_file_goes_into_the_editor_and_what_was_there_comes_back(
    open_as: OpenAs, exercise_item: Item, files: dict[str, Path]
) -> None:
    page = open_as("learner")
    page.goto(exercise_item.get_absolute_url())
    code(page).fill(CODE)
    page.get_by_text("Use a file").click()
    chooser = page.get_by_label("Open a Python file or a notebook in the editor")
    for name, sentence in (("photo.py", "NUL bytes"), ("old.py", "not UTF-8"), ("large.py", "larger than 256 KB")):
        chooser.set_input_files(files[name])
        expect(page.get_by_role("alert")).to_contain_text(sentence)
        expect(code(page)).to_have_value(CODE)
    chooser.set_input_files(files["code.py"])
    expect(code(page)).to_have_value("y = 2\n")
    page.get_by_role("button", name="Bring back what was there").click()
    expect(code(page)).to_have_value(CODE)
    page.get_by_role("button", name="Use “code.py” again").click()
    submit(page)
    expect(page.locator("#result.waiting")).to_be_visible()
    assert Submission.objects.get().source == "y = 2\n"


def test_signing_out_elsewhere_costs_no_code(open_as: OpenAs, exercise_item: Item) -> None:
    page = open_as("learner")
    page.goto(exercise_item.get_absolute_url())
    code(page).fill(CODE)
    Session.objects.all().delete()
    submit(page)
    expect(page.get_by_role("heading", name="You are signed out")).to_be_visible()
    expect(code(page)).to_have_value(CODE)
    page.get_by_role("link", name="Sign in again").click()
    sign_in(page)
    expect(code(page)).to_have_value(CODE)
    page.context.clear_cookies(name="csrftoken")  # as if somebody had signed in anew in another tab
    submit(page)
    expect(page.locator("#result")).to_contain_text("nothing was submitted")
    assert not Submission.objects.exists()
    submit(page)
    expect(page.locator("#result.waiting")).to_be_visible()
    assert Submission.objects.get().source == CODE
    page.close()


def test_without_javascript_the_code_comes_through_the_sign_in_page(open_as: OpenAs, exercise_item: Item) -> None:
    page = open_as("learner", java_script_enabled=False)
    page.goto(exercise_item.get_absolute_url())
    code(page).fill(CODE)
    Session.objects.all().delete()
    submit(page)
    expect(page.get_by_role("alert")).to_contain_text("What you wrote is kept")
    sign_in(page)
    expect(code(page)).to_have_value(CODE)
    assert not Submission.objects.exists()
    submit(page)
    expect(page.locator("#result.waiting")).to_be_visible()
    assert Submission.objects.get().source == CODE


def test_back_correct_send_is_new_work(open_as: OpenAs, exercise_item: Item) -> None:
    page = open_as("learner", java_script_enabled=False)
    for source in ("x = 1", "x = 2"):
        page.goto(exercise_item.get_absolute_url()) if source == "x = 1" else page.go_back()
        code(page).fill(source)
        submit(page)
        expect(page.locator("#result.waiting")).to_be_visible()
    assert [row.source for row in Submission.objects.order_by("pk")] == ["x = 1", "x = 2"]


@pytest.mark.parametrize(
    ("status", "words"),
    [(0, "did not answer"), (400, "could not read"), (413, "too large"), (503, "went wrong on our side")],
)
def test_failures_are_told_apart_and_the_code_is_kept(
    open_as: OpenAs, exercise_item: Item, status: int, words: str
) -> None:
    page = open_as("learner", quiet=False)
    page.goto(exercise_item.get_absolute_url())
    submit(page)
    expect(page.locator("#result.waiting")).to_be_visible()
    code(page).fill(CODE)
    page.route("**/submit/", lambda route: route.fulfill(status=status) if status else route.abort())
    submit(page)
    expect(page.get_by_role("alert")).to_contain_text(words)
    with page.expect_response("**/live/**"):  # the earlier work goes on, and does not take the sentence away
        pass
    expect(page.get_by_role("alert")).to_contain_text(words)
    page.reload()
    expect(code(page)).to_have_value(CODE)


def test_a_page_that_gets_no_answer_keeps_asking(open_as: OpenAs, exercise_item: Item) -> None:
    page = open_as("learner", quiet=False)
    page.goto(exercise_item.get_absolute_url())
    code(page).fill(CODE)
    page.route("**/live/**", lambda route: route.abort())
    submit(page)
    expect(page.locator("#result")).to_contain_text("keeps asking")
    claimed = queue.claim()
    assert claimed
    grading.record(submission=claimed, report=judgement("right"))
    page.unroute("**/live/**")
    expect(page.locator("#result.good")).to_be_visible()
