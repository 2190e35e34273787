"""Measure the engine on one numpy and one torch exercise, the bank and the pages; print, and write build/bench.json.

Only ratios are claims: absolute times are the machine's. Medians throughout; the two sides of a ratio take turns, so
that a machine that slows down slows both.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Any

from exercises.package import by_slug
from scripts.bench.bank import bank
from scripts.bench.confinement import confinement
from scripts.bench.fuzz import fuzz
from scripts.bench.latency import latency, levels
from scripts.bench.leaks import GRADINGS, leaks
from scripts.bench.memory import growth, memory
from scripts.bench.otter import beside_otter
from scripts.bench.pages import pages
from scripts.bench.throughput import throughput

MEASURED = ("positional-encoding", "multi-head-attention")
OUTPUT = Path("build/bench.json")
LEAKS = Path("build/leaks.json")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("slugs", nargs="*", help=f"exercises to measure ({' and '.join(MEASURED)})")
    leaking = f"instead, grade so often ({GRADINGS}) in every way a submission can end, and count what is left behind"
    parser.add_argument("--leaks", nargs="?", type=int, const=GRADINGS, metavar="HOW_MANY", help=leaking)
    arguments = parser.parse_args()
    if arguments.leaks:
        _write(LEAKS, leaks(arguments.leaks))
    else:
        _write(OUTPUT, _measured(arguments.slugs or MEASURED))


def _measured(chosen: Iterable[str]) -> dict[str, Any]:
    results: dict[str, Any] = {}
    for slug in chosen:
        package = by_slug(slug)
        print(f"{slug}: {len(package.mistakes)} known mistakes, {package.spec.framework}", flush=True)
        results[slug] = {}
        for measure in (latency, levels, confinement, throughput, memory):
            results[slug].update(_shown(partial(measure, package)))
    print("the bank", flush=True)
    results["bank"] = _shown(bank)
    print("the engine", flush=True)
    results["engine"] = {**_shown(growth), **_shown(fuzz), **_shown(beside_otter)}
    results["pages"] = pages()
    for name, found in results["pages"].items():
        print(f"  page {name:19} {found['over_bare']:10.3f} times a bare view ({found['ms']:.1f} ms)", flush=True)
    return results


def _write(output: Path, results: dict[str, Any]) -> None:
    output.parent.mkdir(exist_ok=True)
    output.write_text(json.dumps(results, indent=2) + "\n")
    print(f"written to {output}")


def _shown(measure: Callable[[], dict[str, float]]) -> dict[str, float]:
    found = measure()
    for name, value in found.items():
        print(f"  {name:24} {value:10.3f}", flush=True)
    return found


if __name__ == "__main__":
    main()
