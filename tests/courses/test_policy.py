from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.contrib.auth.models import User

from courses.models import Item
from courses.policy import may_submit
from courses.results import credit_left, late_days

NOW = datetime(2026, 5, 4, 12, tzinfo=UTC)
DAY = timedelta(days=1)


def test_an_item_without_rules_is_open(quiz_item: Item, learner: User) -> None:
    assert may_submit(user=learner, item=quiz_item, attempts_used=99, at=NOW).allowed


@pytest.mark.parametrize(
    ("rules", "used", "word"),
    [
        ({"opens_at": NOW + DAY}, 0, "opens on 5 May 2026"),
        ({"due_at": NOW - DAY, "late_penalty_percent_per_day": 100}, 0, "closed"),
        ({"attempts": 1}, 1, "only attempt"),
        ({"attempts": 3}, 3, "all 3 attempts"),
        ({"due_at": NOW - 3 * DAY, "late_penalty_percent_per_day": 40}, 0, "closed"),
    ],
)
def test_rules_refuse_learners_and_say_why(
    quiz_item: Item, learner: User, rules: dict[str, object], used: int, word: str
) -> None:
    for name, value in rules.items():
        setattr(quiz_item, name, value)
    decision = may_submit(user=learner, item=quiz_item, attempts_used=used, at=NOW)
    assert not decision.allowed
    assert word in decision.sentence


@pytest.mark.parametrize(
    ("rules", "used", "words"),
    [
        ({"opens_at": NOW}, 0, ""),
        ({"due_at": NOW}, 0, ""),
        ({"attempts": 3}, 2, "1 of 3 attempts left."),
        ({"due_at": NOW - DAY / 2, "late_penalty_percent_per_day": 10}, 0, "it now counts 90%"),
        ({"due_at": NOW - 9 * DAY, "late_penalty_percent_per_day": 0}, 0, "in full, marked as late"),
        ({"held": True}, 0, "paused"),
    ],
)
def test_what_is_still_allowed_says_what_to_know(
    quiz_item: Item, learner: User, rules: dict[str, object], used: int, words: str
) -> None:
    for name, value in rules.items():
        setattr(quiz_item, name, value)
    decision = may_submit(user=learner, item=quiz_item, attempts_used=used, at=NOW)
    assert decision.allowed
    assert words in decision.sentence


def test_a_due_date_alone_refuses_nobody_and_takes_nothing_off(quiz_item: Item, learner: User) -> None:
    """Whoever sets a date and says nothing about lateness finds late work marked as such, and decides then."""
    quiz_item.due_at = NOW - 9 * DAY
    assert may_submit(user=learner, item=quiz_item, attempts_used=0, at=NOW).allowed
    assert (credit_left(quiz_item, NOW), late_days(quiz_item, NOW)) == (1, 9)


def test_those_who_teach_are_not_bound(quiz_item: Item, assistant: User, instructor: User, admin: User) -> None:
    quiz_item.opens_at, quiz_item.attempts = NOW + DAY, 1
    for person in (assistant, instructor, admin):
        assert may_submit(user=person, item=quiz_item, attempts_used=5, at=NOW).allowed


def test_an_outsider_must_enrol_first(quiz_item: Item, outsider: User) -> None:
    decision = may_submit(user=outsider, item=quiz_item, attempts_used=0, at=NOW)
    assert not decision.allowed
    assert "Enrol" in decision.sentence
