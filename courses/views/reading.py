"""Courses, modules and lessons."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone

from courses import access, ladder, markdown
from courses.forms import CodeForm
from courses.models import Module
from courses.place import in_course
from courses.signed_in import Request, signed_in


@signed_in
def home(request: Request) -> HttpResponse:
    return render(request, "courses/home.html", home_context(request, CodeForm()))


def home_context(request: Request, form: CodeForm) -> dict[str, Any]:
    requests = access.requests_to(request.user).open(timezone.now()).waiting()
    return {
        "courses": access.courses(request.user),
        "requests": requests.select_related("course", "created_by"),
        "form": form,
    }


@signed_in
def course(request: Request, course: str) -> HttpResponse:
    found = get_object_or_404(access.courses(request.user), slug=course)
    context = {"contents": ladder.of_course(found, request.user)}
    return render(request, "courses/course.html", in_course(request, found) | context)


@signed_in
def module(request: Request, course: str, number: int) -> HttpResponse:
    modules = access.modules(request.user).select_related("course")
    found: Module = get_object_or_404(modules, course__slug=course, number=number)
    context = {"module": found, "lessons": found.lessons.order_by("number")}
    return render(request, "courses/module.html", in_course(request, found.course) | context)


@signed_in
def lesson(request: Request, course: str, number: int, slug: str) -> HttpResponse:
    lessons = access.lessons(request.user).select_related("module__course")
    found = get_object_or_404(lessons, module__course__slug=course, module__number=number, slug=slug)
    context = {
        "lesson": found,
        "module": found.module,
        "document": markdown.render(found.body),
        "ladder": ladder.of_lesson(found, request.user),
        **found.neighbours(),
    }
    return render(request, "courses/lesson.html", in_course(request, found.module.course) | context)
