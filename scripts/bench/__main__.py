"""Measure the engine on one numpy and one torch exercise, the bank and the pages; print, and write build/bench.json.

Only ratios are claims: absolute times are the machine's. Medians throughout; the two sides of a ratio take turns, so
that a machine that slows down slows both.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from exercises.package import by_slug
from scripts.bench.bank import bank
from scripts.bench.click import click
from scripts.bench.confinement import confinement
from scripts.bench.fuzz import fuzz
from scripts.bench.latency import latency, levels
from scripts.bench.leaks import GRADINGS, leaks
from scripts.bench.memory import growth, memory
from scripts.bench.otter import beside_otter
from scripts.bench.pages import pages
from scripts.bench.queue import queue
from scripts.bench.scale import SMALL, WHOLE, Scale
from scripts.bench.throughput import throughput

Figures = dict[str, float]
Measure = Callable[[], Figures]

MEASURED = ("positional-encoding", "multi-head-attention")
OUTPUT = Path("build/bench.json")
SMALL_OUTPUT = Path("build/bench-small.json")
LEAKS = Path("build/leaks.json")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("slugs", nargs="*", help=f"exercises to measure ({' and '.join(MEASURED)})")
    leaking = f"instead, grade so often ({GRADINGS}) in every way a submission can end, and count what is left behind"
    parser.add_argument("--leaks", nargs="?", type=int, const=GRADINGS, metavar="HOW_MANY", help=leaking)
    parser.add_argument("--small", action="store_true", help="every part once, quickly: its figures mean nothing")
    parser.add_argument("--only", metavar="PART", help="one part, as its name stands in bench.json")
    arguments = parser.parse_args()
    if arguments.leaks:
        _write(LEAKS, leaks(arguments.leaks))
        return 0
    usual = MEASURED[:1] if arguments.small else MEASURED
    parts = _parts(arguments.slugs or usual, SMALL if arguments.small else WHOLE)
    if arguments.only and arguments.only not in parts:
        parser.error(f"there is no part {arguments.only!r}; the parts are {', '.join(parts)}")
    chosen = {arguments.only: parts[arguments.only]} if arguments.only else parts
    return measure(chosen, SMALL_OUTPUT if arguments.small else OUTPUT)


def _parts(chosen: Iterable[str], scale: Scale) -> dict[str, list[Measure]]:
    """By the name under which the figures are written."""
    exercises: dict[str, list[Measure]] = {
        slug: [partial(measure, by_slug(slug), scale) for measure in (latency, levels, confinement, throughput, memory)]
        for slug in chosen
    }
    rest: dict[str, list[Callable[[Scale], Figures]]] = {
        "queue": [queue],
        "click": [click],
        "bank": [bank],
        "engine": [growth, fuzz, beside_otter],
        "pages": [pages],
    }
    return exercises | {name: [partial(measure, scale) for measure in measures] for name, measures in rest.items()}


def measure(parts: Mapping[str, Sequence[Measure]], output: Path) -> int:
    """Measure one part after the other, and write what is known after each: a part that fails spoils no other.

    Returns the exit code.
    """
    results: dict[str, Figures] = {}
    failures = []
    for name, measures in parts.items():
        print(name, flush=True)
        for one in measures:
            began = time.monotonic()
            try:
                found = one()
            except Exception as error:  # noqa: BLE001 - told, and in the exit code
                failures.append(f"{name}: {type(error).__name__}: {error}")
                print(f"  FAILED: {type(error).__name__}: {error}", flush=True)
                continue
            results.setdefault(name, {}).update(found)
            for figure, value in found.items():
                print(f"  {figure:32} {value:10.3f}", flush=True)
            print(f"  ({time.monotonic() - began:.0f} s)", flush=True)
            _write(output, {**results, "failures": failures})
    _write(output, {**results, "failures": failures})
    print(f"written to {output}", *failures, sep="\nFAILED: ")
    return 1 if failures else 0


def _write(output: Path, results: Mapping[str, Any]) -> None:
    output.parent.mkdir(parents=True, exist_ok=True)
    output.write_text(json.dumps(results, indent=2) + "\n")


if __name__ == "__main__":
    sys.exit(main())
