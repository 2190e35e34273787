"""You lay the positions along the third axis from the end, as code does that keeps (batch, n_tokens, n_heads, d).
Here the tokens are on the *last but one* axis.

Give the angles the shape (n_tokens, d/2): it fits without `unsqueeze`."""

import torch


def apply_rope(x, positions, base):
    frequencies = base ** (-torch.arange(0, x.shape[-1], 2) / x.shape[-1])
    angles = positions[:, None] * frequencies
    sin, cos = torch.sin(angles).unsqueeze(1), torch.cos(angles).unsqueeze(1)
    first, second = x[..., 0::2], x[..., 1::2]
    turned = torch.stack((first * cos - second * sin, first * sin + second * cos), dim=-1)
    return turned.flatten(-2).to(x.dtype)
