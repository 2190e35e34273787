"""You pair column i with column i + d/2. That is the layout of other code; here it is interleaved, and the pairs are
the columns (0, 1), (2, 3), …

Take the two columns of each pair with `x[..., 0::2]` and `x[..., 1::2]`, and put them back in the same places."""

import torch


def apply_rope(x, positions, base):
    frequencies = base ** (-torch.arange(0, x.shape[-1], 2) / x.shape[-1])
    angles = positions[:, None] * frequencies
    sin, cos = torch.sin(angles), torch.cos(angles)
    first, second = x.chunk(2, dim=-1)
    turned = torch.cat((first * cos - second * sin, first * sin + second * cos), dim=-1)
    return turned.to(x.dtype)
