"""You put all sines first and all cosines after them. Each value is right, but most of them are in the wrong column.

The formula interleaves them: columns 0, 2, 4 … are sines and columns 1, 3, 5 … their cosines. Write into every
second column: `encoding[:, 0::2] = …`, `encoding[:, 1::2] = …`.
"""

import numpy as np


def positional_encoding(n_positions, d_model):
    angles = np.outer(np.arange(n_positions), 10000.0 ** (-np.arange(0, d_model, 2) / d_model))
    return np.concatenate([np.sin(angles), np.cos(angles)], axis=1)[:, :d_model]
