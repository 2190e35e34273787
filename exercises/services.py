"""Loading packages as revisions, proving them, and publishing what is proven."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from exercises.judging import engine_digest
from exercises.models import Exercise, Extent, Proof, Revision, Standing, encoded
from exercises.package import Package


class NotProven(ValueError):
    """Learners may not see a revision whose tests have not been proven good."""


@transaction.atomic
def load_package(*, package: Package) -> Revision:
    """The revision that holds exactly these files, made as a draft if they are new."""
    exercise, _ = Exercise.objects.get_or_create(slug=package.slug, defaults={"title": package.spec.title})
    exercise = Exercise.objects.select_for_update().get(pk=exercise.pk)
    known = exercise.revisions.filter(digest=package.digest).first()
    if known:
        return known
    last = exercise.revisions.aggregate(last=Max("number"))["last"] or 0
    return exercise.revisions.create(number=last + 1, digest=package.digest, files=encoded(package.files))


def store_proof(*, digest: str, extent: str, ok: bool, report: dict[str, Any]) -> Proof:
    """Keep the newest finding of this engine about a digest."""
    found = {"ok": ok, "report": report, "created_at": timezone.now()}
    return Proof.objects.update_or_create(digest=digest, extent=Extent(extent), engine=engine_digest(), defaults=found)[
        0
    ]


@transaction.atomic
def publish(*, revision: Revision) -> None:
    """Show `revision` to learners. Raise `NotProven` unless this engine has proven its files in full."""
    standing = Proof.objects.standing(revision.digest)
    if standing is not Standing.PROVEN:
        raise NotProven(
            f"{revision} is {standing}, and is published only once today's engine has proven it in full. "
            f"Run `manage.py verify_exercises {revision.exercise.slug} --publish`, which does both if it is sound."
        )
    exercise = Exercise.objects.select_for_update().get(pk=revision.exercise_id)
    spec = revision.package().spec
    exercise.published = revision
    exercise.title, exercise.level, exercise.minutes = spec.title, spec.level, spec.minutes
    exercise.save(update_fields=["published", "title", "level", "minutes"])
