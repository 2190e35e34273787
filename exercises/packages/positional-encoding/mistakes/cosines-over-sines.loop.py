import numpy as np


def positional_encoding(n_positions, d_model):
    encoding = np.zeros((n_positions, d_model))
    for pos in range(n_positions):
        for i in range(0, d_model, 2):
            angle = pos / 10000 ** (i / d_model)
            encoding[pos, i] = np.sin(angle)
            encoding[pos, i] = np.cos(angle)
    return encoding
