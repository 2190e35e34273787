"""Is this text that could be a submission? The same question for the form and for the command line."""

from __future__ import annotations

from grader import wording
from grader.notebook import Cell, cells_of

MAX_BYTES = 256 * 1024


class BadSource(ValueError):
    """The bytes cannot be a submission; the message tells the learner what to do."""


class NotebookSource(BadSource):
    """A notebook instead of a file; `cells` are its code cells."""

    def __init__(self, cells: list[Cell]) -> None:
        super().__init__(wording.NOTEBOOK)
        self.cells = cells


def check_source(data: bytes | str) -> str:
    """The submission as text with `\\n` line ends and without a byte-order mark, or `BadSource`."""
    raw = _encoded(data) if isinstance(data, str) else data
    # First: browsers send each line end of a text area as two bytes, which must make no solution too large.
    raw = raw.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    if len(raw) > MAX_BYTES:
        raise BadSource(wording.TOO_LARGE.format(kilobytes=MAX_BYTES // 1024))
    if b"\0" in raw:
        raise BadSource(wording.NUL_BYTES)
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise BadSource(wording.NOT_UTF8) from None
    if not text.strip():
        raise BadSource(wording.EMPTY)
    cells = cells_of(text)
    if cells is not None:
        raise NotebookSource(cells)
    return text


def _encoded(text: str) -> bytes:
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError:  # a lone surrogate: what undecodable bytes become on the way through a form
        raise BadSource(wording.NOT_UTF8) from None
