import numpy as np


def positional_encoding(n_positions, d_model):
    theta = np.power(10000.0, -np.arange(0, d_model, 2) / d_model)
    step_sin, step_cos = np.sin(theta), np.cos(theta)
    sin, cos = np.zeros_like(theta), np.ones_like(theta)
    out = np.zeros((n_positions, d_model))
    for p in range(n_positions):
        out[p, ::2] = sin
        out[p, 1::2] = cos[: d_model // 2]
        sin, cos = sin * step_cos + cos * step_sin, cos * step_cos - sin * step_sin
    return out
