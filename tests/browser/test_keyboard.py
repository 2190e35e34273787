"""The main path without a mouse, and without JavaScript."""

from __future__ import annotations

from playwright.sync_api import Browser, Page, expect

from courses.models import Course, Item, Lesson, QuizAttempt
from grader import grading, queue
from grader.models import Submission
from tests.browser.conftest import PASSWORD, OpenAs
from tests.conftest import judgement

HEADINGS = {
    "Generative AI": "Generative AI",
    "The transformer": "transformer",
    "Session 20": "",
    "Sinusoidal positional encoding": "Sinusoidal positional encoding",
}


NAME_OF_THE_FOCUSED = """(({ activeElement: one }) =>
  one.innerText || one.getAttribute('aria-label') || [...(one.labels ?? [])].map((label) => label.innerText).join()
)(document)"""


def tab_to(page: Page, text: str, *, limit: int = 60) -> None:
    """Press Tab until the focused element says `text`."""
    for _ in range(limit):
        page.keyboard.press("Tab")
        focused = page.evaluate(NAME_OF_THE_FOCUSED)
        if text in focused:
            return
    raise AssertionError(f"{text!r} was not reached with Tab")


def test_the_first_tab_skips_to_the_content(open_as: OpenAs, lesson: Lesson) -> None:
    page = open_as("learner")
    page.goto(lesson.get_absolute_url())
    page.keyboard.press("Tab")
    expect(page.locator(":focus")).to_have_text("Skip to the content")
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_be_focused()


def test_from_the_lesson_through_the_quiz_by_keyboard(open_as: OpenAs, lesson: Lesson) -> None:
    page = open_as("learner")
    page.goto(lesson.get_absolute_url())
    tab_to(page, "Quiz: architecture")
    page.keyboard.press("Enter")
    page.wait_for_url("**/quizzes/**")
    tab_to(page, "Session 20")
    for _ in range(5):
        page.keyboard.press("Tab")
        page.keyboard.press("Space")
    tab_to(page, "Hand in")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_contain_text("of 5")
    assert QuizAttempt.objects.count() == 1


def test_from_sign_in_to_a_mark_by_keyboard(
    browser: Browser, site: str, generative_ai: Course, exercise_item: Item
) -> None:
    page = browser.new_page(base_url=site)
    page.goto("/")
    for label, text in (("Username", "learner"), ("Password", PASSWORD)):
        tab_to(page, label)
        page.keyboard.type(text)
    page.keyboard.press("Enter")
    for link in ("Generative AI", "The transformer", "Session 20", "Sinusoidal positional encoding"):
        page.wait_for_load_state()
        tab_to(page, link)
        page.keyboard.press("Enter")
        expect(page.get_by_role("heading", level=1)).to_contain_text(HEADINGS[link])
    tab_to(page, "Your code")
    page.keyboard.press("Control+A")
    page.keyboard.type("x = 1")
    tab_to(page, "Submit")
    page.keyboard.press("Enter")
    expect(page.locator("#result.waiting")).to_be_visible()
    claimed = queue.claim()
    assert claimed is not None
    assert claimed.source == "x = 1"
    grading.record(submission=claimed, report=judgement("right"))
    expect(page.locator("#result.good")).to_be_visible()
    page.goto(exercise_item.get_absolute_url())
    tab_to(page, "My progress")
    page.keyboard.press("Enter")
    expect(page.get_by_role("row", name="Sinusoidal positional encoding")).to_contain_text("100%")
    page.close()


def test_tab_leaves_the_code_area_unless_asked_to_indent(open_as: OpenAs, exercise_item: Item) -> None:
    page = open_as("learner")
    page.goto(exercise_item.get_absolute_url())
    code = page.get_by_label("Your code")
    code.fill("x = 1")
    code.press("Tab")
    expect(code).not_to_be_focused()
    page.get_by_label("Tab indents").check()
    code.focus()
    code.press("Control+Home")
    code.press("Tab")
    expect(code).to_have_value("    x = 1")
    code.press("Shift+Tab")
    expect(code).to_have_value("x = 1")
    code.press("Escape")
    code.press("Tab")
    expect(code).not_to_be_focused()


def test_an_unsent_draft_comes_back(open_as: OpenAs, exercise_item: Item) -> None:
    page = open_as("learner")
    page.goto(exercise_item.get_absolute_url())
    starter = page.get_by_label("Your code").input_value()
    page.get_by_label("Your code").fill("precious = 1")
    page.reload()
    expect(page.get_by_label("Your code")).to_have_value("precious = 1")
    page.get_by_role("button", name="Discard it").click()
    expect(page.get_by_label("Your code")).to_have_value(starter)


def test_without_javascript_everything_has_a_form(open_as: OpenAs, lesson: Lesson, exercise_item: Item) -> None:
    page = open_as("learner", java_script_enabled=False)
    page.goto(lesson.get_absolute_url())
    expect(page.locator("[data-bar]")).to_have_count(8)
    expect(page.locator(".demo-control")).to_be_hidden()
    page.get_by_role("link", name="Quiz: architecture").click()
    for group in page.get_by_role("group").all():
        group.get_by_role("radio").first.check()
    page.get_by_role("button", name="Hand in").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("of 5")
    page.goto(exercise_item.get_absolute_url())
    page.get_by_label("Your code").fill("x = 1")
    page.get_by_role("button", name="Submit", exact=True).click()
    expect(page.locator("#result")).to_contain_text("waits for its turn")
    assert Submission.objects.get().source == "x = 1"
