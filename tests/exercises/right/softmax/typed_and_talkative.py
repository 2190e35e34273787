from __future__ import annotations

import sys
import warnings

import numpy as np
import numpy.typing as npt

print("a softmax is loading")


def softmax(x: npt.NDArray[np.float64], axis: int = -1, temperature: float = 1.0) -> npt.NDArray[np.float64]:
    """Work on a copy; masked entries by hand."""
    warnings.warn("a warning is not an error", stacklevel=2)
    print("called with", x.shape, axis, file=sys.stderr)
    np.array([1.0]) / 0.0  # numpy warns, too
    masked = np.isneginf(x)
    y = np.array(x, copy=True)
    y[masked] = np.finfo(y.dtype).min
    y -= y.max(axis=axis, keepdims=True)
    y /= temperature
    np.exp(y, out=y)
    y[masked] = 0.0
    y /= y.sum(axis=axis, keepdims=True)
    return y


if __name__ == "__main__":
    raise SystemExit("this must not run when the file is imported")
