"""My progress, and the instructor's gradebook."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from courses import access, gradebook
from courses.place import in_course
from courses.signed_in import Request, signed_in


@signed_in
@require_safe
def progress(request: Request, course: str) -> HttpResponse:
    found = get_object_or_404(access.courses(request.user), slug=course)
    row = gradebook.of_person(found, request.user)
    return render(request, "courses/progress.html", in_course(request, found) | {"row": row})


@signed_in
@require_safe
def marks(request: Request, course: str) -> HttpResponse:
    found = get_object_or_404(access.taught(request.user), slug=course)
    return render(request, "courses/gradebook.html", in_course(request, found) | {"book": gradebook.of_course(found)})


@signed_in
@require_safe
def marks_csv(request: Request, course: str) -> HttpResponse:
    found = get_object_or_404(access.taught(request.user), slug=course)
    text = gradebook.to_csv(gradebook.of_course(found))
    name = gradebook.csv_name(found)
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(text, content_type="text/csv; charset=utf-8", headers=headers)
