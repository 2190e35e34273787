"""Operators read exercises and publish proven revisions; content changes only by loading a package."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest

from exercises.judging import engine_digest
from exercises.models import Exercise, Proof, Revision, RevisionQuerySet
from exercises.services import NotProven, publish


class ReadOnly:
    """Rows that are made by commands, never typed."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(Exercise)
class ExerciseAdmin(ReadOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("title", "slug", "published")
    list_select_related = ("published__exercise",)
    search_fields = ("title", "slug")


@admin.register(Revision)
class RevisionAdmin(ReadOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("exercise", "number", "published", "proven", "created_at", "digest")
    list_filter = ("exercise",)
    fields = ("exercise", "number", "digest", "created_at", "paths")
    readonly_fields = ("paths",)
    actions = ("publish_selected",)

    def get_queryset(self, request: HttpRequest) -> RevisionQuerySet:
        return Revision.objects.select_related("exercise").newest_first()

    @admin.display(boolean=True)
    def published(self, revision: Revision) -> bool:
        return revision.is_published

    @admin.display
    def proven(self, revision: Revision) -> str:
        return Proof.objects.standing(revision.digest)

    @admin.display(description="Files")
    def paths(self, revision: Revision) -> str:
        return "\n".join(sorted(revision.files))

    def has_publish_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("exercises.change_exercise")

    @admin.action(description="Publish the selected revisions", permissions=["publish"])
    def publish_selected(self, request: HttpRequest, revisions: QuerySet[Revision]) -> None:
        for revision in revisions:
            try:
                publish(revision=revision)
            except NotProven as refusal:
                self.message_user(request, str(refusal), messages.ERROR)
            else:
                self.message_user(request, f"Learners now see {revision}.", messages.SUCCESS)


@admin.register(Proof)
class ProofAdmin(ReadOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("files", "extent", "ok", "by_todays_engine", "created_at")
    list_filter = ("extent", "ok")

    @admin.display(description="Digest of the files")
    def files(self, proof: Proof) -> str:
        return proof.digest[:12]

    @admin.display(boolean=True, description="By today’s engine")
    def by_todays_engine(self, proof: Proof) -> bool:
        return proof.engine == engine_digest()
