from __future__ import annotations

import sys
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]


@dataclass
class Attention:
    """Leading axes become one; the result is a read-only view with them restored."""

    verbose: bool = True

    def __call__(self, q: Array, k: Array, v: Array, mask: None = None, *, dropout: float = 0.0) -> Array:
        if self.verbose:
            print("attending", q.shape, k.shape, v.shape, file=sys.stderr)
        leading = q.shape[:-2]
        flat = [x.reshape(-1, *x.shape[-2:]) for x in (q, k, v)]
        done = np.asfortranarray([self.attend(*one) for one in zip(*flat, strict=True)])
        result = done.reshape(*leading, *done.shape[1:])
        result.setflags(write=False)
        return result

    @staticmethod
    def attend(q: Array, k: Array, v: Array) -> Array:
        root = np.sqrt(np.sqrt(q.shape[1]))
        scores = (q / root) @ (k / root).T
        return np.exp(scores - np.logaddexp.reduce(scores, axis=1)[:, None]) @ v


attention = Attention()

if __name__ == "__main__":
    raise SystemExit("this must not run when the file is imported")
