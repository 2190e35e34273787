# The result is a torch tensor.
import numpy as np
import torch


def positional_encoding(n_positions, d_model):
    positions = np.arange(n_positions)[:, np.newaxis]
    columns = np.arange(d_model)
    angles = positions / 10000.0 ** (2 * (columns // 2) / d_model)
    return torch.from_numpy(np.where(columns % 2 == 0, np.sin(angles), np.cos(angles)))
