"""For operators: find stuck submissions, and try again or give them up; have drafts of exercises proven.

Nothing else about a submission can be changed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from exercises.admin import RevisionAdmin
from exercises.models import Proof, Revision, RevisionQuerySet, Standing
from grader import proof_requests, queue, wording
from grader.models import ProofRequest, Submission
from grader.report import Verdict


class VerdictFilter(admin.SimpleListFilter):
    """Those there can be: to ask the rows which there are would read them all."""

    title = "verdict"
    parameter_name = "verdict"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(verdict.value, wording.TITLES[verdict]) for verdict in Verdict]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Submission]) -> QuerySet[Submission]:
        return queryset.filter(verdict=self.value()) if self.value() else queryset


@admin.register(Submission)
class SubmissionAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("id", "user", "item", "kind", "state", "verdict", "tries", "created_at", "fault")
    list_filter = ("state", "kind", VerdictFilter, "item")
    list_select_related = ("user", "item")
    search_fields = ("user__username", "fault")
    show_full_result_count = False  # of a million rows
    ordering = ("-pk",)  # the newest first, by an index
    actions = ("retry", "cancel")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_operate_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("grader.change_submission")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Submission]:
        return Submission.objects.defer("source", "report")

    @admin.action(description="Try again (held submissions)", permissions=["operate"])
    def retry(self, request: HttpRequest, submissions: QuerySet[Submission]) -> None:
        self._each(request, submissions, queue.release, "queued again", "were not held")

    @admin.action(description="Give up (waiting or held submissions)", permissions=["operate"])
    def cancel(self, request: HttpRequest, submissions: QuerySet[Submission]) -> None:
        self._each(request, submissions, queue.cancel, "cancelled", "were being graded or already done")

    def _each(
        self,
        request: HttpRequest,
        submissions: QuerySet[Submission],
        act: Callable[..., bool],
        done: str,
        not_done: str,
    ) -> None:
        outcomes = [act(submission=submission) for submission in submissions]
        if worked := sum(outcomes):
            self.message_user(request, f"{worked} {done}.", messages.SUCCESS)
        if failed := len(outcomes) - worked:
            self.message_user(request, f"{failed} {not_done}; nothing changed for them.", messages.WARNING)


_SHORT = {
    Standing.PROVEN: "Proven.",
    Standing.PROVEN_EARLIER: "Proven by an earlier engine.",
    Standing.NOT_GOOD: "Not good enough yet.",
    Standing.NOT_PROVEN: "Not proven yet.",
}
_NEXT = {
    Standing.PROVEN: "It can be published.",
    Standing.PROVEN_EARLIER: "To publish it anew, choose “Prove the selected revisions” in the list.",
    Standing.NOT_GOOD: "Its tests do not tell right from wrong; what is missing stands below.",
    Standing.NOT_PROVEN: "Choose “Prove the selected revisions” in the list.",
}

admin.site.unregister(Revision)


@admin.register(Revision)
class ProvableRevisionAdmin(RevisionAdmin):
    """Adds what `exercises` cannot know: how a revision is proven."""

    list_display: Any = ("exercise", "number", "published", "proof", "created_at")
    fields: ClassVar[Any] = (*RevisionAdmin.fields, "proving", "findings")
    readonly_fields: ClassVar[Any] = (*RevisionAdmin.readonly_fields, "proving", "findings")
    actions: Any = ("prove_selected", *RevisionAdmin.actions)

    def get_queryset(self, request: HttpRequest) -> RevisionQuerySet:
        return super().get_queryset(request).select_related("exercise", "proof_request")

    @admin.display(description="Proof")
    def proof(self, revision: Revision) -> str:
        """Where it stands, in few words."""
        asked: ProofRequest | None = getattr(revision, "proof_request", None)
        return asked.standing(timezone.now()) if asked else _SHORT[Proof.objects.standing(revision.digest)]

    @admin.display(description="Proof")
    def proving(self, revision: Revision) -> str:
        """Where it stands, and what to do next."""
        standing = Proof.objects.standing(revision.digest)
        if getattr(revision, "proof_request", None) or (standing is Standing.PROVEN and revision.is_published):
            return self.proof(revision)
        return f"{_SHORT[standing]} {_NEXT[standing]}"

    @admin.display(description="Problems found")
    def findings(self, revision: Revision) -> SafeString | str:
        proof = Proof.objects.full(revision.digest).first()
        problems = proof.report.get("problems", []) if proof else []
        return format_html_join("", "<p>{}</p>", ((problem,) for problem in problems)) or "–"

    @admin.action(description="Prove the selected revisions", permissions=["publish"])
    def prove_selected(self, request: HttpRequest, revisions: QuerySet[Revision]) -> None:
        assert request.user.is_authenticated  # the permission says so
        for revision in revisions:
            proof_requests.ask(revision=revision, by=request.user)
        told = f"{len(revisions)} waiting for a worker. Reload this page after some minutes to see what was found."
        self.message_user(request, told, messages.SUCCESS)
