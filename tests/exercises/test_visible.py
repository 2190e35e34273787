"""Texts of other people's code are shown as they are: nothing is obeyed, and nothing of this machine is told."""

from __future__ import annotations

import json
import sys
import sysconfig
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from exercises.visible import clean, visible

HOME = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain\n\ttext", "plain\n\ttext"),
        ("two\r\nlines", "two\nlines"),
        ("10%\r20%", r"10%\r20%"),
        ("\x1b[31mred\x1b[0m", r"\x1b[31mred\x1b[0m"),
        ("a\x00\x07\x08\x7f\x9b", r"a\x00\x07\x08\x7f\x9b"),
        ("is\u202eadmin\u2066", r"is\u202eadmin\u2066"),
        ("\u200e\u200f\u061c\u2028\u2029", r"\u200e\u200f\u061c\u2028\u2029"),
        ("half \ud83e", r"half \ud83e"),
        ("héllo हिन्दी क्‍ष 🦜 👩‍💻 −∞", "héllo हिन्दी क्‍ष 🦜 👩‍💻 −∞"),
        (r"already \x1b", r"already \x1b"),
    ],
)
def test_what_a_reader_cannot_see_is_shown_as_an_escape(text: str, shown: str) -> None:
    assert visible(text) == shown
    assert visible(shown) == shown


BASE = sys.base_prefix if sys.base_prefix in ("/usr", "/usr/local") else "…"  # these say nothing of a machine


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (f"<module 'json' from '{json.__file__}'>", "<module 'json' from '…/json/__init__.py'>"),
        (f"{np.__file__}:3: Warning", "…/numpy/__init__.py:3: Warning"),
        (f"No such file or directory: '{HOME}/grader/none.py'", "No such file or directory: '…/grader/none.py'"),
        (f"{sysconfig.get_path('stdlib')}", "…"),
        (sys.executable, "…"),
        (f"{sys.prefix}/lib {sys.base_prefix}/bin", f"…/lib {BASE}/bin"),
        (f"Look into {sys.prefix}.", "Look into …."),
        (f"gcc -I{sysconfig.get_path('stdlib')}/x.h", "gcc -I…/x.h"),
        (repr(f"two\n{np.__file__}"), r"'two\n…/numpy/__init__.py'"),
        (f"{HOME}like/x /usr/share/dict /box/mine.txt", f"{HOME}like/x /usr/share/dict /box/mine.txt"),
    ],
)
def test_where_this_machine_keeps_its_files_is_not_told(text: str, shown: str) -> None:
    assert visible(text) == shown


@given(st.text(st.characters(codec=None)))
def test_every_text_can_be_stored_and_is_cut_to_its_limit(text: str) -> None:
    shown = visible(text)
    assert "\x00" not in shown
    shown.encode()
    assert visible(shown) == shown
    assert len(clean(text, 10)) <= 10
    assert clean(text, 10) == (shown if len(shown) <= 10 else clean(shown, 10))
