"""What this machine can do, found by starting a sandbox without the heavy imports."""

from __future__ import annotations

from dataclasses import dataclass

from grader.sandbox.levels import LayerStatus, memory_bound
from grader.sandbox.sandbox import PlatformFault, Sandbox, SandboxUnavailable


@dataclass(frozen=True, slots=True)
class Examination:
    """The level (empty when nothing can be graded here), every layer, what bounds memory, and why not if not."""

    level: str
    layers: list[LayerStatus]
    refusal: str
    memory: str = ""


def examine(minimum_level: str = "D") -> Examination:
    """Start a sandbox, look at its layers, stop it."""
    try:
        with Sandbox(minimum_level=minimum_level, light=True) as sandbox:
            try:
                level, refusal = sandbox.level, ""
            except SandboxUnavailable as error:
                level, refusal = "", str(error)
            memory = memory_bound(sandbox.layers) if sandbox.layers else ""
            return Examination(level, sandbox.statuses, refusal, memory)
    except (SandboxUnavailable, PlatformFault, OSError) as error:
        return Examination("", [], str(error))
