"""What an exercise is, as rows: its immutable revisions and the proofs that their tests are good."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from enum import StrEnum
from functools import lru_cache
from typing import Any, Self

from django.db import models
from django.utils import timezone

from exercises.judging import engine_digest
from exercises.package import Package, from_files


class Immutable(TypeError):
    """A revision was about to be changed. Load a new one instead."""


class ExerciseQuerySet(models.QuerySet["Exercise"]):
    def unpublished(self) -> Self:
        """Those of which learners see nothing yet."""
        return self.filter(published=None)


class Exercise(models.Model):
    """One slug through all its revisions; learners see the `published` one. `title`, `level` and `minutes` are kept
    from its files for lists, which read no files."""

    slug = models.SlugField(unique=True)
    title = models.CharField(max_length=160)
    level = models.CharField(max_length=20, blank=True, editable=False)
    minutes = models.PositiveSmallIntegerField(null=True, editable=False)
    published = models.ForeignKey(
        "Revision", on_delete=models.PROTECT, null=True, blank=True, editable=False, related_name="+"
    )

    objects = ExerciseQuerySet.as_manager()

    class Meta:
        ordering = ("title",)

    def __str__(self) -> str:
        return self.title


class RevisionQuerySet(models.QuerySet["Revision"]):
    def newest_first(self) -> Self:
        return self.order_by("exercise__slug", "-number")

    def without_files(self) -> Self:
        return self.defer("files")

    def update(self, **kwargs: Any) -> int:
        raise Immutable("A revision never changes: load the changed folder as a new one.")


class Revision(models.Model):
    """The files of a package, frozen under their digest. Submissions are pinned to one."""

    exercise = models.ForeignKey(Exercise, on_delete=models.PROTECT, related_name="revisions")
    number = models.PositiveIntegerField()
    digest = models.CharField(max_length=64, db_index=True)
    files: models.JSONField[dict[str, str], dict[str, str]] = models.JSONField(help_text="Path to base64 content.")
    created_at = models.DateTimeField(default=timezone.now)

    objects = RevisionQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["exercise", "digest"], name="exercises_revision_digest_unique"),
            models.UniqueConstraint(fields=["exercise", "number"], name="exercises_revision_number_unique"),
        ]

    def __str__(self) -> str:
        return f"{self.exercise.slug}, revision {self.number}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        if not self._state.adding:
            raise Immutable("A revision never changes: load the changed folder as a new one.")
        super().save(*args, **kwargs)

    @property
    def is_published(self) -> bool:
        return self.exercise.published_id == self.pk

    def package(self) -> Package:
        """The package these files make, parsed once per process."""
        return _package(self.digest)


class Extent(models.TextChoices):
    """How much a proof tried: see `grader.proving`."""

    FAST = "fast"
    FULL = "full"


class Standing(StrEnum):
    """What the newest full proof of some files is worth today."""

    PROVEN = "proven"
    PROVEN_EARLIER = "proven by an earlier engine"
    NOT_GOOD = "found wanting"
    NOT_PROVEN = "not proven"


class ProofQuerySet(models.QuerySet["Proof"]):
    def full(self, digest: str) -> Self:
        """The newest first."""
        return self.filter(digest=digest, extent=Extent.FULL).order_by("-created_at", "-pk")

    def standing(self, digest: str) -> Standing:
        """Today's engine has the last word, whatever an earlier one found."""
        proofs = list(self.full(digest))
        ours = next((proof for proof in proofs if proof.engine == engine_digest()), None)
        if ours:
            return Standing.PROVEN if ours.ok else Standing.NOT_GOOD
        return Standing.PROVEN_EARLIER if any(proof.ok for proof in proofs) else Standing.NOT_PROVEN


class Proof(models.Model):
    """What verification found about a digest: whether its tests tell right from wrong, as far as it looked.

    `engine` is the digest of the code that judged. Another engine's proof says what was true then.
    """

    digest = models.CharField(max_length=64)
    extent = models.CharField(max_length=4, choices=Extent)
    engine = models.CharField(max_length=64)
    ok = models.BooleanField()
    report: models.JSONField[dict[str, Any], dict[str, Any]] = models.JSONField()
    created_at = models.DateTimeField(default=timezone.now)

    objects = ProofQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["digest", "extent", "engine"], name="exercises_proof_key_unique"),
        ]

    def __str__(self) -> str:
        return f"{'Proof' if self.ok else 'Failed proof'} of {self.digest[:12]} ({self.extent})"


def encoded(files: Mapping[str, bytes]) -> dict[str, str]:
    """Package files as a revision stores them."""
    return {path: base64.b64encode(content).decode("ascii") for path, content in files.items()}


def decoded(files: Mapping[str, str]) -> dict[str, bytes]:
    """Inverse of `encoded`."""
    return {path: base64.b64decode(content) for path, content in files.items()}


@lru_cache(maxsize=64)
def _package(digest: str) -> Package:
    # Keyed by digest alone: equal digests are equal files, whichever revision brought them.
    files = Revision.objects.filter(digest=digest).values_list("files", flat=True)[0]
    package = from_files(decoded(files))
    if package.digest != digest:
        raise Immutable(f"The stored files of {package.slug} no longer match their digest {digest[:12]}.")
    return package
