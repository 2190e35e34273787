"""Your code is right for even widths and stops with an error for odd ones. There, the sines have one column more than
the cosines.

Compute (d_model + 1) // 2 angles, and give the cosines only as many columns as there are: `np.cos(angles)[:, :
d_model // 2]`.
"""

import numpy as np


def positional_encoding(n_positions, d_model):
    encoding = np.zeros((n_positions, d_model))
    angles = np.arange(n_positions)[:, None] / 10000.0 ** (np.arange(0, d_model, 2) / d_model)
    encoding[:, 0::2] = np.sin(angles)
    encoding[:, 1::2] = np.cos(angles)
    return encoding
