# The width comes first.
import numpy as np


def positional_encoding(d_model, n_positions):
    positions = np.arange(n_positions)[:, np.newaxis]
    columns = np.arange(d_model)
    angles = positions / 10000.0 ** (2 * (columns // 2) / d_model)
    return np.where(columns % 2 == 0, np.sin(angles), np.cos(angles))
