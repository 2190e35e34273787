import numpy as np


def positional_encoding(n_positions, d_model):
    frequencies = 1 / 10000 ** np.linspace(0, 1, d_model // 2)
    angles = np.outer(np.arange(n_positions), frequencies)
    return np.concatenate([np.sin(angles), np.cos(angles)], axis=1)
