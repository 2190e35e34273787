"""Your first row is position 1. Positions count from 0, so the first row must read 0, 1, 0, 1 …

Begin your range at 0: `np.arange(n_positions)`.
"""

import numpy as np


def positional_encoding(n_positions, d_model):
    columns = np.arange(d_model)
    angles = np.arange(1, n_positions + 1)[:, None] * 10000.0 ** (-(columns - columns % 2) / d_model)
    return np.where(columns % 2, np.cos(angles), np.sin(angles))
