"""Right for even widths. For an odd one your result has one column too many: every sine gets a cosine there, the last
one included.

Cut the result to `d_model` columns: `[:, :d_model]`.
"""

import numpy as np


def positional_encoding(n_positions, d_model):
    angles = np.arange(n_positions)[:, None] / 10000.0 ** (np.arange(0, d_model, 2) / d_model)
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(n_positions, -1)
