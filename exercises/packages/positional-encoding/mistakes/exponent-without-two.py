"""The exponent is 2i/d, and you used i/d: the 2 got lost, so your waves slow down only half as far as they should.
With pairs counted 0, 1, 2 …, the last of them must come close to 10000, not to its root."""

import numpy as np


def positional_encoding(n_positions, d_model):
    columns = np.arange(d_model)
    angles = np.arange(n_positions)[:, None] / np.power(10000.0, (columns // 2) / d_model)
    encoding = np.empty((n_positions, d_model))
    encoding[:, 0::2] = np.sin(angles[:, 0::2])
    encoding[:, 1::2] = np.cos(angles[:, 1::2])
    return encoding
