import numpy as np


def positional_encoding(n_positions, d_model):
    encoding = np.zeros((n_positions, d_model))
    for pos in range(n_positions):
        for i in range(d_model // 2):
            angle = pos / np.power(10000.0, 2 * i)
            encoding[pos, 2 * i] = np.sin(angle)
            encoding[pos, 2 * i + 1] = np.cos(angle)
    return encoding
