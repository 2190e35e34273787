# Columns from 256 on are those of a width of 256.
import numpy as np


def positional_encoding(n_positions, d_model):
    positions = np.arange(n_positions)[:, np.newaxis]
    columns = np.arange(d_model) % 256
    angles = positions / 10000.0 ** (2 * (columns // 2) / d_model)
    return np.where(columns % 2 == 0, np.sin(angles), np.cos(angles))
