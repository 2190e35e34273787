"""Programs that attack the sandbox, each with its one safe outcome, wherever a sandbox may have to stand.

A program's folder names its outcome; `harmless` means: the attack is refused, and the honest rest is accepted. In its
head, `# catalogue:` has the numbers of the attacks that CATALOGUE.md lists (or `own`), and `# says:` a pattern
that its prints must match: an attack that was never made cannot pass.
"""

from __future__ import annotations

import json
import os
import re
import secrets
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.hostile.emulate import REACHES
from tests.hostile.listeners import Listeners

HERE = Path(__file__).parent
STANDS = ("A", "B", "U", "C", "D") if os.geteuid() == 0 else ("B", "D")
INSTALLED = ("site-packages", os.path.realpath(sys.prefix), os.path.dirname(os.__file__), str(HERE.parents[1]))
SECRET = f"secret-{secrets.token_hex(8)}"
HONEST = "def twice(x):\n    return 2.0 * x\n"
# CPU 0.4 s per test and 0.8 s in all, waiting five times that; beside it, starting, and a busy machine.
LONGEST_SECONDS = 20.0


@dataclass(frozen=True, slots=True)
class Program:
    """One file of `programs/`, with what its head says."""

    outcome: str
    name: str
    source: str

    @classmethod
    def read(cls, path: Path) -> Program:
        return cls(path.parent.name, path.stem, path.read_text())

    @property
    def verdict(self) -> str:
        return "accepted" if self.outcome == "harmless" else self.outcome

    @property
    def package(self) -> str:
        return "hostile-torch" if "class Scale" in self.source else "hostile-numpy"

    @property
    def entries(self) -> set[str]:
        return set(self.head("catalogue").split())

    @property
    def earns(self) -> int:
        """Points of tests that are passed honestly before the attack, or beside it."""
        return int(self.head("earns") or 0)

    @property
    def sample_only(self) -> bool:
        """One test is enough to run out of time in, unless the attack needs several."""
        return self.outcome == "time_limit" and self.head("tests") != "all"

    def head(self, name: str) -> str:
        found = re.search(rf"^# {name}: (.*)$", self.source, re.MULTILINE)
        return found[1] if found else ""


PROGRAMS = [Program.read(path) for path in sorted((HERE / "programs").glob("*/*.py"))]


@dataclass(slots=True)
class Judge:
    """A process that stands somewhere with one warm sandbox."""

    process: subprocess.Popen[str]

    def __call__(self, source: str, package: str = "hostile-numpy", *, sample_only: bool = False) -> dict[str, Any]:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        order = {"package": package, "source": source, "seed": secrets.randbits(32), "sample_only": sample_only}
        self.process.stdin.write(json.dumps(order) + "\n")
        self.process.stdin.flush()
        answer: dict[str, Any] = json.loads(self.process.stdout.readline())
        return answer


@contextmanager
def standing(stand: str) -> Iterator[Judge]:
    command = [sys.executable, str(HERE / "emulate.py"), stand, SECRET]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        hello = json.loads(process.stdout.readline() or "{}")
        assert hello.get("level") == REACHES[stand], f"this machine cannot stand there: {hello}"
        yield Judge(process)
        assert process.stdin is not None
        process.stdin.close()
        assert process.wait(30) == 0


@pytest.fixture(scope="module")
def judges() -> Iterator[Callable[[str], Judge]]:
    """The judge at each stand, started when first asked for. One after the other: only one sandbox is warm."""
    with ExitStack() as started:
        open_judges: dict[str, Judge] = {}

        def at(stand: str) -> Judge:
            if stand not in open_judges:
                started.close()
                open_judges.clear()
                open_judges[stand] = started.enter_context(standing(stand))
            return open_judges[stand]

        yield at


@pytest.fixture(scope="module")
def listeners(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Listeners]:
    opened = Listeners.open(tmp_path_factory.mktemp("listeners"))
    yield opened
    opened.close()


def attempts() -> Iterator[Any]:
    """Every program at every level, but for two savings: those that wait out the wall limit in yet another way name the
    two extreme stands; and an ordinary user (U) differs from root (B) in identity alone, which values do not ask for.
    """
    for stand in STANDS:
        for program in PROGRAMS:
            fits = stand in (program.head("stands") or stand)
            if fits and (stand != "U" or program.outcome in ("harmless", "memory_limit")):
                yield pytest.param(stand, program, id=f"{stand}-{program.outcome}/{program.name}")


@pytest.mark.parametrize(("stand", "program"), [*attempts()])
def test_ends_safely(judges: Callable[[str], Judge], listeners: Listeners, stand: str, program: Program) -> None:
    judge = judges(stand)
    answer = judge(listeners.fill_in(program.source), program.package, sample_only=program.sample_only)
    assert answer["fault"] == "", "a learner can cause a fault of the platform"
    report = answer["report"]
    assert report["verdict"] == program.verdict, report["message"]
    assert report["score"] == (report["max_score"] if program.outcome == "harmless" else program.earns)
    assert_attempted(program, report)
    assert_clean(report)
    assert listeners.heard() == 0
    assert answer["left"] == []
    assert answer["seconds"] < LONGEST_SECONDS
    if program.outcome != "harmless":  # of those, the next one tells
        assert judge(HONEST)["report"]["verdict"] == "accepted", "the next submission suffers"


def assert_attempted(program: Program, report: dict[str, Any]) -> None:
    shown = f"{report['stdout']}\n{report['message']}"
    assert program.head("says"), "the program does not say how to see its attack"
    assert re.search(program.head("says").replace(r"\n", "\n"), shown, re.MULTILINE), f"no attack seen: {shown[:500]}"
    assert "IT WORKED" not in shown


def assert_clean(report: dict[str, Any]) -> None:
    """Nothing secret, no path of this machine's libraries, nothing that a terminal or a page obeys or that no database
    could store."""
    told = [report["message"], *((test["message"], test["details"]) for test in report["tests"])]
    text = json.dumps([report["stdout"], report["stderr"], told], allow_nan=False, ensure_ascii=False)
    assert SECRET not in text
    assert not any(folder in text for folder in INSTALLED)
    assert "…/grader/" not in text  # no trace of our own code
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", "".join(texts_in(report)))
    whole = json.dumps(report, allow_nan=False, ensure_ascii=False)
    assert whole.encode()
    assert not re.search(r"(?<!\\)(\\\\)*\\u0000", whole)


def texts_in(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    for item in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from texts_in(item)


def test_listeners_would_hear_a_knock(listeners: Listeners) -> None:
    places = listeners.places
    with socket.create_connection(("127.0.0.1", int(places["TCP"]))):
        pass
    with socket.socket(type=socket.SOCK_DGRAM) as caller:
        caller.sendto(b"knock", ("127.0.0.1", int(places["UDP"])))
    for address in (places["PATH"], f"\0{places['ABSTRACT']}"):
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as caller:
            caller.sendto(b"knock", address)
    assert listeners.heard() == 4


def test_every_attack_of_the_catalogue_is_made_and_many_of_our_own() -> None:
    made = set().union(*(program.entries for program in PROGRAMS))
    assert {str(number) for number in range(1, 92)} - made == set()
    assert sum("own" in program.entries for program in PROGRAMS) >= 30
    assert len(PROGRAMS) >= 120
