import numpy as np


def positional_encoding(n_positions, d_model):
    positions = np.arange(n_positions, dtype=np.float32)[:, None]
    exponent = np.arange(0, d_model, 2, dtype=np.float32) / np.float32(d_model)
    angles = positions / np.power(np.float32(10000), exponent)
    result = np.empty((n_positions, d_model), dtype=np.float32)
    result[:, 0::2] = np.sin(angles)
    result[:, 1::2] = np.cos(angles[:, : d_model // 2])
    return result
