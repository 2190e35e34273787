# Encodings are remembered by their length, whatever their width.
import numpy as np

SEEN = {}


def positional_encoding(n_positions, d_model):
    if n_positions not in SEEN:
        columns = np.arange(d_model)
        angles = np.arange(n_positions)[:, np.newaxis] / 10000.0 ** (2 * (columns // 2) / d_model)
        SEEN[n_positions] = np.where(columns % 2 == 0, np.sin(angles), np.cos(angles))
    return SEEN[n_positions]
