"""Everything fast that guards the house, all at once. Usage: python -m scripts.check"""

import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
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
    """Run all guards at once, show what each failing one says, and tell whether all are content."""
    content = True
    with ThreadPoolExecutor(len(GUARDS)) as executor:
        for done in as_completed(executor.submit(_run, name) for name in GUARDS):
            name, seconds, result = done.result()
            print(f"{name:<12}{seconds:>6.1f} s  {'FAILED' if result.returncode else 'ok'}", flush=True)
            if result.returncode:
                content = False
                print(result.stdout, flush=True)
    return content


def _run(name: str) -> tuple[str, float, subprocess.CompletedProcess[str]]:
    began = time.monotonic()
    result = subprocess.run(GUARDS[name], cwd=BASE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return name, time.monotonic() - began, result


if __name__ == "__main__":
    sys.exit(0 if check() else 1)
