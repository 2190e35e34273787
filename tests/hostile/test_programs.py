"""Programs that attack the sandbox, each with its one safe outcome, at every level that this machine can stand at.

A program's folder names its outcome; `harmless` means: the attack is refused, and the honest rest is accepted. Its
`# says:` line is a pattern that its own prints must match, so that an attack that was never made cannot pass.
"""

from __future__ import annotations

import json
import os
import re
import secrets
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
PROGRAMS = sorted((HERE / "programs").glob("*/*.py"))
LEVELS = ("A", "B", "C", "D") if os.geteuid() == 0 else ("B", "D")
SECRET = f"secret-{secrets.token_hex(8)}"
HONEST = "def twice(x):\n    return 2.0 * x\n"
# CPU 0.4 s per test and 0.8 s in all, waiting five times that; beside it, starting, and a busy machine.
LONGEST_SECONDS = 20.0


@dataclass(slots=True)
class Judge:
    """A process that stands at one level with one warm sandbox."""

    level: str
    process: subprocess.Popen[str]

    def __call__(self, source: str) -> dict[str, Any]:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        order = {"package": "hostile-numpy", "source": source, "seed": secrets.randbits(32), "sample_only": False}
        self.process.stdin.write(json.dumps(order) + "\n")
        self.process.stdin.flush()
        answer: dict[str, Any] = json.loads(self.process.stdout.readline())
        return answer


@pytest.fixture(scope="module", params=LEVELS)
def judge(request: pytest.FixtureRequest) -> Iterator[Judge]:
    command = [sys.executable, str(HERE / "emulate.py"), request.param, SECRET]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        hello = json.loads(process.stdout.readline() or "{}")
        assert hello.get("level") == request.param, f"this machine cannot stand at level {request.param}: {hello}"
        yield Judge(request.param, process)
        assert process.stdin is not None
        process.stdin.close()
        assert process.wait(30) == 0


@pytest.mark.parametrize("program", PROGRAMS, ids=[f"{path.parent.name}/{path.stem}" for path in PROGRAMS])
def test_ends_safely(judge: Judge, program: Path) -> None:
    source = program.read_text()
    answer = judge(source)
    assert answer["fault"] == "", "a learner can cause a fault of the platform"
    report = answer["report"]
    expected = "accepted" if program.parent.name == "harmless" else program.parent.name
    assert report["verdict"] == expected, report["message"]
    if expected != "accepted":
        assert report["score"] == 0
    said = re.search(r"^# says: (.*)$", source, re.MULTILINE)
    assert said is not None
    assert re.search(said[1], report["stdout"], re.MULTILINE), f"the attack was not seen: {report['stdout'][:500]}"
    assert "IT WORKED" not in report["stdout"]
    shown = json.dumps([report["stdout"], report["stderr"], report["message"], [t["message"] for t in report["tests"]]])
    assert SECRET not in shown
    assert answer["left"] == []
    assert answer["seconds"] < LONGEST_SECONDS
    assert judge(HONEST)["report"]["verdict"] == "accepted", "the next submission suffers"


def test_every_group_of_the_catalogue_is_attacked() -> None:
    numbers = {int(word) for path in PROGRAMS for word in re.findall(r"\d+", path.read_text().split("\n", 1)[0])}
    groups = {
        "verdict forging": range(1, 21),
        "information leak": range(21, 32),
        "resources": range(32, 52),
        "contamination": range(52, 61),
        "kernel surface": range(61, 75),
        "network": range(75, 80),
        "protocol": range(80, 92),
    }
    assert {name for name, entries in groups.items() if len(numbers & set(entries)) < 3} == set()
