"""The live demonstration of the sinusoidal encoding."""

from __future__ import annotations

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from courses.models import Lesson
from tests.browser.conftest import OpenAs

EVERY_NUMBER = """async (url) => {
  const { encode } = await import(url);
  return Array.from({ length: 50 }, (_, position) => Array.from({ length: 512 }, (_, d) => encode(position, d)));
}"""


@pytest.fixture
def page(open_as: OpenAs, lesson: Lesson) -> Page:
    page = open_as("learner")
    page.goto(lesson.get_absolute_url())
    return page


def expected() -> np.ndarray:
    """The formula of the paper, by complex exponentials: another way than the page's."""
    angles = np.arange(50)[:, None] * np.exp(-np.log(10_000) * np.arange(0, 512, 2) / 512)
    waves = np.exp(1j * angles)
    return np.stack([waves.imag, waves.real], axis=-1).reshape(50, 512)


def test_the_numbers_are_numpys(page: Page) -> None:
    url = page.locator("script[src*=sinusoidal]").get_attribute("src")
    np.testing.assert_allclose(page.evaluate(EVERY_NUMBER, url), expected(), atol=1e-12)


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
