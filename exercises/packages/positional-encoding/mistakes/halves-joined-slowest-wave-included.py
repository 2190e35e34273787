"""Two things are other than in the formula, as in some well-known libraries: all sines come first and all cosines
after them, and the exponents reach 1, so your waves are too slow.

Interleave the columns, sine, cosine, sine, cosine …, and divide 2i by the width in the exponent, not i by the number
of pairs less one.
"""

import numpy as np


def positional_encoding(n_positions, d_model):
    n_waves = d_model // 2
    step = np.log(10000.0) / max(n_waves - 1, 1)
    frequencies = np.exp(-step * np.arange(n_waves))
    angles = np.arange(n_positions)[:, None] * frequencies[None, :]
    signal = np.concatenate([np.sin(angles), np.cos(angles)], axis=1)
    return np.pad(signal, [(0, 0), (0, d_model % 2)])
