"""You gave every column a frequency of its own. The two columns of a pair share one: column 2i+1 uses the exponent
2i/d too, not (2i+1)/d. Round the column down to its pair (`column // 2`) before you make the exponent."""

import numpy as np


def positional_encoding(n_positions, d_model):
    angles = np.arange(n_positions)[:, None] / 10000.0 ** (np.arange(d_model)[None, :] / d_model)
    angles[:, 0::2] = np.sin(angles[:, 0::2])
    angles[:, 1::2] = np.cos(angles[:, 1::2])
    return angles
