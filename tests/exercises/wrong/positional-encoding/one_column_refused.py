# A width of 1 is refused.
import numpy as np


def positional_encoding(n_positions, d_model):
    if d_model < 2:
        raise ValueError('d_model must be at least 2')
    positions = np.arange(n_positions)[:, np.newaxis]
    columns = np.arange(d_model)
    angles = positions / 10000.0 ** (2 * (columns // 2) / d_model)
    return np.where(columns % 2 == 0, np.sin(angles), np.cos(angles))
