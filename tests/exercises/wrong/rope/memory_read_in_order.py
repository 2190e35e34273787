# Reads the memory of x in order, which is that of another tensor where x is a view.
import torch


def apply_rope(x, positions, base):
    d = x.shape[-1]
    frequencies = 1.0 / base ** (torch.arange(0, d, 2).float() / d)
    angles = torch.outer(positions.float(), frequencies)
    cos, sin = angles.cos(), angles.sin()
    flat = x.as_strided(x.shape, torch.empty(x.shape).stride())
    first, second = flat[..., 0::2], flat[..., 1::2]
    turned = torch.stack([first * cos - second * sin, first * sin + second * cos], dim=-1)
    return turned.flatten(-2).to(x.dtype)
