"""How a test fails: one exception, its kinds, and every sentence about values that a learner reads."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Json = Any  # None, bool, int, float, str, and lists and dictionaries of these

SENTENCES: dict[str, str] = {
    "nothing": "Your code returned None. Did you forget `return`?",
    "unsupported": "Your code returned {got}, which cannot be compared. Return what the statement asks for.",
    "kind": "Your code returned {got}; {expected} is asked for.",
    "shape": "The shape should be {expected}, but yours is {got}.",
    "dtype": "The values should be {expected}, but yours are {got}.",
    "not_finite": "Values that should be finite and are not: {wrong} of {total}. The first is at {where}: {got}.",
    "values": (
        "{wrong} of {total} values are wrong. The furthest off is at {where}: expected {expected}, got {got}. "
        "Largest absolute error: {max_abs}; largest relative error: {max_rel}."
    ),
    "value": "Expected {expected}, got {got}.",
    "lacks": "Your {module} lacks these parameters: {names}.",
    "extra": "Your {module} has parameters that nobody asked for: {names}. Remove them.",
    "not_module": "Your {module} is no torch module. Write `class {module}(torch.nn.Module):`.",
    "lazy": (
        "The parameter {name} has no shape before the first call. State both widths: `nn.Linear(d_in, d_out)` in the "
        "place of `nn.LazyLinear(d_out)`."
    ),
    "mutated": "Your code changed its arguments. Work on a copy: no `+=` or item assignment on what you were given.",
    "not_deterministic": "Two equal calls gave different results. Remove what is random, or left over from a call.",
    "not_raised": "Your code should have raised {expected} here, but it returned {got}.",
    "expectation": "{sentence}",
}

# What a hidden test may say of its failure: the kind, and no number of the test.
HEADLINES: dict[str, str] = {
    "nothing": SENTENCES["nothing"],
    "unsupported": "Your code returned a value that cannot be compared.",
    "kind": "Your code returned another kind of value than the statement asks for.",
    "shape": "The result has the wrong shape.",
    "dtype": "The result has the wrong dtype.",
    "not_finite": "The result holds NaN or infinite values where ordinary numbers are asked for.",
    "values": "The result has the right form, but wrong values.",
    "value": "The result has the right form, but the wrong value.",
    "lacks": "Your module lacks parameters that the statement names.",
    "extra": "Your module has parameters that nobody asked for.",
    "not_module": "Your class is no torch module: it must be a subclass of `torch.nn.Module`.",
    "lazy": "A parameter has no shape before the first call. State both widths of a layer: `nn.Linear(d_in, d_out)`.",
    "mutated": SENTENCES["mutated"],
    "not_deterministic": SENTENCES["not_deterministic"],
    "not_raised": "Your code returned where it should have raised an error.",
    "expectation": "The result does not have a property that this test asks for.",
}


class Failure(AssertionError):
    """A wrong answer. `kind` is a key of SENTENCES; `details` are small, JSON-safe facts about it."""

    def __init__(self, kind: str, message: str, details: Mapping[str, Json] | None = None) -> None:
        super().__init__(message)
        self.kind, self.message, self.details = kind, message, dict(details or {})

    @classmethod
    def of(
        cls, kind: str, *, advice: str = "", within: str = "", extra: Mapping[str, Json] | None = None, **facts: Json
    ) -> Failure:
        """The sentence of `kind` filled with `facts`, which become the details together with `extra`.

        `within` says which part of a nested result is meant (`result[1]`); `advice` is added as a last sentence.
        """
        words = {name: _shape_text(fact) if type(fact) is list else fact for name, fact in facts.items()}
        message = SENTENCES[kind].format_map(words)
        if within:
            message = f"In {within}: {message[:1].lower()}{message[1:]}"
        if advice:
            message = f"{message} {advice}"
        details: dict[str, Json] = {"kind": kind, **facts, **(extra or {})}
        if advice:
            details["advice"] = advice
        if within:
            details["within"] = within
        return cls(kind, message, details)

    @property
    def headline(self) -> str:
        """What may be told when the values of the test stay hidden."""
        return self.message if self.details.get("public") else HEADLINES[self.kind]


def _shape_text(shape: list[int]) -> str:
    """A shape as Python writes it: (3,), (2, 4)."""
    return str(tuple(shape))
