"""Your exponents run from 0 to 1, with 1 included, so all your waves but the first are too slow. The formula's last
exponent is 2i/d for the last pair, a little less than 1.

Divide by the width, not by the number of pairs less one. (`linspace` includes its end; some libraries do it that
way, the paper does not.)
"""

import numpy as np


def positional_encoding(n_positions, d_model):
    pairs = (d_model + 1) // 2
    angles = np.outer(np.arange(n_positions), 10000.0 ** -np.linspace(0.0, 1.0, pairs))
    encoding = np.zeros((n_positions, d_model))
    encoding[:, 0::2] = np.sin(angles)
    encoding[:, 1::2] = np.cos(angles)[:, : d_model // 2]
    return encoding
