# Angles come from a table for 1,024 positions.
import torch


def apply_rope(x, positions, base):
    frequencies = 1.0 / base ** (torch.arange(0, x.shape[-1], 2).float() / x.shape[-1])
    angles = torch.outer(torch.arange(1024).float(), frequencies)[positions]
    sin, cos = angles.sin(), angles.cos()
    first, second = x[..., 0::2], x[..., 1::2]
    return torch.stack([first * cos - second * sin, first * sin + second * cos], -1).flatten(-2).to(x.dtype)
