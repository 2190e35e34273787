"""Submit through intake, wait for the verdicts: `python -m scripts.bench.queued SLUG HOW_MANY`. Prints JSON."""

from __future__ import annotations

import json
import os
import sys
import time
from uuid import uuid4

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from django.contrib.auth.models import User  # noqa: E402
from django.utils import timezone  # noqa: E402

from courses.models import Course, Enrolment, Item, Lesson, Module, Role  # noqa: E402
from exercises.models import Exercise  # noqa: E402
from exercises.package import by_slug  # noqa: E402
from exercises.services import load_package, publish, store_proof  # noqa: E402
from grader import intake  # noqa: E402
from grader.models import Kind, State, Submission  # noqa: E402

PEOPLE = 20
_PATIENCE = 300.0


def main(slug: str, how_many: int) -> None:
    item = make_item(slug)
    people = [User.objects.create(username=uuid4().hex[:20]) for _ in range(PEOPLE)]
    Enrolment.objects.bulk_create(Enrolment(user=one, course=item.course, role=Role.LEARNER) for one in people)
    source = by_slug(slug).reference
    wait_for([_submit(people[0], item, source), _submit(people[1], item, source)])  # the worker is warm
    started = timezone.now()
    rows = [_submit(people[index % PEOPLE], item, source) for index in range(how_many)]
    wait_for(rows)
    last = Submission.objects.filter(pk__in=rows).latest("judged_at").judged_at
    assert last is not None
    assert not Submission.objects.filter(pk__in=rows).exclude(verdict="accepted").exists()
    # From the first submission on: what submitting itself costs is part of the queue.
    print(json.dumps({"verdicts_per_second": how_many / (last - started).total_seconds()}))


def _submit(user: User, item: Item, source: str) -> int:
    return intake.submit(user=user, item=item, source=source, kind=Kind.SUBMISSION, key=uuid4()).pk


def wait_for(rows: list[int]) -> None:
    """Return when each of these rows has its verdict."""
    until = time.monotonic() + _PATIENCE
    while Submission.objects.filter(pk__in=rows).exclude(state=State.DONE).exists():
        if time.monotonic() > until:
            raise SystemExit("the queue did not finish in time")
        time.sleep(0.05)


def make_item(slug: str, *, held: bool = False) -> Item:
    """An exercise of the bank, published and in a course."""
    package = by_slug(slug)
    revision = load_package(package=package)
    store_proof(digest=package.digest, extent="full", ok=True, report={})
    publish(revision=revision)
    course, _ = Course.objects.get_or_create(slug="bench", defaults={"title": "Bench", "summary": ""})
    module, _ = Module.objects.get_or_create(course=course, number=1, defaults={"title": "Bench"})
    lesson, _ = Lesson.objects.get_or_create(
        module=module, number=1, defaults={"slug": "bench", "title": "Bench", "minutes": 1, "level": "", "body": ""}
    )
    item, _ = Item.objects.get_or_create(
        course=course,
        lesson=lesson,
        kind=Item.Kind.EXERCISE,
        exercise=Exercise.objects.get(slug=slug),
        defaults={"title": package.spec.title, "order": 1, "held": held},
    )
    return item


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
