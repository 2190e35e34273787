import math
import numpy as np


def positional_encoding(n_positions, d_model):
    out = np.zeros((n_positions, d_model))
    for p in range(n_positions):
        for i in range(0, d_model, 2):
            t = p * math.pow(10000.0, -i / d_model)
            out[p][i] = math.sin(t)
            out[p][i + 1] = math.cos(t)
    return out
