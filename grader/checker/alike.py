"""What two replies have in common, as far as naming a mistake goes: how a value was computed, not how it is dressed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch

from exercises.testkit import values
from exercises.testkit.tolerance import Tolerance
from exercises.testkit.values import Handle

_EPSILON = float(np.finfo(np.float32).eps)
_LEAST_RTOL = 1e-6
_MOST_ASKED = 1e6
"""Larger arguments mean “never” or “masked”: nothing is computed of them that could be rounded."""
_OF_OWN_ERROR = 0.1
_NAMES = ("names", "parameter_names", "read")
_UNUSABLE = ("invalid", "unsupported", "too_large", "too_many", "not_module", "lazy")

Numbers = np.ndarray[Any, np.dtype[Any]]


@dataclass(frozen=True, slots=True)
class Answer:
    """Numbers by their place in a reply, the other facts in it, and the kinds of the numbers; or what was raised."""

    numbers: Mapping[str, Numbers] = field(default_factory=dict)
    facts: Mapping[str, Any] = field(default_factory=dict)
    kinds: Mapping[str, str] = field(default_factory=dict)
    raised: tuple[str, str] | None = None

    def only(self, other: Answer) -> Answer:
        """Without the entries that `other` lacks: buffers, and what else a module holds beside what is asked for."""
        return Answer(
            {place: one for place, one in self.numbers.items() if place in other.numbers},
            {place: one for place, one in self.facts.items() if place in other.facts},
        )

    def shapes_beside(self, other: Answer) -> list[list[float]]:
        """Of the parameters that `other` lacks, whatever their names: everybody gives them another."""
        shapes: dict[str, list[float]] = {}
        for place, size in self.numbers.items():
            if place not in other.numbers:
                shapes.setdefault(place.rpartition(".")[0], []).append(float(size))
        return sorted(shapes.values())


@dataclass(frozen=True, slots=True)
class Match:
    """In what two answers agree that is wrong: values, facts, exceptions word for word, and exceptions of any kind."""

    values: int = 0
    facts: int = 0
    same_exceptions: int = 0
    exceptions: int = 0
    kinds: int = 0

    def __add__(self, other: Match) -> Match:
        return Match(
            self.values + other.values,
            self.facts + other.facts,
            self.same_exceptions + other.same_exceptions,
            self.exceptions + other.exceptions,
            self.kinds + other.kinds,
        )

    @property
    def seen(self) -> int:
        """What both computed alike and wrongly: the only evidence that counts by itself."""
        return self.values + self.facts

    @property
    def any(self) -> bool:
        return bool(self.seen or self.exceptions or self.kinds)


def read(request: bytes, reply: bytes, cap: int) -> Answer | None:
    """What `reply` says to `request`; None if it is no reply."""
    try:
        asked, said = values.decode(request, len(request)), values.decode(reply, cap + 8192)
        if type(said) is not dict:
            return None
        if "error" in said:
            return Answer(raised=(str(said["error"]["type"]), str(said["error"]["message"])))
        unusable = {name: True for name in _UNUSABLE if name in said}
        if unusable:
            return Answer(facts=unusable)
        if asked["do"] == "load_parameters":
            return Answer(facts=_of_loading(said["value"]))
        leaves = dict(_leaves("", said.get("value")))
    except (values.Malformed, AttributeError, KeyError, TypeError):
        return None
    numbers = {place: number for place, one in leaves.items() if (number := _number(one)) is not None}
    facts = {place: _fact(one) for place, one in leaves.items() if place not in numbers}
    if "mutated" in said:
        facts["mutated"] = said["mutated"]
    return Answer(numbers, facts, {place: _kind(leaves[place]) for place in numbers})


def asks_for_names(request: bytes) -> bool:
    return values.decode(request, len(request))["do"] in _NAMES


def match_beside(request: bytes, ours: Answer, theirs: Answer, right: Answer) -> Match:
    """Whether both have the same parameters that nobody asked for; no others speak against them."""
    if values.decode(request, len(request))["do"] != "parameter_names":
        return Match()
    more = ours.shapes_beside(right)
    return Match(facts=int(bool(more) and more == theirs.shapes_beside(right)))


def largest_asked(request: bytes) -> float:
    """The largest number that a request gives to compute with; how exact an answer can be goes by it."""
    asked = values.decode(request, len(request))
    numbers = (_number(one) for _, one in _leaves("", [asked.get("args"), asked.get("kwargs")]))
    return max((_largest(np.abs(one)) for one in numbers if one is not None), default=0.0)


def match(ours: Answer, theirs: Answer, right: Answer, tolerance: Tolerance, asked: float) -> Match | None:
    """What is wrong in both alike, `right` being the reference's answer; None if they answer differently.

    Values are alike within `tolerance`; where that has an absolute part, also within what float32 makes of numbers as
    large as `asked`, as long as that is small beside the submission's own error.
    """
    if ours.raised or theirs.raised:
        return _match_raised(ours, theirs, right)
    if ours.numbers.keys() != theirs.numbers.keys() or ours.facts != theirs.facts:
        return None
    atol = tolerance.atol
    if atol:
        atol = max(atol, min(_rounding(ours, asked), _OF_OWN_ERROR * _own_error(ours, right)))
    near = Tolerance(max(tolerance.rtol, _LEAST_RTOL), atol, allow_nonfinite=True)
    wrong = lost = 0
    for place, mine in ours.numbers.items():
        if mine.shape != theirs.numbers[place].shape or not near.matches(mine, theirs.numbers[place]):
            return None
        found = _wrong(mine, right.numbers.get(place), tolerance)
        counts = _counts(mine, right.numbers.get(place))
        wrong += int(np.count_nonzero(found & counts))
        lost += int(np.count_nonzero(found & ~counts))
    facts = sum(place not in right.facts or fact != right.facts[place] for place, fact in ours.facts.items())
    kinds = ours.kinds == theirs.kinds and any(kind != right.kinds.get(at, kind) for at, kind in ours.kinds.items())
    # NaN and infinity come of many a fault: in the same places, no more evidence than an exception word for word.
    return Match(wrong, facts, same_exceptions=int(lost > 0), exceptions=int(lost > 0), kinds=int(kinds))


def _counts(mine: Numbers, right: Numbers | None) -> Any:
    """Which values are evidence where they are wrong: finite ones, and infinities among which the right ones are."""
    masks = right is not None and bool(np.isinf(right).any())
    return np.isfinite(mine) | (np.isinf(mine) & masks)


def _match_raised(ours: Answer, theirs: Answer, right: Answer) -> Match | None:
    if not (ours.raised and theirs.raised):
        return None
    if right.raised and ours.raised[0] == theirs.raised[0] == right.raised[0]:
        return Match()  # as it should be
    same = ours.raised == theirs.raised
    if right.raised:  # a check of one's own: everybody writes another text to an `assert`
        same |= ours.raised[0] == theirs.raised[0] == "AssertionError"
    return Match(same_exceptions=int(same), exceptions=1)


def _wrong(mine: Numbers, right: Numbers | None, tolerance: Tolerance) -> Any:
    """Which values are; all of them in a shape that is."""
    if right is None or right.shape != mine.shape:
        return np.ones(mine.shape, dtype=bool)
    lenient = Tolerance(tolerance.rtol, tolerance.atol, allow_nonfinite=True)
    return ~lenient.right(mine, right)[0]


def _own_error(ours: Answer, right: Answer) -> float:
    with np.errstate(invalid="ignore"):  # infinity less infinity
        errors = [
            np.abs(mine - right.numbers[place])
            for place, mine in ours.numbers.items()
            if place in right.numbers and right.numbers[place].shape == mine.shape
        ]
    if len(errors) < len(ours.numbers):
        return np.inf
    return max(map(_largest, errors), default=0.0)


def _rounding(ours: Answer, asked: float) -> float:
    return 4 * _EPSILON * max(asked, max((_largest(np.abs(one)) for one in ours.numbers.values()), default=0.0))


def _largest(numbers: Numbers) -> float:
    usual = numbers[np.isfinite(numbers) & (numbers <= _MOST_ASKED)]
    return float(usual.max()) if usual.size else 0.0


def _of_loading(value: Mapping[str, Any]) -> dict[str, Any]:
    """Which names are missing, which shapes differ, and the shapes of all other parameters, whatever their names."""
    extra = tuple(sorted(value["extra"].values()))
    return {"lacks": frozenset(value["lacks"]), "shapes": value["shapes"], "extra": extra}


def _leaves(place: str, value: Any) -> Iterator[tuple[str, Any]]:
    if type(value) in (list, tuple):
        yield f"{place} holds", str(len(value))
        for index, item in enumerate(value):
            yield from _leaves(f"{place}.{index}", item)
    elif type(value) is dict:
        for key, item in value.items():
            yield from _leaves(f"{place}.{key}", item)
    else:
        yield place, value


def _number(value: Any) -> Numbers | None:
    """As a wide array, whatever holds it; None for what is no number."""
    if isinstance(value, torch.Tensor):
        return (value.to(torch.complex128) if value.is_complex() else value.to(torch.float64)).numpy()
    if isinstance(value, (bool, int, float, complex, np.generic, np.ndarray)):
        try:
            array = np.asarray(value)
            return array.astype(np.complex128 if array.dtype.kind == "c" else np.float64)
        except (OverflowError, TypeError, ValueError):
            return None
    return None


def _fact(value: Any) -> Any:
    return "object" if isinstance(value, Handle) else value


def _kind(value: Any) -> str:
    return f"{type(value).__name__} {getattr(value, 'dtype', '')}"
