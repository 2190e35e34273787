"""The live demonstration of the sinusoidal encoding."""

from __future__ import annotations

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from courses.models import Lesson
from tests.browser.conftest import OpenAs
from tests.browser.test_accessibility import NARROW, violations

EVERY_NUMBER = """async ([url, width]) => {
  const { encode } = await import(url);
  const row = (position) => Array.from({ length: width }, (_, dimension) => encode(position, dimension, width));
  return Array.from({ length: 50 }, (_, position) => row(position));
}"""
TOO_WIDE = """figure => {
  const edge = figure.getBoundingClientRect().right - 8;
  const parts = [...figure.querySelectorAll("fieldset, label, p, svg, table")].filter((part) => part.checkVisibility());
  return parts.filter((part) => part.getBoundingClientRect().right > edge).map((part) => part.outerHTML.slice(0, 80));
}"""
# What is chosen, which dimensions are then shown, how they are told, and by how much their pairs turn.
CHOICES = [
    ("512", "the first", [*range(8)], "0 to 7 of 512", "1 0.965 0.931 0.898"),
    ("512", "the last", [*range(504, 512)], "504 to 511 of 512", "0.000115 0.000111 0.000107 0.000104"),
    (
        *("512", "spread out", [0, 1, 170, 171, 340, 341, 510, 511]),
        *("0, 1, 170, 171, 340, 341, 510 and 511 of 512", "1 0.047 0.00221 0.000104"),
    ),
    ("16", "spread out", [0, 1, 4, 5, 10, 11, 14, 15], "0, 1, 4, 5, 10, 11, 14 and 15 of 16", "1 0.1 0.00316 0.000316"),
    ("8", None, [*range(8)], "0 to 7 of 8", "1 0.1 0.01 0.001"),
]


@pytest.fixture
def page(open_as: OpenAs, lesson: Lesson) -> Page:
    page = open_as("learner")
    page.goto(lesson.get_absolute_url())
    return page


def expected(width: int = 512) -> np.ndarray:
    """The formula of the paper, by complex exponentials: another way than the page's."""
    angles = np.arange(50)[:, None] * np.exp(-np.log(10_000) * np.arange(0, width, 2) / width)
    waves = np.exp(1j * angles)
    return np.stack([waves.imag, waves.real], axis=-1).reshape(50, width)


def test_the_numbers_are_numpys(page: Page) -> None:
    url = page.locator("script[src*=sinusoidal]").get_attribute("src")
    for width in (8, 16, 512):
        np.testing.assert_allclose(page.evaluate(EVERY_NUMBER, [url, width]), expected(width), atol=1e-12)


def shown(page: Page, dimensions: list[int]) -> list[float]:
    """The numbers of the table, which says of which dimensions they are."""
    assert page.locator(".demo-table tbody th").all_text_contents() == list(map(str, dimensions))
    assert page.locator(".chart .bar-name").all_text_contents() == list(map(str, dimensions))
    assert page.locator("[data-chart=map] .axis [data-name]").all_text_contents() == list(map(str, dimensions))
    return [float(text.replace("−", "-")) for text in page.locator(".demo-table td.number").all_text_contents()]


def test_other_dimensions_and_widths_are_drawn_when_chosen(page: Page) -> None:
    figure = page.locator("[data-sinusoidal]")
    page.get_by_label("Position", exact=True).fill("5")
    for width, which, dimensions, told, rates in CHOICES:
        figure.get_by_role("group", name="Width of the model").get_by_label(width, exact=True).check()
        if which:
            figure.get_by_role("group", name="Eight dimensions").get_by_label(which).check()
        else:  # all of them are shown
            expect(figure.get_by_label("the first")).to_be_disabled()
        values = expected(int(width))[:, dimensions]
        assert shown(page, dimensions) == pytest.approx(values[5].tolist(), abs=5e-7)
        expect(figure.locator(".demo-where").first).to_have_text(f"Encoding of position 5, dimensions {told}")
        expect(figure.locator("[data-rate]")).to_have_text(rates.split())
        expect(figure.locator("caption")).to_have_text(f"PE(5, dimension), d = {width}")
        exponents = [f"{dimension - dimension % 2}/{width}" for dimension in dimensions]
        assert figure.locator("sup").all_text_contents() == exponents
        tiles = figure.locator(".tiles > [class^=v]").evaluate_all("tiles => tiles.map((t) => t.className.baseVal)")
        shades = np.reshape([int(tile.removeprefix("v")) for tile in tiles], (8, 50))
        np.testing.assert_allclose(shades, (values.T + 1) * 8, atol=0.5 + 1e-9)


def test_choices_work_by_keyboard_and_everything_fits_a_phone(open_as: OpenAs, lesson: Lesson) -> None:
    page = open_as("learner", viewport=NARROW)
    page.goto(lesson.get_absolute_url())
    page.get_by_role("radio", name="512", exact=True).focus()
    page.keyboard.press("Tab")
    expect(page.get_by_role("radio", name="the first")).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("radio", name="spread out")).to_be_checked()
    page.keyboard.press("Tab")
    expect(page.get_by_label("Position", exact=True)).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("End")
    expect(page.locator("[data-said]")).to_have_text("Position 3, dimension 511: 1.000")
    page.get_by_text("Numbers as a table").click()
    assert page.locator("[data-sinusoidal]").evaluate(TOO_WIDE) == []
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        assert violations(page) == []


def test_without_a_script_the_drawings_stand_there(open_as: OpenAs, lesson: Lesson) -> None:
    page = open_as("learner", java_script_enabled=False)
    page.goto(lesson.get_absolute_url())
    expect(page.locator(".demo-choices")).to_be_hidden()
    assert shown(page, [*range(8)]) == pytest.approx(expected()[3, :8].tolist(), abs=5e-7)
    expect(page.locator("[data-rate]")).to_have_text(CHOICES[0][4].split())
    diagram = page.get_by_role("img", name="Encoder and decoder, and what flows between them")
    expect(diagram.locator("text", has_text="positions")).to_have_count(1)
    expect(diagram.locator(".plus")).to_have_count(2)


@pytest.mark.parametrize("position", [0, 1, 17, 49])
def test_bars_and_table_follow_the_slider(page: Page, position: int) -> None:
    slider = page.get_by_label("Position", exact=True)
    slider.fill(str(position))
    expect(slider).to_have_attribute("aria-valuetext", f"Position {position}")
    for dimension, value in enumerate(expected()[position, :8]):
        shown = page.locator(f'[data-number="{dimension}"]').text_content()
        assert shown is not None
        assert float(shown.replace("−", "-")) == pytest.approx(value, abs=5e-7)
        height = float(page.locator(f'[data-bar="{dimension}"] .bar-fill').get_attribute("height") or "nan")
        assert height == pytest.approx(60 * abs(value), abs=0.01)


def test_each_chart_is_one_tab_stop_with_arrow_keys(page: Page) -> None:
    page.get_by_label("Position", exact=True).focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator("output")).to_have_text("4")
    page.keyboard.press("Tab")
    expect(page.locator("[data-chart=bars]")).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(page.locator("[data-said]")).to_have_text(
        f"Position 4, dimension 1: {expected()[4, 1]:.3f}".replace("-", "−")
    )
    page.keyboard.press("Tab")
    expect(page.locator("[data-chart=map]")).to_be_focused()
    for key in ("ArrowRight", "ArrowDown", "End"):
        page.keyboard.press(key)
    expect(page.locator("[data-said]")).to_contain_text("Position 49, dimension 2:")
    page.keyboard.press("ArrowRight")
    expect(page.locator("output")).to_have_text("49")
    page.keyboard.press("Tab")
    expect(page.locator(".demo-table summary")).to_be_focused()


def test_motion_is_reduced_for_who_asks(open_as: OpenAs, lesson: Lesson) -> None:
    durations = []
    for preference in ("no-preference", "reduce"):
        page = open_as("learner", reduced_motion=preference)
        page.goto(lesson.get_absolute_url())
        durations.append(page.locator(".bar-fill").first.evaluate("bar => getComputedStyle(bar).transitionDuration"))
    assert durations[0].startswith("0.12s")
    assert durations[1] == "0s"
