"""Operators find what is stuck, and try again or give it up. Nothing else about a submission can be changed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest

from grader import queue
from grader.models import Submission


@admin.register(Submission)
class SubmissionAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("id", "user", "item", "kind", "state", "verdict", "tries", "created_at", "fault")
    list_filter = ("state", "kind", "verdict", "item")
    list_select_related = ("user", "item")
    search_fields = ("user__username", "fault")
    date_hierarchy = "created_at"
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
        return Submission.objects.defer("source", "report").newest_first()

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
