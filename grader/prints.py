"""What learners printed, put beside the tests they printed it in, within what a stored row may take."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace

from exercises.visible import visible
from grader.report import Report, TestReport

ROW_BYTES = 512 << 10
"""A report with its prints, as JSON."""
CUT = "\n… (the rest of this output is not kept)\n"


def with_prints(report: Report, output: Mapping[tuple[str, str], bytes], spare: int = 0) -> tuple[TestReport, ...]:
    """The tests with their prints; `output` is by number of test and stream. The longest are cut, to one length.

    `spare` bytes of the row stay free, for what is still to be found out.
    """
    texts = {key: visible(data.decode("utf-8", "replace")) for key, data in output.items()}
    room = ROW_BYTES - spare - len(json.dumps(report.to_json()))
    most = _most(sorted(map(_size, texts.values())), room)
    kept = {key: _cut(text, most) for key, text in texts.items()}
    return tuple(
        replace(test, stdout=kept.get((str(number), "stdout"), ""), stderr=kept.get((str(number), "stderr"), ""))
        for number, test in enumerate(report.tests)
    )


def _size(text: str) -> int:
    """Bytes in JSON, without the quotes that stand there in any case."""
    return len(text) if text.isascii() and text.isprintable() and '"' not in text else len(json.dumps(text)) - 2


def _most(sizes: list[int], room: int) -> int:
    """The largest size at which all these, cut to it, have room together. `sizes` go up."""
    for place, size in enumerate(sizes):
        share = max(0, room) // (len(sizes) - place)
        if size > share:
            return share
        room -= size
    return ROW_BYTES


def _cut(text: str, most: int) -> str:
    if _size(text) <= most:
        return text
    kept, left = text[: max(0, most - len(json.dumps(CUT)))], most - len(json.dumps(CUT))
    while _size(kept) > max(0, left):
        kept = kept[: min(len(kept) - 1, len(kept) * left // _size(kept))] if left > 0 else ""
    return kept + CUT
