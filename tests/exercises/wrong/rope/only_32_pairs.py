# Pairs after the 32nd turn like the 32nd.
import torch


def apply_rope(x, positions, base):
    d = x.shape[-1]
    frequencies = 1.0 / base ** (torch.arange(0, d, 2).float().clamp(max=62) / d)
    angles = torch.outer(positions.float(), frequencies)
    cos, sin = angles.cos(), angles.sin()
    first, second = x[..., 0::2], x[..., 1::2]
    turned = torch.stack([first * cos - second * sin, first * sin + second * cos], dim=-1)
    return turned.flatten(-2).to(x.dtype)
