"""Process-wide state: what a file may set when it is loaded, and what every test begins with."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import torch


@dataclass(frozen=True, slots=True)
class Modes:
    """How torch and numpy compute where nobody says otherwise."""

    default_dtype: torch.dtype
    gradients: bool
    numpy_errors: Mapping[str, Any]

    @classmethod
    def now(cls) -> Self:
        return cls(torch.get_default_dtype(), torch.is_grad_enabled(), np.geterr())

    def restore(self) -> None:
        torch.set_default_dtype(self.default_dtype)
        torch.set_grad_enabled(self.gradients)
        np.seterr(**self.numpy_errors)


USUAL = Modes(torch.float32, True, {"divide": "warn", "over": "warn", "under": "ignore", "invalid": "warn"})
"""Those of a fresh process."""


def seed_generators(seed: int) -> None:
    """Set the generators of `random`, numpy and torch, whose own seeds are of different widths."""
    random.seed(seed)
    np.random.seed(seed % (1 << 32))
    torch.default_generator.manual_seed(seed % (1 << 63))
