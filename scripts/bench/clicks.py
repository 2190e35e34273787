"""Click "Submit" in a real browser: `python -m scripts.bench.clicks ROUNDS`. Prints JSON.

Talks to the pages of a running house, whose port is in BENCH_PORT.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from statistics import median

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"  # Playwright runs an event loop, but nothing is concurrent here
django.setup()

from django.contrib.auth.models import User  # noqa: E402
from django.test import Client  # noqa: E402
from playwright.sync_api import Page, sync_playwright  # noqa: E402

from courses.models import Enrolment, Item  # noqa: E402
from exercises.package import by_slug  # noqa: E402
from grader import progress  # noqa: E402
from grader.models import Submission  # noqa: E402
from scripts.bench.click import CHROMIUM  # noqa: E402
from scripts.bench.queued import make_item, wait_for  # noqa: E402

SLUG = "positional-encoding"
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-sync"]
SITE = f"http://127.0.0.1:{os.environ['BENCH_PORT']}"
WARMING_UP = 3
REST_SECONDS = 2.5
"""Nobody may click more than ten times in twenty seconds."""
PATIENCE_SECONDS = 60.0

TIME_A_CLICK = """() => new Promise((done) => {
  const began = performance.now();
  const shown = () => document.querySelector("#result .tests li") && document.querySelector("#result.clicked") === null;
  document.getElementById("result").classList.add("clicked");
  new MutationObserver((_, observer) => {
    if (!shown()) return;
    observer.disconnect();
    requestAnimationFrame(() => done(performance.now() - began));
  }).observe(document.body, { childList: true, subtree: true });
  document.querySelector("#code-form button[value=submission]").click();
})"""


def main(rounds: int) -> None:
    item, learner = make_item(SLUG), User.objects.create(username="clicker")
    Enrolment.objects.create(user=learner, course=item.course)
    client = Client()
    client.force_login(learner)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        context = browser.new_context()
        context.add_cookies([{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": SITE}])
        page = context.new_page()
        page.goto(SITE + item.get_absolute_url())
        times = [_round(page, item, number) for number in range(WARMING_UP + rounds)][WARMING_UP:]
        browser.close()
    seen, served = ([one[side] for one in times] for side in (0, 1))
    print(
        json.dumps(
            {
                "click_to_first_test_ms": median(seen),
                "server_ms": median(served),
                "click_over_server_ms": median(whole - own for whole, own in times),
            }
        )
    )


def _round(page: Page, item: Item, number: int) -> tuple[float, float]:
    """Milliseconds from the click to the first test on the page, and from the queued row to its progress."""
    page.get_by_label("Your code").fill(f"{by_slug(SLUG).reference}# {number}\n")
    watch = _Watch(1 + (Submission.objects.order_by("-pk").values_list("pk", flat=True).first() or 0))
    seen = float(page.evaluate(TIME_A_CLICK))
    at = watch.first_test_at()
    wait_for([watch.number])
    row = Submission.objects.get(pk=watch.number)
    assert row.verdict == "accepted", row.verdict
    time.sleep(REST_SECONDS)
    return seen, 1000 * (at - row.created_at.timestamp())


class _Watch:
    """Looks, every millisecond, for the progress of a submission that is still to come."""

    def __init__(self, number: int) -> None:
        self.number = number
        self._at: float | None = None
        self._thread = threading.Thread(target=self._look)
        self._thread.start()

    def _look(self) -> None:
        until = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < until:
            step = progress.get(self.number)
            if step and step.done:
                self._at = time.time()
                return
            time.sleep(0.001)

    def first_test_at(self) -> float:
        self._thread.join()
        if self._at is None:
            raise SystemExit("no test was done in time")
        return self._at


if __name__ == "__main__":
    main(int(sys.argv[1]))
