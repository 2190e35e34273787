"""Your even columns are cosines, and your odd ones are still 0: the cosines were written over the sines. Position 0
must read 0, 1, 0, 1 …

Begin the second slice at column 1: `encoding[:, 1::2]`.
"""

import numpy as np


def positional_encoding(n_positions, d_model):
    angles = np.arange(n_positions)[:, None] / 10000.0 ** (np.arange(0, d_model, 2) / d_model)
    encoding = np.zeros((n_positions, d_model))
    encoding[:, 0::2] = np.sin(angles)
    encoding[:, 0::2] = np.cos(angles)
    return encoding
