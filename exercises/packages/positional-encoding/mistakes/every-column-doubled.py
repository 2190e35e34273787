"""You number the columns 0, 1, 2, 3 … and use twice that number in the exponent. So every column has a frequency of
its own, and the waves slow down twice as fast as they should.

The i of the formula numbers the *pairs*: columns 0 and 1 have i = 0, columns 2 and 3 have i = 1. Use `2 * (column //
2)` in the exponent.
"""

import numpy as np


def get_angles(pos, i, d_model):
    rates = 1 / np.power(10000, (2 * i) / np.float32(d_model))
    return pos * rates


def positional_encoding(n_positions, d_model):
    angles = get_angles(np.arange(n_positions)[:, np.newaxis], np.arange(d_model)[np.newaxis, :], d_model)
    angles[:, 0::2] = np.sin(angles[:, 0::2])
    angles[:, 1::2] = np.cos(angles[:, 1::2])
    return angles
