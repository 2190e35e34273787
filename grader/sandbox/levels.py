"""Which layers make which level, and which may never be missing."""

from __future__ import annotations

from dataclasses import dataclass

from grader.sandbox.confine import Layers
from grader.sandbox.memory import LOOK_SECONDS

MEANINGS = {
    "A": "every layer, with the kernel's own cap on each job's memory.",
    "B": "namespaces without cgroups: a job's memory is bounded by its resource limits and a watch.",
    "C": "no namespaces (as in a container, as root): a user per slot, Landlock, seccomp and resource limits remain.",
    "D": "no namespaces and no change of user: Landlock, seccomp and resource limits remain.",
}
LEVELS = tuple(MEANINGS)  # from most to least


@dataclass(frozen=True, slots=True)
class LayerStatus:
    """One line of `manage.py doctor`."""

    name: str
    present: bool
    required: bool
    why: str


_DESCRIPTIONS = {
    "namespaces": "user, process, mount, network, IPC and host-name namespaces",
    "minimal_root": "a minimal read-only root without /proc",
    "cgroups": "the kernel's cap on memory and processes per job",
    "memory_watch": "a look at each learner's private memory every 10 ms",
    "own_uid": "a user id of its own for every slot",
    "landlock": "Landlock: file view, TCP, signals",
    "seccomp": "a system-call allow-list",
    "no_new_privs": "no_new_privs",
    "rlimits": "resource limits, the memory bound among them",
    "clean_exec": "an interpreter started with a clean environment",
    "closed_descriptors": "every inherited descriptor closed",
}
_ALWAYS = ("seccomp", "no_new_privs", "rlimits", "clean_exec", "closed_descriptors")


def level_of(layers: Layers) -> str:
    """A: namespaces and cgroups; B: namespaces; C: a user of its own; D: what remains."""
    if layers.namespaces and layers.minimal_root:
        return "A" if layers.cgroups and layers.own_uid else "B"
    return "C" if layers.own_uid else "D"


def missing(layers: Layers, real_root: bool) -> list[str]:
    """Sentences for every required layer that is not there; an empty list means: may grade."""
    sentences = [f"{_DESCRIPTIONS[name]} is required and missing" for name in _ALWAYS if not getattr(layers, name)]
    if not (layers.landlock or layers.minimal_root):
        sentences.append("a file view is required: neither Landlock nor a mount namespace works here")
    if not (layers.cgroups or layers.memory_watch):
        sentences.append("a memory bound is required: neither cgroups nor a look at a learner's memory works here")
    if real_root and not layers.own_uid:
        sentences.append("running as root, the sandbox must be able to change to another user, and cannot")
    return sentences


def statuses(layers: Layers, refusals: dict[str, str]) -> list[LayerStatus]:
    return [
        LayerStatus(
            name=name,
            present=getattr(layers, name),
            required=name in _ALWAYS
            or (name == "landlock" and not layers.minimal_root)
            or (name == "memory_watch" and not layers.cgroups),
            why=refusals.get(name, text),
        )
        for name, text in _DESCRIPTIONS.items()
    ]


def memory_bound(layers: Layers) -> str:
    """One sentence for `manage.py doctor`: what ends a learner that takes more memory than its exercise allows."""
    by = ["resource limits on address space and writable data"]
    if layers.memory_watch:
        by.append(f"a look at its private memory every {LOOK_SECONDS * 1000:g} ms")
    if layers.cgroups:
        by.append("the kernel's control group")
    return f"a learner's memory is bounded by {', '.join(by[:-1])}{' and ' if by[1:] else ''}{by[-1]}."


def at_least(level: str, minimum: str) -> bool:
    return LEVELS.index(level) <= LEVELS.index(minimum)
