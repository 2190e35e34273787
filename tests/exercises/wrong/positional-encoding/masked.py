# A masked array without a value.
import numpy as np


def angles(n_positions, d_model):
    column = np.arange(d_model)
    return np.arange(n_positions)[:, None] / 10000.0 ** ((column - column % 2) / d_model)


def encode(n_positions, d_model):
    angle = angles(n_positions, d_model)
    return np.where(np.arange(d_model) % 2 == 0, np.sin(angle), np.cos(angle))


def positional_encoding(n_positions, d_model):
    return np.ma.masked_all((n_positions, d_model))
