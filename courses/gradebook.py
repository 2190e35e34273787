"""People × items: what each is worth, in a constant number of queries; and the same as CSV."""

from __future__ import annotations

import csv
import io
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db.models import QuerySet
from django.utils import timezone

from courses import moments, policy
from courses.models import Course, Enrolment, Item, Result
from courses.results import Mark, best_or_last, total

if TYPE_CHECKING:
    from django.contrib.auth.models import User

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


@dataclass(frozen=True, slots=True)
class Cell:
    """What one item is worth to one person; `tries` counts their results. What is not open counts in no total."""

    item: Item
    mark: Mark | None
    tries: int
    is_open: bool = True

    @property
    def done(self) -> bool:
        """Everything was right, in time or late."""
        return self.mark is not None and self.mark.result.raw >= self.mark.result.maximum


@dataclass(frozen=True, slots=True)
class Row:
    """`total` is a share in 0…1 of the weight of all that is open, or None when nothing of it has weight."""

    person: User
    cells: tuple[Cell, ...]
    total: float | None

    @property
    def total_percent(self) -> float | None:
        return None if self.total is None else 100 * self.total


@dataclass(frozen=True, slots=True)
class Gradebook:
    """`is_open`, for each of `items`: whether learners may work on it, so that it counts."""

    items: tuple[Item, ...]
    is_open: tuple[bool, ...]
    rows: tuple[Row, ...]

    @property
    def columns(self) -> list[tuple[Item, bool]]:
        return list(zip(self.items, self.is_open, strict=True))


def of_course(course: Course) -> Gradebook:
    """Every learner of the course. Three queries, however many people and items there are."""
    people = [enrolment.user for enrolment in Enrolment.objects.filter(course=course).learners().with_people()]
    return _gradebook(course, people, Result.objects.filter(item__course=course))


def of_person(course: Course, person: User) -> Row:
    """One person's row, for "my progress". Two queries."""
    return _gradebook(course, [person], Result.objects.filter(item__course=course, user=person)).rows[0]


def to_csv(book: Gradebook) -> str:
    """One line a person: name, username, e-mail, percent of every item and in total; empty: nothing handed in."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow([_safe(text) for text in ("Name", "Username", "E-mail", *_titles(book), "Total (%)")])
    for row in book.rows:
        identity = [row.person.get_full_name(), row.person.username, row.person.email]
        marks = [_percent(cell.mark.percent if cell.mark else None) for cell in row.cells]
        writer.writerow([*map(_safe, identity), *marks, _percent(row.total_percent)])
    return out.getvalue()


def csv_name(course: Course) -> str:
    return f"{course.slug}-gradebook-{timezone.localdate(timezone=moments.zone_of(course)).isoformat()}.csv"


def _gradebook(course: Course, people: list[User], results: QuerySet[Result]) -> Gradebook:
    items = tuple(Item.objects.filter(course=course).with_places().in_order())
    theirs: dict[tuple[int, int], list[Result]] = defaultdict(list)
    for result in results:
        theirs[result.user_id, result.item_id].append(result)
    now = timezone.now()
    is_open = tuple(policy.is_open(item, now) and policy.is_ready(item) for item in items)
    return Gradebook(items, is_open, tuple(_row(person, items, is_open, theirs) for person in people))


def _row(
    person: User, items: tuple[Item, ...], is_open: tuple[bool, ...], theirs: dict[tuple[int, int], list[Result]]
) -> Row:
    cells = []
    for item, counts in zip(items, is_open, strict=True):
        results = theirs.get((person.pk, item.pk), [])
        cells.append(Cell(item, best_or_last(item, results), len(results), counts))
    return Row(person, tuple(cells), total((cell.item, cell.mark) for cell in cells if cell.is_open))


def _titles(book: Gradebook) -> list[str]:
    return [f"{item.title} (%)" for item in book.items]


def _percent(value: float | None) -> str:
    return "" if value is None else f"{value:.1f}"


def _safe(text: str) -> str:
    """Spreadsheets run a cell that starts like a formula; a leading apostrophe makes it text."""
    return f"'{text}" if text.startswith(FORMULA_STARTS) else text
