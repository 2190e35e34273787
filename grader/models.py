"""A submission: one row from the click to the verdict. The rows are the queue."""

from __future__ import annotations

import hashlib
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Self

from django.conf import settings
from django.db import models
from django.db.models import Case, Count, Exists, IntegerField, OuterRef, Q, Subquery, Value, When
from django.db.models.functions import Coalesce
from django.utils import timezone

from courses.models import Item
from grader.report import Report, Verdict

if TYPE_CHECKING:
    from django.contrib.auth.models import User

MAX_TRIES = 3
FAIR_SHARE_WINDOW = timedelta(minutes=10)


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


class SubmissionQuerySet(models.QuerySet["Submission"]):
    def claimable(self, at: datetime) -> Self:
        """Rows a worker may take: waiting and due, or left behind by a worker that died; held items rest."""
        waiting = Q(state=State.QUEUED) & (Q(not_before=None) | Q(not_before__lte=at))
        abandoned = Q(state=State.RUNNING, lease_until__lt=at, tries__lt=MAX_TRIES)
        return self.filter(waiting | abandoned).exclude(item__in=Item.objects.filter(held=True))

    def in_order(self, at: datetime) -> Self:
        """Who is next: sample runs, submissions, regrades; then the person graded least of late; then age."""
        rank = Case(
            *(When(kind=kind, then=Value(place)) for place, kind in enumerate(Kind)), output_field=IntegerField()
        )
        return self.annotate(rank=rank, share=_share_of_late(at)).order_by("rank", "share", "created_at", "pk")

    def oldest_first(self) -> Self:
        return self.order_by("created_at", "pk")

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
        ended = self.filter(kind=Kind.SAMPLE, created_at__lt=before, state__in=(State.DONE, State.CANCELLED))
        return ended.filter(Exists(newer), problems=None)

    def expendable_reports(self, before: datetime) -> Self:
        """Judged rows whose report no open problem is about."""
        return self.filter(report__isnull=False, judged_at__lt=before).exclude(problems__settled=False)

    def attempts_used_and_held(self, *, user: User, item: Item) -> tuple[int, int]:
        """Attempts of a person at an item, those in the queue included; and how many rows of theirs are held.

        What we failed to grade, or what could not be read, costs nothing.
        """
        free = Q(state__in=(State.HELD, State.CANCELLED)) | Q(verdict=Verdict.INVALID_SUBMISSION)
        counts = self.filter(user=user, item=item).aggregate(
            used=Count("pk", filter=Q(kind=Kind.SUBMISSION) & ~free), held=Count("pk", filter=Q(state=State.HELD))
        )
        return counts["used"], counts["held"]


class Submission(models.Model):
    """Code that a person handed in for an item, pinned to one revision of its exercise.

    `report` is a `grader.report.Report` as JSON, or None before there is one and after `report_removed_at`: only its
    details are ever forgotten, never the source, the verdict or the score. `worst_time` is the longest that judging may
    take by the exercise's limits; a claim is leased for it. `tries` counts claims that have not led to a verdict.
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
    not_before = models.DateTimeField(null=True, blank=True)
    fault = models.TextField(blank=True)

    verdict = models.CharField(max_length=20, blank=True)  # a `Verdict`; its wording is not the schema's business
    score = models.PositiveIntegerField(default=0)
    max_score = models.PositiveIntegerField(default=0)
    report: models.JSONField[dict[str, Any] | None, dict[str, Any] | None] = models.JSONField(null=True, blank=True)
    judged_at = models.DateTimeField(null=True, blank=True)
    report_removed_at = models.DateTimeField(null=True, blank=True)

    objects = SubmissionQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "key"], name="grader_submission_key_unique")]
        indexes = [
            models.Index(
                fields=["state", "created_at"],
                condition=Q(state__in=("queued", "running", "held")),
                name="grader_submission_unfinished",
            ),
            models.Index(fields=["user", "claimed_at"], name="grader_submission_claims"),
            models.Index(fields=["item", "user", "created_at"], name="grader_submission_history"),
            models.Index(fields=["created_at"], condition=Q(kind="sample"), name="grader_submission_samples"),
            models.Index(fields=["judged_at"], condition=Q(report__isnull=False), name="grader_submission_reports"),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} {self.pk} by {self.user}"

    @property
    def is_finished(self) -> bool:
        """Whether nothing more will happen to it unless somebody acts."""
        return self.state in (State.DONE, State.HELD, State.CANCELLED)

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
            return f"A worker is proving it since {since:%H:%M} UTC. If it was stopped, ask again."
        return "Waiting for a worker."


def digest_of(source: str) -> str:
    """Names a source without comparing it: SHA-256, hexadecimal."""
    return hashlib.sha256(source.encode()).hexdigest()


def _share_of_late(at: datetime) -> Coalesce:
    """How often a row's person was given a worker lately."""
    claims = (
        Submission.objects.filter(user=OuterRef("user"), claimed_at__gt=at - FAIR_SHARE_WINDOW)
        .order_by()
        .values("user")
        .annotate(claims=Count("pk"))
        .values("claims")
    )
    return Coalesce(Subquery(claims, output_field=IntegerField()), 0)
