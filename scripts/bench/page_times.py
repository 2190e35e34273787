"""Ask this site's pages for themselves, in one process: `python -m scripts.bench.page_times SHARE`. Prints JSON.

The bare view answers through the same handler and middleware, but reads nothing and renders nothing: what a page's
ratio counts is the page's own work. Needs an empty database in DATABASE_URL.
"""

from __future__ import annotations

import io
import json
import os
import sys
from uuid import uuid4

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from django.contrib.auth.models import User  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.http import HttpRequest, HttpResponse  # noqa: E402
from django.test import Client, override_settings  # noqa: E402
from django.urls import include, path, reverse  # noqa: E402
from django.utils import timezone  # noqa: E402

from courses.models import Course, Enrolment, Item, Result, Role  # noqa: E402
from exercises.package import by_slug, slugs  # noqa: E402
from exercises.services import load_package, publish, store_proof  # noqa: E402
from grader import intake  # noqa: E402
from grader.grading import grade_next  # noqa: E402
from grader.models import Kind, Submission  # noqa: E402
from grader.sandbox import Sandbox  # noqa: E402
from scripts.bench.latency import in_turns  # noqa: E402
from scripts.bench.scale import Scale  # noqa: E402

LEARNERS = 500
ROUNDS = 40
ROUNDS_OF_A_SLOW_PAGE = 10
EXERCISE = "positional-encoding"


def bare(request: HttpRequest) -> HttpResponse:
    return HttpResponse("Nothing to see here.")


urlpatterns = [path("bare/", bare), path("", include("config.urls"))]


def main(scale: Scale) -> None:
    call_command("migrate", verbosity=0)
    course = _course()
    item = course.items.get(exercise__slug=EXERCISE)
    learners = _learners(course, scale.of(LEARNERS, least=2))
    submission = _submission(item, learners[0])
    teacher = User.objects.create(username="teacher")
    Enrolment.objects.create(user=teacher, course=course, role=Role.INSTRUCTOR)
    lesson, quiz = item.lesson, item.lesson.items.get(kind=Item.Kind.QUIZ)
    asked = {
        "lesson": (learners[1], lesson.get_absolute_url(), ROUNDS),
        "quiz": (learners[1], quiz.get_absolute_url(), ROUNDS),
        "exercise": (learners[0], item.get_absolute_url(), ROUNDS),
        "progress": (learners[0], reverse("courses:progress", args=[course.slug]), ROUNDS),
        "submission": (learners[0], reverse("grader:submission", args=[submission.pk]), ROUNDS),
        "gradebook_500": (teacher, reverse("courses:gradebook", args=[course.slug]), ROUNDS_OF_A_SLOW_PAGE),
    }
    with override_settings(ROOT_URLCONF="scripts.bench.page_times"):
        found = {name: _measure(*ask, scale) for name, ask in asked.items()}
    print(
        json.dumps({f"{name}_{figure}": value for name, figures in found.items() for figure, value in figures.items()})
    )


def _measure(person: User, url: str, rounds: int, scale: Scale) -> dict[str, float]:
    client = Client(SERVER_NAME="localhost")
    client.force_login(person)
    page, bare = in_turns(scale.of(rounds), lambda: _get(client, url), lambda: _get(client, "/bare/"), rest=0.0)
    return {"ms": 1000 * page, "over_bare": page / bare}


def _get(client: Client, url: str) -> None:
    response = client.get(url)
    assert response.status_code == 200, (url, response.status_code)


def _course() -> Course:
    for slug in slugs():
        revision = load_package(package=by_slug(slug))
        store_proof(digest=revision.digest, extent="full", ok=True, report={})
        publish(revision=revision)
    call_command("load_course", stdout=io.StringIO())
    return Course.objects.get(items__exercise__slug=EXERCISE)


def _learners(course: Course, how_many: int) -> list[User]:
    """Each with a result for each item."""
    users = User.objects.bulk_create(User(username=f"learner-{number}") for number in range(how_many))
    Enrolment.objects.bulk_create(Enrolment(user=user, course=course) for user in users)
    Result.objects.bulk_create(
        Result(
            item=item,
            user=user,
            origin=f"{'quiz' if item.kind == Item.Kind.QUIZ else 'submission'}:{how_many * item.pk + number}",
            raw=number % 4,
            maximum=3,
            submitted_at=timezone.now(),
        )
        for item in course.items.all()
        for number, user in enumerate(users)
    )
    return users


def _submission(item: Item, learner: User) -> Submission:
    """A known mistake, really judged: its report is as long as reports get."""
    source = by_slug(EXERCISE).mistakes[0].source
    intake.submit(user=learner, item=item, source=source, kind=Kind.SUBMISSION, key=uuid4())
    with Sandbox() as sandbox:
        submission = grade_next(sandbox)
    assert submission is not None
    submission.refresh_from_db()
    assert submission.verdict == "wrong_answer"
    return submission


if __name__ == "__main__":
    main(Scale(float(sys.argv[1])))
