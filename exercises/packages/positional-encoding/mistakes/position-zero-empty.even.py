import numpy as np


def positional_encoding(n_positions, d_model):
    encoding = np.zeros((n_positions, d_model))
    for pos in range(1, n_positions):
        for i in range(0, d_model, 2):
            encoding[pos, i] = np.sin(pos / 10000 ** (i / d_model))
            encoding[pos, i + 1] = np.cos(pos / 10000 ** (i / d_model))
    return encoding
