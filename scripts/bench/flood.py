"""Twenty people submit once each, alone and beside one who floods: `python -m scripts.bench.flood HOW_MANY ROUNDS`.

Talks to the pages of a running house, whose port is in BENCH_PORT. Prints JSON.
"""

from __future__ import annotations

import contextlib
import http.client
import itertools
import json
import os
import sys
import threading
import time
from collections.abc import Callable
from statistics import median
from urllib.parse import urlencode
from uuid import uuid4

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY  # noqa: E402
from django.contrib.auth.models import User  # noqa: E402
from django.contrib.sessions.backends.db import SessionStore  # noqa: E402
from django.db import connection  # noqa: E402

from courses.models import Enrolment, Item  # noqa: E402
from exercises.package import by_slug  # noqa: E402
from grader.models import Kind, State, Submission  # noqa: E402
from scripts.bench.queued import make_item, wait_for  # noqa: E402

SLUG = "positional-encoding"
PEOPLE = 20
_PORT = int(os.environ["BENCH_PORT"])
_CSRF_TOKEN = "a" * 32


class Person:
    """Somebody who is signed in, in a browser of their own."""

    def __init__(self, item: Item) -> None:
        self.user = User.objects.create(username=uuid4().hex[:20])
        Enrolment.objects.create(user=self.user, course=item.course)
        session = SessionStore()
        session[SESSION_KEY] = str(self.user.pk)
        session[BACKEND_SESSION_KEY] = "django.contrib.auth.backends.ModelBackend"
        session[HASH_SESSION_KEY] = self.user.get_session_auth_hash()
        session.save()
        self._path = f"/exercises/{item.pk}/submit/"
        self._headers = {
            "Cookie": f"sessionid={session.session_key}; csrftoken={_CSRF_TOKEN}",
            "X-CSRFToken": _CSRF_TOKEN,
            "HX-Request": "true",
            "Content-Type": "application/x-www-form-urlencoded",
        }

    def send(self, kind: Kind, source: str) -> int:
        """Press a button; returns the status."""
        form = urlencode({"key": str(uuid4()), "kind": kind, "source": source})
        with contextlib.closing(http.client.HTTPConnection("127.0.0.1", _PORT, timeout=60)) as browser:
            browser.request("POST", self._path, form, self._headers)
            return browser.getresponse().status


def main(how_many: int, rounds: int) -> None:
    item, source = make_item(SLUG), by_slug(SLUG).reference
    people = [Person(item) for _ in range(PEOPLE)]
    _seconds_of(people, source)  # everything is warm
    ratios, alone, refused = [], [], 0
    for _ in range(rounds):
        quiet = median(_seconds_of(people, source))
        # Somebody new each time: who flooded a minute ago would only be refused.
        flood = _Flood(Person(item), source, how_many)
        ratios.append(median(_seconds_of(people, source)) / quiet)
        refused += flood.end()
        alone.append(quiet)
    print(
        json.dumps(
            {"quiet_wait_ms": 1000 * median(alone), "flooded_over_quiet_wait": median(ratios), "refused": refused}
        )
    )


def _seconds_of(people: list[Person], source: str) -> list[float]:
    """From each one's click to their verdict; they all click at once."""
    together = threading.Barrier(len(people))
    clicked: dict[int, float] = {}

    def click(person: Person) -> None:
        together.wait()
        clicked[person.user.pk] = time.time()
        assert person.send(Kind.SUBMISSION, source) == 200

    _in_threads([lambda person=person: click(person) for person in people])  # type: ignore[misc]
    rows = {user: Submission.objects.filter(user=user).newest_first()[0].pk for user in clicked}
    wait_for(list(rows.values()))
    judged = Submission.objects.in_bulk(rows.values())
    seconds = []
    for user, pk in rows.items():
        verdict, judged_at = judged[pk].verdict, judged[pk].judged_at
        assert verdict == "accepted", verdict
        assert judged_at
        seconds.append(judged_at.timestamp() - clicked[user])
    return seconds


class _Flood:
    """One person who sends sample runs and submissions by turns, as fast as they are answered, until `end`.

    They send `how_many` of each at least.
    """

    def __init__(self, person: Person, source: str, how_many: int) -> None:
        self._person, self._source, self._how_many = person, source, how_many
        self._statuses: list[int] = []
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._send)
        self._thread.start()
        while len(self._statuses) < min(40, how_many):
            time.sleep(0.01)

    def _send(self) -> None:
        for number in itertools.count():
            if number >= self._how_many and self._over.is_set():
                return
            for kind in (Kind.SAMPLE, Kind.SUBMISSION):
                self._statuses.append(self._person.send(kind, f"{self._source}# {number}\n"))

    def end(self) -> int:
        """How many were refused."""
        self._over.set()
        self._thread.join()
        assert set(self._statuses) <= {200, 422}, set(self._statuses)
        while Submission.objects.filter(state__in=(State.QUEUED, State.RUNNING)).exists():
            time.sleep(0.1)
        return self._statuses.count(422)


def _in_threads(tasks: list[Callable[[], None]]) -> None:
    problems: list[BaseException] = []

    def run(task: Callable[[], None]) -> None:
        try:
            task()
        except BaseException as error:  # noqa: BLE001 - told below
            problems.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(task,)) for task in tasks]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if problems:
        raise problems[0]


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
