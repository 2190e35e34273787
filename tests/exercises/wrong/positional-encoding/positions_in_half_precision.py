# Positions are float16: beyond 2,048 not every one exists.
import numpy as np


def positional_encoding(n_positions, d_model):
    positions = np.arange(n_positions).astype(np.float16).astype(float)[:, np.newaxis]
    columns = np.arange(d_model)
    angles = positions / 10000.0 ** (2 * (columns // 2) / d_model)
    return np.where(columns % 2 == 0, np.sin(angles), np.cos(angles))
