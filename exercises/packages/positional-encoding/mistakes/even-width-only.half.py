import numpy as np


def positional_encoding(n_positions, d_model):
    i = np.arange(d_model // 2)
    angles = np.arange(n_positions)[:, None] / np.power(10000.0, 2 * i / d_model)
    pe = np.zeros((n_positions, d_model))
    pe[:, 0::2] = np.sin(angles)
    pe[:, 1::2] = np.cos(angles)
    return pe
