"""Your waves slow down only half as far as they should: the exponent is 2i/d, and you use i/d.

Multiply the number of the pair by 2 before you divide by `d_model`. For the last pair, the number you divide by must
come close to 10000, not to its root.
"""

import numpy as np


def positional_encoding(n_positions, d_model):
    columns = np.arange(d_model)
    angles = np.arange(n_positions)[:, None] / np.power(10000.0, (columns // 2) / d_model)
    encoding = np.empty((n_positions, d_model))
    encoding[:, 0::2] = np.sin(angles[:, 0::2])
    encoding[:, 1::2] = np.cos(angles[:, 1::2])
    return encoding
