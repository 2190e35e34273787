from __future__ import annotations

import warnings
from typing import Optional

import numpy as np


class CausalAttention:
    """Transposed inside: keys go down, queries across. Its result is a read-only view."""

    lowest = float(np.finfo(np.float64).min)

    def __init__(self, verbose: bool = False) -> None:
        self.verbose = verbose

    def allowed(self, n: int, padding_mask: Optional[np.ndarray]) -> np.ndarray:
        position = np.arange(n)
        allowed = position[:, None] <= position[None, :]
        if padding_mask is None:
            return allowed
        return allowed & np.swapaxes(np.asarray(padding_mask), -1, -2)

    def __call__(
        self, q: np.ndarray, k: np.ndarray, v: np.ndarray, padding_mask: Optional[np.ndarray] = None, scale: float = 1.0
    ) -> np.ndarray:
        print("attending", q.shape)
        warnings.warn("a warning is not an error", stacklevel=1)
        allowed = self.allowed(q.shape[-2], padding_mask)
        scores = (k * (scale / np.sqrt(q.shape[-1]))) @ np.moveaxis(q, -1, -2)
        scores = np.where(allowed, scores, self.lowest)
        exponentials = np.where(allowed, np.exp(scores - np.max(scores, axis=-2, keepdims=True)), 0)
        total = exponentials.sum(axis=-2, keepdims=True)
        total[total == 0] = 1
        result = np.moveaxis(np.moveaxis(v, -1, -2) @ (exponentials / total), -1, -2)
        result.setflags(write=False)
        return result


causal_attention = CausalAttention().__call__

if __name__ == "__main__":
    raise SystemExit("this must not run when the file is imported")
