"""You compute or return float16, which has only three decimal digits: your values are off by up to 0.0005, and far
more where the angles themselves are float16.

Return float32 or float64. numpy uses float64 if you do not ask for anything else.
"""

import numpy as np


def positional_encoding(n_positions, d_model):
    columns = np.arange(d_model)
    angles = np.arange(n_positions)[:, None] / 10000.0 ** (2 * (columns // 2) / d_model)
    return np.where(columns % 2, np.cos(angles), np.sin(angles)).astype(np.float16)
