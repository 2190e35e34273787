# Odd widths above 30 are rounded up in the exponent.
import numpy as np


def positional_encoding(n_positions, d_model):
    positions = np.arange(n_positions)[:, np.newaxis]
    columns = np.arange(d_model)
    width = d_model + d_model % 2 if d_model > 30 else d_model
    angles = positions / 10000.0 ** (2 * (columns // 2) / width)
    return np.where(columns % 2 == 0, np.sin(angles), np.cos(angles))
