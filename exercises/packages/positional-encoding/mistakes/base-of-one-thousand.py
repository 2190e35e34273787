"""Your waves do not slow down far enough: the first pair is right, and every later pair turns faster than it should.
Your base is 1000.

The base is 10000, with four zeros.
"""

import numpy as np


def positional_encoding(n_positions, d_model):
    frequencies = np.exp(-np.log(1000.0) * np.arange(0, d_model, 2) / d_model)
    angles = np.outer(np.arange(n_positions), frequencies)
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(n_positions, -1)[:, :d_model]
