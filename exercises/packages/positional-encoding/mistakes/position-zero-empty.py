"""Your first row is 0 everywhere. That is the habit of code that keeps position 0 for padding; all your other rows
are right.

Treat position 0 like every other: the sine of 0 is 0, but its cosine is 1, so the first row must read 0, 1, 0, 1 …
"""

import numpy as np


def positional_encoding(n_positions, d_model):
    encoding = np.array(
        [
            [pos / np.power(10000, 2 * (j // 2) / d_model) for j in range(d_model)] if pos != 0 else np.zeros(d_model)
            for pos in range(n_positions)
        ]
    )
    encoding[1:, 0::2] = np.sin(encoding[1:, 0::2])
    encoding[1:, 1::2] = np.cos(encoding[1:, 1::2])
    return encoding
