"""A learner's exception as plain data: its type, its message, and the learner's own frames alone."""

from __future__ import annotations

import linecache
import re
import traceback
from types import TracebackType

from exercises.visible import clean

OWN_FILES = ("solution.py", "support.py")
MAX_FRAMES = 12
MAX_MESSAGE = 2_000
_OUTSIDE = {
    **dict.fromkeys(("ftplib", "http", "smtplib", "socket", "ssl", "urllib"), "network"),
    **dict.fromkeys(("concurrent", "multiprocessing", "subprocess", "threading"), "processes"),
}
_ADDRESS = re.compile(r"\bat 0x[0-9a-fA-F]+\b")  # differs from run to run, and says nothing


def describe_exception(error: BaseException) -> dict[str, object]:
    """`type`, `message`, `traceback` (text) and `line` (in solution.py, or 0) of what learner code raised.

    `reached` names what it tried to reach from here, "network" or "processes", or is empty.
    """
    frames = own_frames(error.__traceback__)
    lines = [line for name, line, _ in frames if name == OWN_FILES[0]]
    return {
        "type": clean(type(error).__name__, 100),
        "message": clean(_message(error), MAX_MESSAGE),
        "traceback": clean(format_frames(frames), 4 * MAX_MESSAGE),
        "line": lines[-1] if lines else 0,
        "reached": _reached(error.__traceback__),
    }


def own_frames(trace: TracebackType | None) -> list[tuple[str, int, str]]:
    """(file, line, function) of the learner's frames, outermost first; deep recursion is cut in its middle."""
    frames = [
        (frame.f_code.co_filename, line, frame.f_code.co_name)
        for frame, line in traceback.walk_tb(trace)
        if frame.f_code.co_filename in OWN_FILES
    ]
    return frames if len(frames) <= MAX_FRAMES else frames[: MAX_FRAMES // 2] + frames[-MAX_FRAMES // 2 :]


def format_frames(frames: list[tuple[str, int, str]]) -> str:
    parts = []
    for name, line, function in frames:
        parts.append(f"{name}, line {line}, in {function}")
        code = linecache.getline(name, line).strip()
        if code:
            parts.append(f"    {code}")
    return "\n".join(parts)


def _reached(trace: TracebackType | None) -> str:
    modules = (str(frame.f_globals.get("__name__")).partition(".")[0] for frame, _ in traceback.walk_tb(trace))
    return next((_OUTSIDE[module] for module in modules if module in _OUTSIDE), "")


def _message(error: BaseException) -> str:
    try:
        text = str.__str__(str(error))  # a subclass of str may lie about its length
    except BaseException:  # noqa: BLE001 - a learner's __str__ may raise whatever it likes
        return ""
    return _ADDRESS.sub("at 0x…", text)
