"""You gave every column a frequency of its own, so that the cosines do not belong to the angles of their sines.

The two columns of a pair share one frequency: column 2i+1 also uses the exponent 2i/d, not (2i+1)/d. Round the
column down to its pair (`column // 2 * 2`) before you make the exponent.
"""

import numpy as np


def positional_encoding(n_positions, d_model):
    angles = np.arange(n_positions)[:, None] / 10000.0 ** (np.arange(d_model)[None, :] / d_model)
    angles[:, 0::2] = np.sin(angles[:, 0::2])
    angles[:, 1::2] = np.cos(angles[:, 1::2])
    return angles
