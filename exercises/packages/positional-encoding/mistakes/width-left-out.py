"""Only your first pair of columns turns; all the others stand still at 0 and 1. Your exponent is 2i, and the division
by the width got lost.

The exponent is 2i / d_model. Check the parentheses: `10000 ** (2 * i / d_model)`.
"""

import numpy as np


def positional_encoding(n_positions, d_model):
    columns = np.arange(d_model)
    angles = np.arange(n_positions)[:, None] / 10000.0 ** (2.0 * (columns // 2))
    return np.where(columns % 2 == 0, np.sin(angles), np.cos(angles))
