"""All your columns are sines: position 0 reads 0, 0, 0, 0 … and not 0, 1, 0, 1 …

The odd columns must be cosines. Check whether you wrote `np.sin` twice.
"""

import numpy as np


def positional_encoding(n_positions, d_model):
    columns = np.arange(d_model)
    angles = np.arange(n_positions)[:, None] / 10000.0 ** (2 * (columns // 2) / d_model)
    encoding = np.zeros((n_positions, d_model))
    encoding[:, 0::2] = np.sin(angles[:, 0::2])
    encoding[:, 1::2] = np.sin(angles[:, 1::2])
    return encoding
