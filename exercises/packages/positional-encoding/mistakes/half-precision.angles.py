import numpy as np


def positional_encoding(n_positions, d_model):
    positions = np.arange(n_positions, dtype=np.float16)[:, None]
    columns = np.arange(d_model)
    angles = positions / (10000.0 ** (2 * (columns // 2) / d_model)).astype(np.float16)
    return np.where(columns % 2, np.cos(angles), np.sin(angles)).astype(np.float32)
