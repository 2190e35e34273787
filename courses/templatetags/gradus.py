"""What templates need to say about marks and authored text."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from django import template
from django.urls import reverse
from django.utils import timezone
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe

from courses import markdown as authored
from courses import moments, policy, sinusoidal, translations
from courses.ladder import Ladder
from courses.models import Course, Item, Result
from exercises.visible import escaped

if TYPE_CHECKING:
    from django.contrib.auth.models import User

    from courses.gradebook import Cell

register = template.Library()

BACKTICKS = re.compile(r"`([^`\n]+)`")
NOT_OPEN = mark_safe('<span class="quiet">not open yet</span>')
NO_MARK = mark_safe('<span class="quiet">–</span>')
LATE = mark_safe('<span class="tag">late</span>')
BREAK = mark_safe("<br>")
EXERCISE_LINK = re.compile(r'href="#exercise-[a-z0-9-]+"')
PAGES = {"submission": "grader:submission", "quiz": "courses:quiz_attempt"}


@register.filter
def markdown(source: str) -> SafeString:
    """Authored Markdown as safe HTML."""
    return authored.render(source).html


@register.filter
def markdown_line(source: str) -> SafeString:
    """The same for a single paragraph, without its `<p>`, for labels and options."""
    html = authored.render(source).html
    inner = html.strip().removeprefix("<p>").removesuffix("</p>")
    return html if "<p>" in inner else mark_safe(inner)  # noqa: S308 - safe HTML without its outermost tag


@register.filter
def code_spans(sentence: str) -> SafeString:
    """A plain sentence with its `names` set as code. Not Markdown: learners' own words may stand in it."""
    return mark_safe(BACKTICKS.sub(r"<code>\1</code>", escape(sentence)))  # noqa: S308 - escaped first


@register.filter
def duration(minutes: int) -> str:
    """As “45 min” or “1 h 5 min”."""
    hours, rest = divmod(minutes, 60)
    return " ".join(f"{number} {unit}" for number, unit in ((hours, "h"), (rest, "min")) if number)


@register.filter
def python_code(source: str) -> SafeString:
    """A program with highlighting and, by CSS, line numbers: every line is a `<span class="line">`.

    Characters that would make it read otherwise than Python does are shown as escapes.
    """
    return authored.numbered_program(escaped(source))


@register.filter
def origin_url(result: Result) -> str:
    """The page of the work that a result came from."""
    kind, _, number = result.origin.partition(":")
    return reverse(PAGES[kind], args=[int(number)])


@register.filter
def exercise_links(html: SafeString, ladder: Ladder) -> SafeString:
    """Let links to `#exercise-slug` lead to the exercise of that name, if it is one of the lesson's."""
    items = [cell.item for part in ladder.parts for cell in part.cells]
    links = {
        f'href="#exercise-{item.exercise.slug}"': f'href="{item.get_absolute_url()}"' for item in items if item.exercise
    }
    return mark_safe(EXERCISE_LINK.sub(lambda link: links.get(link.group(), link.group()), html))  # noqa: S308 - our URLs


@register.simple_tag
def moment(moment: datetime, course: Course | None, style: str = "long") -> SafeString:
    """A moment in the course's time zone, or the site's for None; `style` is one of `moments.STYLES`."""
    return format_html(
        '<time datetime="{}" title="{}">{}</time>',
        moment.astimezone(UTC).isoformat(timespec="seconds"),
        moments.zone_of(course),
        moments.text(moment, course, style),
    )


@register.simple_tag
def opening(item: Item, course: Course) -> SafeString:
    """In place of marks of an item that is not open: when it opens, if that is known."""
    if policy.is_open(item, timezone.now()) or item.opens_at is None:
        return NOT_OPEN
    return format_html('<span class="quiet">opens {}</span>', moment(item.opens_at, course, "medium"))


@register.simple_tag
def mark_cell(cell: Cell, person: User) -> SafeString:
    """What stands in one cell of the gradebook. A large course has ten thousand, too many for a template."""
    mark = cell.mark
    if mark is None:
        return NO_MARK
    grade = "full" if mark.share >= 1 else "low" if mark.share < 0.5 else ""
    percent = f"{mark.percent:.0f}"
    html = format_html('<a class="mark-link {}" href="{}">{}</a>', grade, origin_url(mark.result), percent)
    if mark.late_days:
        html += LATE
    if cell.tries > 1:
        tries = format_html('<span class="quiet">{} tries</span>', cell.tries)
        if cell.item.kind == Item.Kind.EXERCISE:
            url = reverse("grader:history", args=[cell.item.pk, person.pk])
            tries = format_html('<a class="quiet" href="{}">{} tries</a>', url, cell.tries)
        html += BREAK + tries
    return html


@register.simple_tag
def sinusoidal_dimensions(position: int) -> list[sinusoidal.Dimension]:
    return sinusoidal.dimensions(position)


@register.simple_tag
def sinusoidal_rates() -> list[str]:
    return sinusoidal.rates()


@register.simple_tag
def sinusoidal_tiles() -> list[sinusoidal.Tile]:
    return sinusoidal.tiles()


@register.simple_tag
def translation_runs() -> tuple[translations.Run, ...]:
    return translations.runs()
