import numpy as np


def positional_encoding(n_positions, d_model):
    step = np.float32(-np.log(np.float32(10000)) / d_model)
    angles = np.outer(
        np.arange(n_positions, dtype=np.float32), np.exp(np.arange(0, d_model, 2, dtype=np.float32) * step)
    ).astype(np.float32)
    interleaved = np.stack((np.sin(angles), np.cos(angles)), axis=2)
    return interleaved.reshape(n_positions, -1)[:, :d_model]
