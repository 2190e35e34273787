"""Small exercises made of a few lines, to judge for real."""

from __future__ import annotations

from typing import Any

from exercises.package import Package, from_files

LIMITS = {"cpu_seconds": 0.4, "total_cpu_seconds": 1.2, "memory_mb": 64, "output_kb": 16, "reply_mb": 1.0}
IDENTITY = "def f(x): return x\n"
THREE_TESTS = '''
from exercises.testkit import close, sample

@sample
def test_one(solution):
    """The first."""
    close(solution.f(1.0), 1.0)

def test_two(solution):
    """The second."""
    close(solution.f(2.0), 2.0)

def test_three(solution):
    """The third."""
    close(solution.f(3.0), 3.0)
'''


def an_exercise(
    tests: str = THREE_TESTS,
    *,
    reference: str = IDENTITY,
    mistakes: dict[str, str] | None = None,
    support: str | None = None,
    forbidden: tuple[str, ...] = (),
    kind: str = "function",
    **limits: float,
) -> Package:
    """An exercise that asks for `f(x)`. `mistakes` maps slug to source; keywords are limits."""
    lines: list[Any] = [
        'slug = "small"\ntitle = "Small"\nframework = "torch"\nlevel = "beginner"\nminutes = 1',
        f"forbidden = {list(forbidden)}",
        f'[[entry]]\nname = "f"\nkind = "{kind}"\nsignature = "f(x)"\n[limits]',
        *(f"{name} = {value}" for name, value in {**LIMITS, **limits}.items()),
    ]
    files = {
        "exercise.toml": "\n".join(lines),
        "prompt.md": "Return `x`.",
        "starter.py": "def f(x): ...\n" if kind == "function" else "class f: ...\n",
        "reference.py": reference,
        "tests.py": tests,
        **{f"mistakes/{slug}.py": source for slug, source in (mistakes or {}).items()},
        **({"support.py": support} if support is not None else {}),
    }
    return from_files({path: text.encode() for path, text in files.items()})
