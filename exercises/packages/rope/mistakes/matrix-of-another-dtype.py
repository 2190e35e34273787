"""Your rotation matrix is float32. A product with an `x` of another dtype stops with an error: torch multiplies
matrices of one dtype only.

Compute the product in float32 (or better) and convert the result: `(turn @ x.float()…).to(x.dtype)`, with
`x.double()` where it is float64."""

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
    return (turn @ x.unsqueeze(-1)).squeeze(-1)
