"""Where on the site a page is: the course, and what its reader may do there. Every page in a course shows it."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest

from courses import access
from courses.models import Course


def in_course(request: HttpRequest, course: Course) -> dict[str, Any]:
    """Context of a page in `course`. With `?view=learner` those who teach see it as a learner does. One query."""
    standing = access.standing(request.user, course)
    as_learner = standing.teaches and request.GET.get("view") == "learner"
    if as_learner:
        standing = access.Standing(teaches=False, manages=False)
    return {"course": course, "standing": standing, "as_learner": as_learner}
