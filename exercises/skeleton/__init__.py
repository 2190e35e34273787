"""The files of a small working exercise, which an author changes into another one."""

from __future__ import annotations

from pathlib import Path

_FOLDER = Path(__file__).parent
_SLUG, _NAME, _TITLE = "a-new-exercise", "a_new_exercise", "A new exercise"


def skeleton_files(slug: str) -> dict[str, bytes]:
    """Content by path in the package `slug`; its function is called so, with underscores."""
    words = slug.split("-")
    names = {_SLUG: slug, _NAME: "_".join(words), _TITLE: " ".join(words).capitalize()}
    return {
        path.relative_to(_FOLDER).as_posix(): _named(path.read_text("utf-8"), names).encode()
        for path in sorted(_FOLDER.rglob("*"))
        if path.is_file() and path.name != "__init__.py" and "__pycache__" not in path.parts
    }


def _named(text: str, names: dict[str, str]) -> str:
    for placeholder, name in names.items():
        text = text.replace(placeholder, name)
    return text
