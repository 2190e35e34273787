"""What a submission runs on, for the pages. A web process has the same interpreter and libraries as a worker."""

from __future__ import annotations

import platform
from functools import cache
from importlib.metadata import version

LIBRARIES = {"numpy": "numpy", "torch": "PyTorch"}


@cache
def runs_on() -> str:
    """As “Python 3.11.2 with numpy 2.3.5 and PyTorch 2.9.1”; nothing is imported for it."""
    libraries = [f"{title} {version(name).partition('+')[0]}" for name, title in LIBRARIES.items()]
    return f"Python {platform.python_version()} with {' and '.join(libraries)}"
