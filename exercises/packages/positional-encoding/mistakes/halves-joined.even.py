import numpy as np


def positional_encoding(n_positions, d_model):
    i = np.arange(d_model // 2)
    angles = np.arange(n_positions)[:, None] / 10000.0 ** (2 * i / d_model)
    return np.concatenate([np.sin(angles), np.cos(angles)], axis=-1)
