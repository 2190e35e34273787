from __future__ import annotations

from pathlib import Path

import pytest
from redis import Redis

from grader import progress
from grader.report import Outcome, TestReport
from tests.services import Broker

TESTS = [
    TestReport("test_two", "Twice two.", sample=True, points=1, outcome=Outcome.PASSED),
    TestReport("test_ten", "Twice ten.", sample=False, points=1, outcome=Outcome.WRONG_ANSWER),
]


def test_what_was_put_is_got_back_by_its_submission_alone(any_broker: Broker) -> None:
    progress.put(7, 5, TESTS)
    found = progress.get(7)
    assert found is not None
    assert (found.done, found.total) == (2, 5)
    assert [(step.title, step.outcome) for step in found.tests] == [
        ("Twice two.", "passed"),
        ("Twice ten.", "wrong_answer"),
    ]
    assert progress.get(8) is None


def test_that_mistakes_are_looked_for_is_told_until_it_ends(any_broker: Broker) -> None:
    assert not progress.is_looking(1)
    progress.look_for_mistakes(1)
    assert progress.is_looking(1)
    assert not progress.is_looking(2)
    progress.end_looking(1)
    assert not progress.is_looking(1)


def test_nobody_is_told_for_ever_that_mistakes_are_looked_for(any_broker: Broker) -> None:
    progress.look_for_mistakes(1)
    assert 0 < progress.client().ttl("gradus:looking:1") <= 60


def test_progress_is_forgotten_within_the_hour(any_broker: Broker) -> None:
    progress.put(7, 5, TESTS)
    seconds = Redis.from_url(any_broker.url).ttl("gradus:progress:7")
    assert isinstance(seconds, int)
    assert 0 < seconds <= progress.SECONDS_KEPT


def test_a_redis_that_is_away_costs_only_the_progress(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("django.conf.settings.REDIS_URL", f"unix://{tmp_path}/nothing.sock")
    progress.put(7, 5, TESTS)
    assert progress.get(7) is None


def test_a_redis_that_dies_in_between_costs_only_the_progress(embedded_broker: Broker) -> None:
    progress.put(7, 5, TESTS)
    embedded_broker.kill()
    progress.put(7, 5, TESTS)
    assert progress.get(7) is None
