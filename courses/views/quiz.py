"""Taking a quiz and reading what came of it."""

from __future__ import annotations

import re
from uuid import uuid4

from django.http import HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from courses import access, kept_work, policy, quizzes
from courses.forms import QuizForm
from courses.models import Item, QuizAttempt
from courses.place import in_course
from courses.signed_in import Request, signed_in


def _give_back(request: Request, sent: QueryDict, sentence: str, item: int) -> HttpResponse:
    return _page(request, _quiz_item(request, item), refusal=sentence, answers=QuizForm(sent).answers())


@kept_work.gives_back(_give_back)
@never_cache
@signed_in
def quiz(request: Request, item: int) -> HttpResponse:
    found = _quiz_item(request, item)
    if request.method != "POST":
        return _page(request, found)
    form = QuizForm(request.POST)
    if not form.is_valid():
        return _page(request, found, refusal="This form is damaged. Please reload the page and answer again.")
    try:
        answers = form.answers()
        attempt = quizzes.take(item=found, user=request.user, answers=answers, key=form.cleaned_data["key"])
    except quizzes.Refused as refused:
        return _page(request, found, refusal=str(refused), answers=answers)
    return redirect("courses:quiz_attempt", attempt.pk)


@signed_in
@require_safe
def attempt(request: Request, attempt: int) -> HttpResponse:
    attempts = access.quiz_attempts(request.user).select_related("user")
    found: QuizAttempt = get_object_or_404(attempts, pk=attempt)
    item = Item.objects.with_places().get(pk=found.item_id)
    context = {
        "item": item,
        "lesson": item.lesson,
        "attempt": found,
        "marked": quizzes.marked(found),
        "decision": _decision(request, item),
    }
    return render(request, "courses/quiz_attempt.html", in_course(request, item.course) | context)


def _quiz_item(request: Request, item: int) -> Item:
    return get_object_or_404(access.items(request.user).filter(kind=Item.Kind.QUIZ).with_places(), pk=item)


def _page(request: Request, item: Item, refusal: str = "", answers: dict[str, str] | None = None) -> HttpResponse:
    place = in_course(request, item.course)
    decision = _decision(request, item)
    visible = place["standing"].teaches or policy.is_open(item, timezone.now())
    context = {
        "item": item,
        "lesson": item.lesson,
        "questions": quizzes.questions_of(item) if visible and decision.allowed else [],
        "answers": {int(option) for option in (answers or {}).values() if re.fullmatch("[0-9]{1,18}", option)},
        "refusal": refusal,
        "decision": decision,
        "key": uuid4(),
        "attempts": QuizAttempt.objects.filter(item=item, user=request.user).order_by("created_at"),
    }
    return render(request, "courses/quiz.html", place | context, status=422 if refusal else 200)


def _decision(request: Request, item: Item) -> policy.Decision:
    used = quizzes.attempts_used(item=item, user=request.user)
    return policy.may_submit(user=request.user, item=item, attempts_used=used, at=timezone.now())
