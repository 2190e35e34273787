import numpy as np


def positional_encoding(n_positions, d_model):
    columns = np.arange(d_model)
    angles = np.arange(n_positions)[:, None] / (10000.0 ** (columns // 2 * 2.0) / d_model)
    return np.where(columns % 2 == 0, np.sin(angles), np.cos(angles))
