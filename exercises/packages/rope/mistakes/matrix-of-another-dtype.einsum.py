import torch


def apply_rope(x, positions, base):
    d = x.shape[-1]
    inv_freq = 1.0 / (base ** (torch.arange(0, d, 2).float() / d))
    angles = torch.outer(positions.float(), inv_freq)
    cos, sin = angles.cos(), angles.sin()
    turn = torch.zeros(len(positions), d, d)
    pair = torch.arange(0, d, 2)
    turn[:, pair, pair], turn[:, pair, pair + 1] = cos, -sin
    turn[:, pair + 1, pair], turn[:, pair + 1, pair + 1] = sin, cos
    return torch.einsum("tij,...tj->...ti", turn, x)
