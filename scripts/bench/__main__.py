"""Measure every exercise, print a table, write build/bench.json.

Only ratios are claims: absolute times are the machine's. Medians throughout; the two sides of a ratio take turns, so
that a machine that slows down slows both.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from exercises.package import Package, by_slug, slugs
from scripts.bench.latency import latency
from scripts.bench.pages import pages
from scripts.bench.throughput import throughput

OUTPUT = Path("build/bench.json")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("slugs", nargs="*", help="exercises to measure (all)")
    arguments = parser.parse_args()
    packages = [by_slug(slug) for slug in arguments.slugs or slugs()]
    results: dict[str, Any] = {}
    for package in packages:
        print(f"{package.slug}: {len(package.mistakes)} known mistakes, {package.spec.framework}", flush=True)
        results[package.slug] = {**_shown(package, latency), **_shown(package, throughput)}
    results["pages"] = pages()
    for name, found in results["pages"].items():
        print(f"  page {name:19} {found['over_bare']:10.3f} times a bare view ({found['ms']:.1f} ms)", flush=True)
    OUTPUT.parent.mkdir(exist_ok=True)
    OUTPUT.write_text(json.dumps(results, indent=2) + "\n")
    print(f"written to {OUTPUT}")


def _shown(package: Package, measure: Callable[[Package], dict[str, float]]) -> dict[str, float]:
    found = measure(package)
    for name, value in found.items():
        print(f"  {name:24} {value:10.3f}", flush=True)
    return found


if __name__ == "__main__":
    main()
