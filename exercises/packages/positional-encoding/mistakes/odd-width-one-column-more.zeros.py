import numpy as np


def positional_encoding(n_positions, d_model):
    pe = np.zeros((n_positions, d_model + d_model % 2))
    for i in range(0, d_model, 2):
        angle = np.arange(n_positions) / 10000 ** (i / d_model)
        pe[:, i] = np.sin(angle)
        pe[:, i + 1] = np.cos(angle)
    return pe
