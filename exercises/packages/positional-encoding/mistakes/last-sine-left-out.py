"""Right for even widths. For an odd one your last column is 0 everywhere: `d_model // 2` rounds down, and leaves out
the last sine.

An odd width has (d_model + 1) // 2 sines, one more than it has cosines. Write the last sine without a cosine.
"""

import numpy as np


def positional_encoding(n_positions, d_model):
    pe = np.zeros((n_positions, d_model))
    for pos in range(n_positions):
        for i in range(d_model // 2):
            angle = pos / 10000 ** (2 * i / d_model)
            pe[pos, 2 * i] = np.sin(angle)
            pe[pos, 2 * i + 1] = np.cos(angle)
    return pe
