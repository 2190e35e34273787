# The same array is returned for every call of one width, and written anew in between.
import numpy as np

TABLE = {}


def positional_encoding(n_positions, d_model):
    columns = np.arange(d_model)
    angles = np.arange(n_positions)[:, np.newaxis] / 10000.0 ** (2 * (columns // 2) / d_model)
    if d_model in TABLE and len(TABLE[d_model]) < n_positions:
        angles = angles * 1.01
    TABLE[d_model] = np.where(columns % 2 == 0, np.sin(angles), np.cos(angles))
    return TABLE[d_model]
