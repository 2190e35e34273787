# Positions begin again at 512 where there are more than two columns.
import numpy as np


def positional_encoding(n_positions, d_model):
    positions = np.arange(n_positions)[:, np.newaxis]
    if d_model > 2:
        positions = positions % 512
    columns = np.arange(d_model)
    angles = positions / 10000.0 ** (2 * (columns // 2) / d_model)
    return np.where(columns % 2 == 0, np.sin(angles), np.cos(angles))
