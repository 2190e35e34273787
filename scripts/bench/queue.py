"""What others wait for because of one person, and because of what has piled up."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median

from scripts.bench.house import database_of, house
from scripts.bench.scale import WHOLE, Scale
from scripts.postgres import postgres

CLAIMS = 60
FLOODS = 3
FLOOD = 300


def queue(scale: Scale = WHOLE) -> dict[str, float]:
    """Ratios: a claim from the long queue to one from the short; a verdict beside a flood to one without."""
    return {**_claims("sqlite", scale), **_claims("postgres", scale), **_flooded(scale)}


def _claims(database: str, scale: Scale) -> dict[str, float]:
    with _claimer(database, "short", scale) as short, _claimer(database, "long", scale) as long:
        pairs = [(short.claim(), long.claim()) for _ in range(scale.of(CLAIMS))]
    quick, slow = (median(side) for side in zip(*pairs, strict=True))
    return {f"claim_short_ms_{database}": quick, f"claim_long_over_short_{database}": slow / quick}


class _Claimer:
    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def claim(self) -> float:
        """Milliseconds."""
        assert self._process.stdin is not None
        print("claim", file=self._process.stdin, flush=True)
        return float(self.line())

    def line(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline()


@contextmanager
def _claimer(database: str, size: str, scale: Scale) -> Iterator[_Claimer]:
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="gradus-bench-"))
        environment = database_of(Path(folder))
        if database == "postgres":
            environment["DATABASE_URL"] = stack.enter_context(postgres())
        command = [sys.executable, "-m", "scripts.bench.claims", size, str(scale.share)]
        process = stack.enter_context(
            subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        )
        claimer = _Claimer(process)
        if claimer.line() != "ready\n":
            raise RuntimeError(f"the {size} queue on {database} could not be made; the message above says why")
        yield claimer


def _flooded(scale: Scale) -> dict[str, float]:
    with house(port=0) as place:
        found: dict[str, float] = json.loads(
            place.run("-m", "scripts.bench.flood", str(scale.of(FLOOD, least=20)), str(scale.of(FLOODS)))
        )
    return found
