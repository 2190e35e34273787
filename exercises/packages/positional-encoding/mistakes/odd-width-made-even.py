"""Right for even widths. For an odd one, you also round the width to an even number inside the exponent.

Only the number of angles is rounded up there; the exponent stays 2i / d_model with the true d_model.
"""

import numpy as np


def positional_encoding(n_positions, d_model):
    width = d_model + d_model % 2
    angles = np.arange(n_positions)[:, None] / 10000.0 ** (np.arange(0, width, 2) / width)
    encoding = np.zeros((n_positions, width))
    encoding[:, 0::2] = np.sin(angles)
    encoding[:, 1::2] = np.cos(angles)
    return encoding[:, :d_model]
