"""Your odd columns are still 0: the cosines were never written. Position 0 must read 0, 1, 0, 1 …

Write the cosines of the same angles into the odd columns, `encoding[:, 1::2]`.
"""

import numpy as np


def positional_encoding(n_positions, d_model):
    encoding = np.zeros((n_positions, d_model))
    angles = np.arange(n_positions)[:, None] / 10000.0 ** (np.arange(0, d_model, 2) / d_model)
    encoding[:, 0::2] = np.sin(angles)
    return encoding
