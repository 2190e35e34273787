"""What the site is for, from the first sign-in to the gradebook, in a real browser with the real sandbox."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from courses.models import Item, Lesson, Question
from exercises.package import by_slug
from grader.grading import grade_next
from grader.sandbox import Sandbox
from tests.browser.conftest import OpenAs
from tests.services import Broker

PACKAGE = by_slug("positional-encoding")
RIGHT = PACKAGE.reference
WRONG, HINT = PACKAGE.mistakes[0].source, PACKAGE.mistakes[0].hint


@pytest.fixture
def sandbox(embedded_broker: Broker) -> Iterator[Sandbox]:
    """With a broker: a page that asks while mistakes are still looked for learns it from there, and asks again."""
    with Sandbox() as sandbox:
        yield sandbox


def submit(page: Page, source: str, sandbox: Sandbox, button: str = "Submit") -> None:
    """Hand in and wait, on the same page, for the verdict that a worker would bring."""
    page.get_by_label("Your code").fill(source)
    page.get_by_role("button", name=button, exact=True).click()
    expect(page.locator("#result.waiting")).to_be_visible()
    assert grade_next(sandbox) is not None
    expect(page.locator("#result.waiting")).to_have_count(0)


def read_and_take_the_quiz(page: Page) -> None:
    page.get_by_role("link", name="Generative AI", exact=False).first.click()
    page.get_by_role("link", name="The transformer").click()
    page.get_by_role("link", name="Session 20").click()
    expect(page.get_by_role("heading", name="Why order has to be put in")).to_be_visible()
    page.get_by_role("link", name="Quiz: architecture").click()
    for question in Question.objects.with_options():
        right = next(option for option in question.options.all() if option.correct)
        page.locator(f'input[value="{right.pk}"][name="question-{question.pk}"]').check()
    page.get_by_role("button", name="Hand in").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("5 of 5, all right")


def test_from_sign_in_to_the_gradebook(
    open_as: OpenAs, lesson: Lesson, exercise_item: Item, sandbox: Sandbox, tmp_path: Path
) -> None:
    learner = open_as("learner")
    read_and_take_the_quiz(learner)
    learner.goto(exercise_item.get_absolute_url())
    submit(learner, WRONG, sandbox)
    expect(learner.locator("#result h2")).to_have_text("Wrong answer")
    expect(learner.locator("#result details[open]")).to_have_count(1)
    expect(learner.locator(".hint")).to_be_visible()
    expect(learner.locator("#result-title")).to_be_in_viewport()
    shapes = learner.locator(".test-title", has_text="The shape is (n_positions, d_model)")
    expect(shapes.last).to_contain_text("5 of 5")
    submit(learner, RIGHT, sandbox)
    expect(learner.locator("#result h2")).to_have_text("Accepted")
    expect(learner.locator(".history li")).to_have_count(2)
    learner.get_by_role("link", name="My progress").click()
    expect(learner.get_by_role("row", name="Sinusoidal positional encoding")).to_contain_text("100%")

    instructor = open_as("instructor")
    instructor.get_by_role("link", name="Generative AI", exact=False).first.click()
    instructor.get_by_role("link", name="Gradebook").click()
    instructor.get_by_role("row", name="learner").get_by_role("link", name="2 tries").click()
    instructor.get_by_role("listitem").filter(has_text="Wrong answer").get_by_role("link").click()
    expect(instructor.get_by_role("heading", name="Wrong answer")).to_be_visible()
    instructor.get_by_role("link", name="Gradebook").click()
    with instructor.expect_download() as download:
        instructor.get_by_role("link", name="Export CSV").click()
    download.value.save_as(tmp_path / "book.csv")
    lines = list(csv.DictReader(io.StringIO((tmp_path / "book.csv").read_text("utf-8"))))
    assert lines[0]["Username"] == "learner"
    assert lines[0]["Sinusoidal positional encoding (%)"] == "100.0"


def test_expected_and_got_stand_side_by_side_with_the_worst_place_marked(
    open_as: OpenAs, exercise_item: Item, sandbox: Sandbox
) -> None:
    page = open_as("learner")
    page.goto(exercise_item.get_absolute_url())
    submit(page, PACKAGE.starter, sandbox)
    panels = page.locator("details[open] .heat")
    expect(panels).to_have_count(2)
    expect(panels.nth(0).locator(".worst")).to_have_text("1")
    expect(panels.nth(1).locator(".worst")).to_have_text("0")


def test_a_lesson_shows_its_items_as_a_ladder_with_their_state(
    open_as: OpenAs, lesson: Lesson, exercise_item: Item, sandbox: Sandbox
) -> None:
    exercise_item.part = "Positions"
    exercise_item.save()
    page = open_as("learner")
    page.goto(exercise_item.get_absolute_url())
    submit(page, RIGHT, sandbox)
    for url in (lesson.get_absolute_url(), lesson.module.course.get_absolute_url()):
        page.goto(url)
        expect(page.get_by_role("heading", name="Positions", exact=True)).to_be_visible()
        rung = page.get_by_role("listitem").filter(has=page.get_by_role("link", name=exercise_item.title)).last
        expect(rung).to_contain_text("Beginner · about 25 min")
        expect(rung).to_contain_text("Accepted")


def test_an_admin_adds_a_question_and_sees_it_as_learners_do(open_as: OpenAs, quiz_item: Item) -> None:
    page = open_as("admin")
    page.goto("/admin/courses/question/add/")
    page.locator("#id_quiz").select_option(str(quiz_item.quiz_id))
    page.locator("#id_order").fill("6")
    page.locator("#id_text").fill("Is $1 + 1 = 2$?")
    for place, text in enumerate(("Yes", "No")):
        page.locator(f"#id_options-{place}-text").fill(text)
        page.locator(f"#id_options-{place}-explanation").fill("Count.")
    page.get_by_role("button", name="Save and continue editing").click()
    expect(page.get_by_text("Mark at least one option as correct")).to_be_visible()
    page.locator("#id_options-0-correct").check()
    page.get_by_role("button", name="Save and continue editing").click()
    page.get_by_role("link", name="View as learner").click()
    expect(page.get_by_role("group")).to_have_count(6)
    expect(page.get_by_role("group").last).to_contain_text("Is")
    expect(page.get_by_text("as a learner does")).to_be_visible()


def test_a_sample_run_tells_live_and_costs_nothing(open_as: OpenAs, exercise_item: Item, sandbox: Sandbox) -> None:
    page = open_as("learner")
    page.goto(exercise_item.get_absolute_url())
    submit(page, RIGHT, sandbox, button="Run the samples")
    expect(page.locator("#result h2")).to_have_text("Samples passed")
    expect(page.locator("#result-said")).to_contain_text("Samples passed")
    page.get_by_label("Your code").fill("")
    page.get_by_role("button", name="Submit", exact=True).click()
    expect(page.locator("#result")).to_contain_text("The submission is empty")
