import numpy as np


def positional_encoding(n_positions, d_model):
    pairs = (d_model + 1) // 2
    frequency = 10000.0 ** (-2.0 * np.arange(pairs) / d_model)
    turn = np.exp(1j * np.arange(n_positions)[:, None] * frequency[None, :])
    # A complex number is stored as real, imaginary; sines come first here.
    return np.stack([turn.imag, turn.real], -1).reshape(n_positions, 2 * pairs)[:, :d_model]
