"""A queue to claim from: `python -m scripts.bench.claims short|long SHARE`. Needs an empty database in DATABASE_URL.

Says "ready" when the rows are there. Then each line on stdin is answered by the milliseconds of one claim, whose row
goes back into the queue. Both queues hold the same live rows; the long one also holds what must not cost anything.
"""

from __future__ import annotations

import itertools
import os
import sys
import time
from datetime import timedelta
from typing import Any
from uuid import uuid4

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from django.contrib.auth.models import User  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.db import connection  # noqa: E402
from django.utils import timezone  # noqa: E402

from courses.models import Item  # noqa: E402
from grader import queue  # noqa: E402
from grader.grading import OLDEST_EVERY  # noqa: E402
from grader.models import BEHIND_ALL, Kind, State, Submission, digest_of  # noqa: E402
from scripts.bench.queued import make_item  # noqa: E402
from scripts.bench.scale import Scale  # noqa: E402

SLUG = "positional-encoding"
PEOPLE = 100
LIVE, REGRADES, RESTING, DONE = 100, 100_000, 100_000, 1_000_000
SOURCE = "def positional_encoding(n_positions, d_model):\n    return None\n"


def main(size: str, scale: Scale) -> None:
    call_command("migrate", verbosity=0)
    item = make_item(SLUG)
    held = make_item("softmax", held=True)
    people = User.objects.bulk_create(User(username=uuid4().hex[:20]) for _ in range(PEOPLE))
    hour = timedelta(hours=1)
    if size == "long":
        done = _row(item, people[0], State.DONE, age=50 * hour, verdict="accepted")
        _copy(done, scale.of(DONE))
        _copy(_row(held, people[1], State.QUEUED, age=40 * hour), scale.of(RESTING))
        regrade = {"kind": Kind.REGRADE, "regrade_of": done, "share": BEHIND_ALL}
        _copy(_row(item, people[2], State.QUEUED, age=hour, **regrade), scale.of(REGRADES))
    _copy(_row(item, people[3], State.QUEUED, age=2 * hour), LIVE)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")  # as an autovacuum does
    _claim(oldest=False)  # puts the rows of the held item to rest
    print("ready", flush=True)
    for turn, _ in zip(itertools.count(1), sys.stdin, strict=False):
        print(1000 * _claim(oldest=turn % OLDEST_EVERY == 0), flush=True)


def _claim(*, oldest: bool) -> float:
    started = time.perf_counter()
    row = queue.claim(oldest=oldest)
    elapsed = time.perf_counter() - started
    assert row is not None
    back = {"state": State.QUEUED, "ready": True, "claim_token": None, "lease_until": None, "tries": 0}
    Submission.objects.filter(pk=row.pk).update(**back, share=row.share + 1)
    return elapsed


def _row(item: Item, user: User, state: State, *, age: timedelta, **fields: Any) -> Submission:
    assert item.exercise is not None
    assert item.exercise.published is not None
    then, done = timezone.now() - age, state == State.DONE
    return Submission.objects.create(
        **{"kind": Kind.SUBMISSION, **fields},
        item=item,
        user=user,
        revision=item.exercise.published,
        source=SOURCE,
        source_digest=digest_of(SOURCE),
        seed=1,
        key=uuid4(),
        created_at=then,
        state=state,
        ready=not done,
        claimed_at=then if done else None,
        judged_at=then if done else None,
        worst_time=timedelta(minutes=1),
    )


def _copy(row: Submission, times: int) -> None:
    """Insert so many copies of a row, each of another person and a little younger; in SQL, for there are many."""
    columns = [str(field.column) for field in Submission._meta.concrete_fields if not field.primary_key]
    people = "(SELECT id FROM auth_user ORDER BY id LIMIT 1) + n %% " + str(PEOPLE)
    if connection.vendor == "sqlite":
        series = "WITH RECURSIVE series(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM series WHERE n < %s)"
        key, later = (
            "lower(hex(randomblob(16)))",
            "strftime('%%Y-%%m-%%d %%H:%%M:%%f', {}, '+' || (n / 100.0) || ' seconds')",
        )
    else:
        series = "WITH series AS (SELECT generate_series(1, %s) AS n)"
        key, later = "gen_random_uuid()", "{} + n * interval '10 ms'"
    moments = {name: later.format(name) for name in ("created_at", "claimed_at", "judged_at")}
    values = [{"user_id": people, "key": key, **moments}.get(column, column) for column in columns]
    with connection.cursor() as cursor:
        cursor.execute(
            f"{series} INSERT INTO grader_submission ({', '.join(columns)}) "
            f"SELECT {', '.join(values)} FROM grader_submission, series WHERE id = %s",
            [times, row.pk],
        )


if __name__ == "__main__":
    main(sys.argv[1], Scale(float(sys.argv[2])))
