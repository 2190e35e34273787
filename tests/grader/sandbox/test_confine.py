"""What a confined process makes sure of before it runs anything. This process is not confined, so it must refuse."""

from __future__ import annotations

import os
import resource
from dataclasses import replace

import pytest

from grader.sandbox.confine import Confinement, Layers, NotConfined, find_nothing_inherited

GIGABYTE = 1 << 30
PLAN = Confinement(
    layers=Layers(*[True] * 11),
    uid=0,
    readable=[],
    writable=[],
    data_bytes=GIGABYTE,
    space_bytes=GIGABYTE,
    cpu_seconds=10,
    canary="",
    environment=[],
)
WITHOUT_DESCRIPTORS = replace(PLAN, receive_fd=255)
"""As if none above the planned ones could be open."""


@pytest.fixture
def limited(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if every limit were set."""
    monkeypatch.setattr(resource, "getrlimit", lambda limit: (0, 0))


def test_a_limit_that_was_not_set_is_noticed() -> None:
    with pytest.raises(NotConfined, match="resource limit"):
        find_nothing_inherited(PLAN)


@pytest.mark.usefixtures("limited")
def test_a_descriptor_that_was_not_closed_is_noticed() -> None:
    held = os.dup(2)
    try:
        with pytest.raises(NotConfined, match="descriptor .* is still open"):
            find_nothing_inherited(PLAN)
    finally:
        os.close(held)


@pytest.mark.usefixtures("limited")
def test_a_variable_that_was_inherited_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("A_SECRET", "1")
    with pytest.raises(NotConfined, match="the environment holds"):
        find_nothing_inherited(WITHOUT_DESCRIPTORS)
    others = replace(WITHOUT_DESCRIPTORS, environment=[name for name in os.environ if name != "A_SECRET"])
    with pytest.raises(NotConfined, match="the environment holds A_SECRET"):
        find_nothing_inherited(others)


@pytest.mark.usefixtures("limited")
def test_what_is_planned_is_accepted() -> None:
    find_nothing_inherited(replace(WITHOUT_DESCRIPTORS, environment=list(os.environ)))
