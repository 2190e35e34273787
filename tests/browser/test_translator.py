"""The last rung: the learner's own code translates, and the page shows what it made and where it looked."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from courses.models import Course, Item, Lesson
from exercises.package import by_slug
from grader.sandbox import Sandbox
from tests.browser.conftest import OpenAs
from tests.browser.test_accessibility import NARROW, cut_off, violations
from tests.browser.test_main_path import submit

PACKAGE = by_slug("translator")
WITHOUT_POSITIONS = next(one.source for one in PACKAGE.mistakes if one.slug == "positions-left-out")


@pytest.fixture
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as sandbox:
        yield sandbox


@pytest.fixture
def item(generative_ai: Course) -> Item:
    return Item.objects.get(exercise__slug="translator")


def weights(page: Page, number: int) -> list[list[float]]:
    """The numbers of one map, row by row."""
    rows = page.locator(".exhibit").nth(number).locator("tbody tr")
    return [[float(text) for text in row.locator("td").all_text_contents()] for row in rows.all()]


def assert_accessible(page: Page) -> None:
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        assert violations(page) == []
    page.set_viewport_size(NARROW)  # type: ignore[arg-type]
    assert not page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")
    assert cut_off(page) == []


def test_the_reference_translates_and_its_map_is_shown(open_as: OpenAs, item: Item, sandbox: Sandbox) -> None:
    page = open_as("learner")
    page.goto(item.get_absolute_url())
    submit(page, PACKAGE.reference, sandbox)
    expect(page.locator("#result h2")).to_have_text("Accepted")
    exhibits = page.locator("details[open] .exhibit")
    expect(exhibits).to_have_count(2)
    expect(exhibits.locator("h3")).to_have_text(["dog bites man", "man bites dog"])
    said = exhibits.locator(".exhibit-text")
    expect(said).to_have_text(["कुत्ता आदमी को काटता है", "आदमी कुत्ते को काटता है"])
    expect(said.first).to_have_attribute("lang", "hi")
    table = page.get_by_role("table", name="“dog bites man”: how much each word that your code wrote")
    expect(table.get_by_role("columnheader")).to_have_text(["dog", "bites", "man"])
    expect(table.get_by_role("rowheader")).to_have_text("कुत्ता आदमी को काटता है".split())
    expect(table.get_by_role("rowheader").first).to_have_attribute("lang", "hi")
    dog, man, _, bites, _ = weights(page, 0)
    assert (dog[0], man[2], bites[1]) > (0.9, 0.9, 0.9)
    assert all(abs(sum(row) - 1) < 0.02 for number in (0, 1) for row in weights(page, number))
    assert_accessible(page)


def test_a_wrong_model_shows_what_it_made_too(open_as: OpenAs, item: Item, sandbox: Sandbox) -> None:
    page = open_as("learner")
    page.goto(item.get_absolute_url())
    submit(page, WITHOUT_POSITIONS, sandbox, button="Run the samples")
    expect(page.locator("#result h2")).to_have_text("Wrong answer")
    said = page.locator(".exhibit .exhibit-text")
    expect(said).to_have_text(["कुत्ता आदमी को काटता है"] * 2)
    one, other = weights(page, 0), weights(page, 1)
    assert [row[::-1] for row in one] == other


@pytest.mark.parametrize("java_script_enabled", [True, False])
def test_the_lesson_shows_the_run_that_is_chosen(open_as: OpenAs, lesson: Lesson, *, java_script_enabled: bool) -> None:
    page = open_as("learner", java_script_enabled=java_script_enabled)
    page.goto(lesson.get_absolute_url())
    figure = page.get_by_role("group", name="Choose a sentence.")
    shown = figure.locator(".run:visible")
    expect(shown).to_have_count(1)
    expect(shown).to_contain_text("kuttā ādmī ko kāṭtā hai")
    figure.get_by_text("the dog does not see the man").click()
    expect(shown).to_have_count(1)
    expect(shown).to_contain_text("held out")
    table = shown.get_by_role("table")
    expect(table.get_by_role("columnheader")).to_have_text("the dog does not see the man".split())
    expect(table.get_by_role("rowheader").nth(3)).to_have_text("नहीं nahīn")
    expect(table.get_by_role("row").nth(4).get_by_role("cell").nth(3)).to_have_text("96")


def test_sentences_are_chosen_with_arrow_keys(open_as: OpenAs, lesson: Lesson) -> None:
    page = open_as("learner")
    page.goto(lesson.get_absolute_url())
    page.get_by_role("radio", name="dog bites man", exact=True).focus()
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("radio", name="man bites dog", exact=True)).to_be_checked()
    expect(page.locator(".run:visible")).to_contain_text("ādmī kutte ko kāṭtā hai")
    page.keyboard.press("Tab")
    expect(page.locator(".run .table-scroll:visible")).to_be_focused()


def test_the_longest_run_fits_and_is_accessible(open_as: OpenAs, lesson: Lesson) -> None:
    page = open_as("learner")
    page.goto(lesson.get_absolute_url())
    page.get_by_text("the boy does not eat the apple", exact=True).click()
    assert_accessible(page)


def test_the_lesson_leads_to_the_exercise(open_as: OpenAs, lesson: Lesson, item: Item) -> None:
    page = open_as("learner")
    page.goto(lesson.get_absolute_url())
    page.get_by_role("link", name="Your own code can do this").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(item.title)
