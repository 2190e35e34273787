import numpy as np


def positional_encoding(n_positions, d_model):
    by_column = np.empty((d_model, n_positions))
    for j in range(d_model):
        wave = (np.sin, np.cos)[j % 2]
        by_column[j] = wave(np.arange(n_positions) / 10000 ** (j // 2 * 2 / d_model))
    return by_column.T
