"""Your values are right, but there is a batch axis in front: the shape is (1, n_positions, d_model).

Return the shape (n_positions, d_model): leave out the `[None]` or `unsqueeze(0)`.
"""

import numpy as np


def positional_encoding(n_positions, d_model):
    columns = np.arange(d_model)
    angles = np.arange(n_positions)[:, None] / 10000.0 ** (2 * (columns // 2) / d_model)
    return np.where(columns % 2, np.cos(angles), np.sin(angles))[None]
