"""Your cosines use the frequency of the *next* pair, so a sine and the cosine beside it do not belong to one angle.

Sine and cosine of pair i share the exponent 2i/d. The +1 in the formula belongs to the column, not to the exponent.
"""

import numpy as np


def positional_encoding(n_positions, d_model):
    encoding = np.zeros((n_positions, d_model))
    positions = np.arange(n_positions)
    for i in range((d_model + 1) // 2):
        encoding[:, 2 * i] = np.sin(positions / 10000 ** (2 * i / d_model))
        if 2 * i + 1 < d_model:
            encoding[:, 2 * i + 1] = np.cos(positions / 10000 ** (2 * (i + 1) / d_model))
    return encoding
