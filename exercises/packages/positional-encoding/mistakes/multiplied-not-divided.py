"""Your waves get faster from pair to pair instead of slower: you multiply the position by 10000^(2i/d), where the
formula divides by it.

Divide. If you write the power with exp and log, its exponent needs a minus sign.
"""

import numpy as np


def positional_encoding(n_positions, d_model):
    frequencies = np.exp(np.log(10000.0) * np.arange(0, d_model, 2) / d_model)
    angles = np.arange(n_positions)[:, None] * frequencies
    encoding = np.zeros((n_positions, d_model))
    encoding[:, 0::2] = np.sin(angles)
    encoding[:, 1::2] = np.cos(angles[:, : d_model // 2])
    return encoding
