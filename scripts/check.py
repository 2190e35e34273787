"""Everything fast that guards the house, in under a minute. Usage: python -m scripts.check"""

import subprocess
import sys
import time
from pathlib import Path

BASE = Path(__file__).resolve().parent.parent
BIN = Path(sys.executable).parent
PYTHON = sys.executable
MANAGE = (PYTHON, "manage.py")

GUARDS: dict[str, tuple[str, ...]] = {
    "ruff": (str(BIN / "ruff"), "check", "--quiet", "."),
    "format": (str(BIN / "ruff"), "format", "--check", "--quiet", "."),
    "mypy": (str(BIN / "mypy"), "--no-error-summary"),
    "imports": (str(BIN / "lint-imports"), "--no-cache"),
    "django": (*MANAGE, "check", "--fail-level", "WARNING"),
    "migrations": (*MANAGE, "makemigrations", "--check", "--dry-run"),
    "exercises": (*MANAGE, "verify_exercises", "--fast", "--changed"),
    "docs": (PYTHON, "-m", "pytest", "-q", "tests/docs"),
}


def check() -> bool:
    """Run every guard, show what each failing one says, and tell whether all are content."""
    content = True
    for name, command in GUARDS.items():
        began = time.monotonic()
        result = subprocess.run(command, cwd=BASE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        verdict = "FAILED" if result.returncode else "ok"
        print(f"{name:<12}{time.monotonic() - began:>6.1f} s  {verdict}", flush=True)
        if result.returncode:
            content = False
            print(result.stdout, flush=True)
    return content


if __name__ == "__main__":
    sys.exit(0 if check() else 1)
