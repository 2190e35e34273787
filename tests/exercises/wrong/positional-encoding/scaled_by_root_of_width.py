# All values are multiplied by the root of the width.
import numpy as np


def angles(n_positions, d_model):
    column = np.arange(d_model)
    return np.arange(n_positions)[:, None] / 10000.0 ** ((column - column % 2) / d_model)


def encode(n_positions, d_model):
    angle = angles(n_positions, d_model)
    return np.where(np.arange(d_model) % 2 == 0, np.sin(angle), np.cos(angle))


def positional_encoding(n_positions, d_model):
    return np.sqrt(d_model) * encode(n_positions, d_model)
