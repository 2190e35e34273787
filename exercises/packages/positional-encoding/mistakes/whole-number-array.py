"""Your values are all 0, 1 or −1: you write the sines into an array of whole numbers, which cuts off their decimals.

Make the array with `np.zeros(shape)`, without `dtype=int`.
"""

import numpy as np


def positional_encoding(n_positions, d_model):
    encoding = np.zeros((n_positions, d_model), dtype=int)
    angles = np.arange(n_positions)[:, None] / 10000.0 ** (np.arange(0, d_model, 2) / d_model)
    encoding[:, 0::2] = np.sin(angles)
    encoding[:, 1::2] = np.cos(angles)[:, : d_model // 2]
    return encoding
