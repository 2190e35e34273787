"""From a click to a queued row: once acknowledged, a submission is never lost."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING
from uuid import UUID, uuid4, uuid5

from django.contrib.auth import get_user_model
from django.db import transaction
from django.utils import timezone

from courses import policy
from courses.models import Item
from exercises.models import Revision
from grader import pace, queue, retention, wakeups
from grader.models import Kind, Submission, digest_of
from grader.source import BadSource, check_source

if TYPE_CHECKING:
    from django.contrib.auth.models import User

NOT_PUBLISHED = "This exercise is not open yet: its tests are still being checked. Please come back later."
NOT_JUDGED = "Only a submission that has been graded can be graded again."


class Refused(ValueError):
    """Nothing was queued and no attempt used; the message tells the person what to do."""


def submit(*, user: User, item: Item, source: bytes | str, kind: Kind, key: UUID) -> Submission:
    """Queue `source` for `item`, or raise `Refused`.

    `key` names the form: sending it twice unchanged returns the first row. Sample runs use no attempt, and a newer one
    replaces the one that waits.
    """
    if seconds := pace.seconds_to_wait(user):
        raise Refused(pace.TOO_FAST.format(most=pace.MOST_IN_WINDOW, seconds=seconds))
    try:
        text = check_source(source)
    except BadSource as bad:
        raise Refused(str(bad)) from None
    with transaction.atomic():
        # One person's clicks wait for each other here, so that two tabs cannot share the last attempt. Workers need not
        # wait: what refers to this person may be written meanwhile, and so neither waits for the other for ever.
        get_user_model().objects.select_for_update(no_key=True).get(pk=user.pk)
        # A form that comes back with other code or another button pressed is new work, not the same click.
        click = uuid5(key, f"{item.pk} {kind} {digest_of(text)}")
        known = Submission.objects.filter(user=user, key=click).first()
        if known:
            return known
        revision = _allowed_revision(user=user, item=item, kind=kind)
        if kind == Kind.SAMPLE:
            queue.replace_sample_run(user=user, item=item)
            retention.remove_sample_runs_beyond_limit(user=user, item=item)
        return _queue(user=user, item=item, revision=revision, kind=kind, key=click, source=text, seed=new_seed())


def may_submit(*, user: User, item: Item, kind: Kind = Kind.SUBMISSION) -> policy.Decision:
    """Whether they may now; sample runs use no attempt."""
    used, held, waiting = Submission.objects.counts(user=user, item=item)
    if kind == Kind.SAMPLE:
        used = waiting = 0
    return policy.may_submit(user=user, item=item, attempts_used=used, held=held, waiting=waiting, at=timezone.now())


def regrade(*, submission: Submission, revision: Revision | None = None) -> Submission:
    """Queue a judged submission again: same source, same seed, on `revision` (its own unless given).

    When judged, its result replaces the one that the submission earned. Raise `Refused` if it has none to replace.
    """
    first = submission.regrade_of or submission
    if first.kind != Kind.SUBMISSION or not first.verdict:
        raise Refused(NOT_JUDGED)
    with transaction.atomic():
        return _queue(
            user=first.user,
            item=first.item,
            revision=revision or first.revision,
            kind=Kind.REGRADE,
            key=uuid4(),
            source=first.source,
            seed=first.seed,
            regrade_of=first,
        )


def new_seed() -> int:
    """Small enough for every database's integers and for numpy's seeds."""
    return secrets.randbelow(2**31)


def _allowed_revision(*, user: User, item: Item, kind: Kind) -> Revision:
    if item.exercise is None or item.exercise.published is None:
        raise Refused(NOT_PUBLISHED)
    decision = may_submit(user=user, item=item, kind=kind)
    if not decision.allowed:
        raise Refused(decision.sentence)
    return item.exercise.published


def _queue(*, revision: Revision, source: str, **fields: object) -> Submission:
    submission = Submission(
        revision=revision,
        source=source,
        source_digest=digest_of(source),
        worst_time=queue.worst_time(revision.package()),
        **fields,
    )
    queue.enter(submission)
    submission.save()
    wakeups.after_commit()
    return submission
