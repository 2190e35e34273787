from __future__ import annotations

import warnings
from dataclasses import dataclass

import numpy as np


@dataclass
class Bag:
    """Self-attention with its weights; results are read-only views."""

    w_q: np.ndarray
    w_k: np.ndarray
    w_v: np.ndarray

    def __call__(self, x: np.ndarray) -> np.ndarray:
        columns = self.scores(x)
        columns = np.exp(columns - columns.max(axis=0))
        columns /= columns.sum(axis=0)
        result = (self.w_v.T @ x.T @ columns).T
        result.flags.writeable = False
        return result

    def scores(self, x: np.ndarray) -> np.ndarray:
        """Keys go down, queries across."""
        root = self.w_q.shape[1] ** 0.25
        return (x @ self.w_k / root) @ (x @ self.w_q / root).T


def placed(x: np.ndarray, positions: np.ndarray | None) -> np.ndarray:
    return x.copy() if positions is None else np.add(x, positions)


def attend_bag(x, w_q, w_k, w_v):
    print("attending", x.shape)
    return Bag(w_q, w_k, w_v)(x)


def attend_shuffled(x, order, w_q, w_k, w_v, positions=None, *, verbose=False):
    warnings.warn("a warning is not an error", stacklevel=2)
    places = placed(x[list(order)], positions)
    pairs = sorted(zip(order.tolist(), Bag(w_q, w_k, w_v)(places)), key=lambda pair: pair[0])
    return np.vstack([row for _, row in pairs])


def largest_change(x, order, w_q, w_k, w_v, positions=None) -> np.float64:
    weights = (w_q, w_k, w_v)
    change = attend_shuffled(x, order, *weights, positions) - attend_bag(placed(x, positions), *weights)
    return np.sqrt(np.square(change).max())


if __name__ == "__main__":
    raise SystemExit("this must not run when the file is imported")
