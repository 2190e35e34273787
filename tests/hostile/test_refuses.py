"""Without a layer that may never be missing, nothing is graded."""

from __future__ import annotations

import os

import pytest

from exercises.package import by_slug
from grader.judge import SandboxUnavailable, judge
from grader.sandbox import Sandbox

REQUIRED = {
    "seccomp": ["seccomp"],
    "no_new_privs": ["no_new_privs"],
    "resource limits": ["rlimits"],
    "clean environment": ["clean_exec"],
    "descriptor": ["closed_descriptors"],
    "file view": ["landlock", "minimal_root"],
}
if os.geteuid() == 0:
    REQUIRED["another user"] = ["own_uid"]


@pytest.mark.parametrize(("named", "without"), [*REQUIRED.items()], ids=[*REQUIRED])
def test_refuses_without_a_required_layer(named: str, without: list[str]) -> None:
    package = by_slug("positional-encoding")
    with Sandbox(without=without, light=True) as sandbox, pytest.raises(SandboxUnavailable) as refusal:
        judge(package, package.reference, seed=0, sandbox=sandbox)
    sentence = str(refusal.value)
    assert sentence.startswith("Nothing is graded here")
    assert named in sentence.replace("system-call allow-list", "seccomp")


def test_refuses_below_the_least_level_that_the_settings_accept() -> None:
    package = by_slug("positional-encoding")
    with (
        Sandbox(without=["cgroups"], minimum_level="A", light=True) as sandbox,
        pytest.raises(SandboxUnavailable, match="demand A"),
    ):
        judge(package, package.reference, seed=0, sandbox=sandbox)
