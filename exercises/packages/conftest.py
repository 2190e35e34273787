"""`pytest exercises/packages/<slug>/tests.py` runs an exercise's tests on its reference, or on `--solution FILE`."""

from exercises.testkit.plugin import (
    assets,
    exhibits,
    pytest_addoption,
    pytest_itemcollected,
    reference,
    rng,
    solution,
    support,
    tolerance,
)

__all__ = [
    "assets",
    "exhibits",
    "pytest_addoption",
    "pytest_itemcollected",
    "reference",
    "rng",
    "solution",
    "support",
    "tolerance",
]
