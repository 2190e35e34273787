"""You compute the angles in the dtype of `x`. In bfloat16, which keeps 8 bits, position 257 *is* 256, so far tokens
turn by a radian or two too much or too little.

Compute angles, sines and cosines in float32, and convert the result alone."""

import torch


def apply_rope(x, positions, base):
    frequencies = base ** (-torch.arange(0, x.shape[-1], 2) / x.shape[-1])
    angles = positions.to(x.dtype)[:, None] * frequencies.to(x.dtype)
    sin, cos = torch.sin(angles), torch.cos(angles)
    first, second = x[..., 0::2], x[..., 1::2]
    turned = torch.stack((first * cos - second * sin, first * sin + second * cos), dim=-1)
    return turned.flatten(-2).to(x.dtype)
