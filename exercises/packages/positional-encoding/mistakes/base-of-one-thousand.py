"""Look at the base once more: it is 10000, with four zeros. You have 1000, so your slow waves are not slow enough."""

import numpy as np


def positional_encoding(n_positions, d_model):
    frequencies = np.exp(-np.log(1000.0) * np.arange(0, d_model, 2) / d_model)
    angles = np.outer(np.arange(n_positions), frequencies)
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(n_positions, -1)[:, :d_model]
