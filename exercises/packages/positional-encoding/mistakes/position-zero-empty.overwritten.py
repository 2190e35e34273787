import numpy as np


def positional_encoding(n_positions, d_model):
    columns = np.arange(d_model)
    angles = np.arange(n_positions)[:, None] / 10000.0 ** (2 * (columns // 2) / d_model)
    encoding = np.where(columns % 2, np.cos(angles), np.sin(angles))
    encoding[0] = 0.0
    return encoding
