from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

BASE: float = 10_000.0


@dataclass(frozen=True)
class Wave:
    """One pair of columns."""

    index: int
    width: int

    @property
    def wavelength(self) -> float:
        return BASE ** (2 * self.index / self.width)


@cache
def _waves(width: int) -> tuple[Wave, ...]:
    return tuple(Wave(index, width) for index in range((width + 1) // 2))


def positional_encoding(
    n_positions: int, d_model: int, base: float = BASE, *, dtype: type = np.float64
) -> npt.NDArray[np.float64]:
    columns = []
    for wave in _waves(d_model):
        angle = np.arange(n_positions) / wave.wavelength
        columns += [np.sin(angle), np.cos(angle)]
    return np.column_stack(columns[:d_model]).astype(dtype)


if __name__ == "__main__":
    print(positional_encoding(2, 8))
    raise SystemExit("this must not run when the file is imported")
