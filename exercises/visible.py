"""Texts of other people's code, as any database and page can hold them, and as they are.

What moves a cursor, turns a line round or cannot be stored is shown as Python escapes it; newlines and tabs stay. Where
this machine keeps Python and this program is nobody's business: three dots stand for it.
"""

from __future__ import annotations

import os
import re
import sys
import sysconfig
from pathlib import Path

_HOME = Path(__file__).resolve().parents[1]
_EVERYBODYS = {"", ".", "/", "/usr", "/usr/local"}  # such a prefix says nothing of this machine
# Control characters, separators of lines and paragraphs, marks and embeddings of direction, halves of characters.
_UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def visible(text: str) -> str:
    """The whole text, made so."""
    text = escaped(text)
    if any(folder in text for folder in _FOLDERS):
        text = _PATHS.sub("…", text)
    return text


def escaped(text: str) -> str:
    """The text with escapes alone: a program says itself which paths it names."""
    return text if text.isprintable() else _UNSEEN.sub(_escape, text.replace("\r\n", "\n"))


def clean(text: str, limit: int) -> str:
    """At most `limit` characters of it."""
    text = visible(text[: 2 * limit])
    return text if len(text) <= limit else text[: limit - 1] + "…"


def _escape(found: re.Match[str]) -> str:
    return found[0].encode("unicode_escape").decode()


def _installation() -> list[str]:
    """The directories of Python, its libraries and this program, the longest first."""
    names = ("stdlib", "platstdlib", "purelib", "platlib")
    folders = {sys.prefix, sys.base_prefix, sys.executable, str(_HOME), *map(sysconfig.get_path, names)}
    folders |= {os.path.realpath(folder) for folder in folders}
    return sorted(folders - _EVERYBODYS, key=len, reverse=True)


def _pattern(folder: str) -> str:
    """A short name may be the end of another path; a long one stands for nothing else, whatever is before it."""
    return f"{'' if folder.count('/') > 1 else _NO_PATH_BEFORE}{re.escape(folder)}"


_NO_PATH_BEFORE = r"(?<![\w.-])"
_FOLDERS = _installation()
_PATHS = re.compile(rf"(?:{'|'.join(map(_pattern, _FOLDERS))})(?![\w-]|\.\w)")
