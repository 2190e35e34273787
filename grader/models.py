"""A submission: one row from the click to the verdict. The rows are the queue."""

from __future__ import annotations

import hashlib
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from django.conf import settings
from django.db import models
from django.db.models import Count, Exists, F, OuterRef, Q
from django.db.models.functions import Greatest
from django.utils import timezone

from courses import moments
from courses.models import Item
from grader.report import Report, Verdict

if TYPE_CHECKING:
    from django.contrib.auth.models import User

MAX_TRIES = 3
AT_ONCE = 500
"""Rows whose place in the queue one transaction changes: what else wants to write waits no longer than that takes."""
BEHIND_ALL = 2**62
"""The share of regrades: they follow all live work."""


class Kind(models.TextChoices):
    SAMPLE = "sample", "sample run"
    SUBMISSION = "submission"
    REGRADE = "regrade"


class State(models.TextChoices):
    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    HELD = "held"
    CANCELLED = "cancelled"
    REPLACED = "replaced"


class Counts(NamedTuple):
    """A person's submissions for an item: attempts used (the waiting ones included), held, and waiting."""

    used: int
    held: int
    waiting: int


class SubmissionQuerySet(models.QuerySet["Submission"]):
    def ready(self) -> Self:
        """Rows that a worker may claim now. An index holds exactly these."""
        return self.filter(ready=True)

    def in_order(self) -> Self:
        """Who is next: the person with the smallest share, then sample runs before submissions, then age."""
        return self.order_by("share", "kind", "created_at", "pk")

    def oldest_first(self) -> Self:
        return self.order_by("created_at", "pk")

    def live(self) -> Self:
        """What somebody waits for; all but regrades."""
        return self.filter(regrade_of=None)

    def last_claimed(self) -> Submission | None:
        return self.filter(claimed_at__isnull=False).order_by("-claimed_at").only("share").first()

    def unlocked(self, at_most: int | None = None) -> Self:
        """These rows, less any that another worker is changing: for an UPDATE of many that must not deadlock.

        With `at_most` they are read first: PostgreSQL may run a limited subquery once for each row, and update all.
        """
        rows = self.select_for_update(skip_locked=True).values_list("pk", flat=True)
        chosen = rows if at_most is None else list(rows[:at_most])
        return Submission.objects.filter(pk__in=chosen)  # type: ignore[return-value]

    def share_served(self) -> int:
        """The queue's clock: what share is being served now, so that whoever comes does not start with less.

        The row claimed last tells, unless it was taken out of order and others with a smaller share still wait.
        """
        last = self.live().last_claimed()
        first = self.ready().in_order().only("share").first()
        shares = [row.share for row in (last, first) if row and row.share < BEHIND_ALL]
        return min(shares, default=0)

    def take_places(self) -> int:
        """Make the first of these ready among those that wait now. To have been away gains nothing."""
        here = Greatest(F("share"), Submission.objects.share_served())
        return self.unlocked(AT_ONCE).update(ready=True, resting=False, not_before=None, share=here)

    def make_ready(self, at: datetime) -> None:
        """Make ready what is due, and what a worker that died has left behind. Call it in a transaction."""
        due = self.filter(not_before__lte=at)
        left_behind = self.filter(lease_until__lt=at, tries__lt=MAX_TRIES, ready=False)
        for rows in (due, left_behind):
            if rows.exists():
                rows.take_places()

    def newest_first(self) -> Self:
        return self.order_by("-created_at", "-pk")

    def exhausted(self, at: datetime) -> Self:
        """Rows whose last permitted try ended with a dead worker."""
        return self.filter(state=State.RUNNING, lease_until__lt=at, tries__gte=MAX_TRIES)

    def expendable_sample_runs(self, before: datetime) -> Self:
        """Ended sample runs that nobody needs: neither reported, nor a person's newest work on an item."""
        newer = Submission.objects.filter(
            item=OuterRef("item"), user=OuterRef("user"), created_at__gt=OuterRef("created_at")
        ).exclude(kind=Kind.REGRADE)
        return self.ended_sample_runs().filter(Exists(newer), created_at__lt=before)

    def ended_sample_runs(self) -> Self:
        """Less those on which a problem was reported."""
        ended = (State.DONE, State.CANCELLED, State.REPLACED)
        return self.filter(kind=Kind.SAMPLE, state__in=ended, problems=None)

    def expendable_reports(self, before: datetime) -> Self:
        """Judged rows whose report no open problem is about."""
        return self.filter(report__isnull=False, judged_at__lt=before).exclude(problems__settled=False)

    def counts(self, *, user: User, item: Item) -> Counts:
        """What we failed to grade, or what could not be read, is no attempt."""
        submission = Q(kind=Kind.SUBMISSION)
        free = Q(state__in=(State.HELD, State.CANCELLED)) | Q(verdict=Verdict.INVALID_SUBMISSION)
        found = self.filter(user=user, item=item).aggregate(
            used=Count("pk", filter=submission & ~free),
            held=Count("pk", filter=Q(state=State.HELD)),
            waiting=Count("pk", filter=submission & Q(state=State.QUEUED)),
        )
        return Counts(**found)


class Submission(models.Model):
    """Code that a person submitted for an item, pinned to one revision of its exercise.

    `report` is a `grader.report.Report` as JSON, or None before there is one and after `report_removed_at`: only its
    details are ever forgotten, never the source, the verdict or the score. `worst_time` is the longest that judging may
    take by the exercise's limits; a claim is leased for it. `tries` counts claims that have not led to a verdict.

    A queued row is exactly one of these: `ready` to be claimed, due at `not_before`, or `resting` because its item is
    held. A running row becomes ready again when its lease runs out. `share` is the place of its person on the queue's
    clock, which advances with each row of theirs that is claimed (see `grader.queue`).
    """

    item = models.ForeignKey(Item, on_delete=models.PROTECT, related_name="submissions")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="submissions")
    revision = models.ForeignKey("exercises.Revision", on_delete=models.PROTECT, related_name="submissions")
    regrade_of = models.ForeignKey("self", on_delete=models.CASCADE, null=True, blank=True, related_name="regrades")
    kind = models.CharField(max_length=10, choices=Kind)
    source = models.TextField()
    source_digest = models.CharField(max_length=64)
    seed = models.PositiveIntegerField()
    key = models.UUIDField(help_text="Sent by the form, so that a double click is one submission.")
    created_at = models.DateTimeField(default=timezone.now)

    state = models.CharField(max_length=9, choices=State, default=State.QUEUED)
    claim_token = models.UUIDField(null=True, blank=True)
    claimed_at = models.DateTimeField(null=True, blank=True)
    worst_time = models.DurationField()
    lease_until = models.DateTimeField(null=True, blank=True)
    tries = models.PositiveSmallIntegerField(default=0)
    ready = models.BooleanField(default=False)
    not_before = models.DateTimeField(null=True, blank=True)
    resting = models.BooleanField(default=False)
    share = models.BigIntegerField(default=0)
    fault = models.TextField(blank=True)

    verdict = models.CharField(max_length=20, blank=True)  # a `Verdict`; its wording is not the schema's business
    score = models.PositiveIntegerField(default=0)
    max_score = models.PositiveIntegerField(default=0)
    report: models.JSONField[dict[str, Any] | None, dict[str, Any] | None] = models.JSONField(null=True, blank=True)
    judged_at = models.DateTimeField(null=True, blank=True)
    report_removed_at = models.DateTimeField(null=True, blank=True)

    objects = SubmissionQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "key"], name="grader_submission_key_unique"),
            models.CheckConstraint(  # so that no queued row is ever in a place where nobody looks for it
                name="grader_submission_has_one_place",
                condition=Q(state="queued", ready=True, resting=False, not_before__isnull=True)
                | Q(state="queued", ready=False, resting=True, not_before__isnull=True)
                | Q(state="queued", ready=False, resting=False, not_before__isnull=False)
                | Q(state="running", resting=False, not_before__isnull=True)
                | Q(~Q(state__in=("queued", "running")), ready=False, resting=False, not_before__isnull=True),
            ),
        ]
        indexes = [
            # Of the alphabet's making, but tested: "sample" comes before "submission".
            models.Index(
                fields=["share", "kind", "created_at", "id"], condition=Q(ready=True), name="grader_submission_next"
            ),
            models.Index(fields=["created_at", "id"], condition=Q(ready=True), name="grader_submission_oldest"),
            models.Index(fields=["user", "share"], condition=Q(ready=True), name="grader_submission_persons"),
            models.Index(fields=["not_before"], condition=Q(not_before__isnull=False), name="grader_submission_due"),
            models.Index(
                fields=["lease_until"], condition=Q(lease_until__isnull=False), name="grader_submission_leases"
            ),
            models.Index(fields=["item"], condition=Q(resting=True), name="grader_submission_resting"),
            models.Index(
                fields=["claimed_at"],
                condition=Q(regrade_of__isnull=True, claimed_at__isnull=False),
                name="grader_submission_claims",
            ),
            models.Index(
                fields=["user", "claimed_at"],
                condition=Q(regrade_of__isnull=True, claimed_at__isnull=False),
                name="grader_submission_own_claims",
            ),
            models.Index(fields=["state", "created_at"], name="grader_submission_states"),
            models.Index(fields=["item", "user", "created_at"], name="grader_submission_history"),
            models.Index(fields=["created_at"], condition=Q(kind="sample"), name="grader_submission_samples"),
            models.Index(fields=["judged_at"], condition=Q(report__isnull=False), name="grader_submission_reports"),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} {self.pk} by {self.user}"

    @property
    def is_finished(self) -> bool:
        """Whether nothing more will happen to it unless somebody acts."""
        return self.state not in (State.QUEUED, State.RUNNING)

    @property
    def origin(self) -> str:
        """The name of its course result. A regrade replaces the result of what it regrades."""
        return f"submission:{self.regrade_of_id or self.pk}"

    def read_report(self) -> Report | None:
        return None if self.report is None else Report.from_json(self.report)


class ProblemQuerySet(models.QuerySet["Problem"]):
    def for_inbox(self) -> Self:
        """Open ones first, newest first."""
        return self.select_related("submission__item", "submission__user").order_by("settled", "-created_at", "-pk")


class Problem(models.Model):
    """What a person found wrong with an exercise, pinned to the submission that showed it."""

    submission = models.ForeignKey(Submission, on_delete=models.CASCADE, related_name="problems")
    text = models.TextField()
    settled = models.BooleanField(default=False)
    created_at = models.DateTimeField(default=timezone.now)

    objects = ProblemQuerySet.as_manager()

    def __str__(self) -> str:
        return self.text[:80]


class ProofRequestQuerySet(models.QuerySet["ProofRequest"]):
    def claimable(self, at: datetime) -> Self:
        """Waiting, or left behind by a worker that died."""
        return self.filter(Q(claimed_until=None) | Q(claimed_until__lt=at), fault="")


class ProofRequest(models.Model):
    """A revision that somebody wants proven. Workers do it when no submission waits; then the row is gone.

    What was found is an `exercises.models.Proof`. `fault` says why nothing could be found, and that it was our fault.
    """

    revision = models.OneToOneField("exercises.Revision", on_delete=models.CASCADE, related_name="proof_request")
    asked_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    asked_at = models.DateTimeField(default=timezone.now)
    claim_token = models.UUIDField(null=True)
    claimed_until = models.DateTimeField(null=True)
    fault = models.TextField(blank=True)

    objects = ProofRequestQuerySet.as_manager()

    def __str__(self) -> str:
        return f"proof of {self.revision}"

    def standing(self, at: datetime) -> str:
        """One sentence for whoever asked."""
        if self.fault:
            return f"Proving failed on our side: {self.fault} Ask again once that is mended."
        if self.claimed_until and self.claimed_until > at:
            since = self.claimed_until - timedelta(seconds=settings.CELERY_TASK_TIME_LIMIT)
            return f"A worker is proving it since {moments.text(since, None)}. If it was stopped, ask again."
        return "Waiting for a worker."


def digest_of(source: str) -> str:
    """Names a source without comparing it: SHA-256, hexadecimal."""
    return hashlib.sha256(source.encode()).hexdigest()
