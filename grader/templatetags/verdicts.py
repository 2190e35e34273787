from __future__ import annotations

from django import template

from grader.report import Verdict
from grader.wording import TITLES

register = template.Library()


@register.filter
def verdict_title(verdict: str) -> str:
    """A stored verdict in words; nothing for a submission without one."""
    return TITLES[Verdict(verdict)] if verdict else ""
