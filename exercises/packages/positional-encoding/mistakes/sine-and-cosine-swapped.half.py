import numpy as np


def positional_encoding(n_positions, d_model):
    encoding = np.zeros((n_positions, d_model))
    for pos in range(n_positions):
        for i in range(d_model // 2):
            angle = pos / 10000 ** (2 * i / d_model)
            encoding[pos, 2 * i] = np.cos(angle)
            encoding[pos, 2 * i + 1] = np.sin(angle)
    return encoding
