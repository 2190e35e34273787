import numpy as np


def positional_encoding(n_positions, d_model):
    column = np.arange(d_model)[::-1]
    angle = np.arange(n_positions)[::-1, None] / 10000 ** ((column - column % 2) / d_model)
    return np.where(column % 2, np.cos(angle), np.sin(angle))[::-1, ::-1]
