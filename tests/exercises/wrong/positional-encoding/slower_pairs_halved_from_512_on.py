# From position 512 on all pairs but the first turn half as fast.
import numpy as np


def positional_encoding(n_positions, d_model):
    positions = np.arange(n_positions)[:, np.newaxis]
    columns = np.arange(d_model)
    angles = positions / 10000.0 ** (2 * (columns // 2) / d_model)
    angles = np.where((positions < 512) | (columns < 2), angles, angles / 2)
    return np.where(columns % 2 == 0, np.sin(angles), np.cos(angles))
