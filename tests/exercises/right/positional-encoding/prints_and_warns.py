import sys
import warnings

import numpy as np

print("loading")


def positional_encoding(n_positions, d_model):
    print("called with", n_positions, d_model)
    print("to stderr", file=sys.stderr)
    warnings.warn("a warning is not an error", stacklevel=2)
    np.array([1.0]) / 0.0  # numpy warns, too
    column = np.arange(d_model)
    angle = np.arange(n_positions)[:, None] / 10000 ** ((column - column % 2) / d_model)
    return np.sin(angle + (column % 2) * np.pi / 2)
