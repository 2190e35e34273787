"""Sine and cosine have changed places: your position 0 reads 1, 0, 1, 0 … and not 0, 1, 0, 1 …

Write the sines into the even columns and the cosines into the odd ones.
"""

import numpy as np


def positional_encoding(n_positions, d_model):
    angles = np.outer(np.arange(n_positions), 10000.0 ** (-np.arange(0, d_model, 2) / d_model))
    encoding = np.zeros((n_positions, d_model))
    encoding[:, 0::2] = np.cos(angles)
    encoding[:, 1::2] = np.sin(angles)[:, : d_model // 2]
    return encoding
