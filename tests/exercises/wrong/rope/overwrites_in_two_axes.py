# Writes into x where it has no batch.
import torch


def apply_rope(x, positions, base):
    d = x.shape[-1]
    frequencies = 1.0 / base ** (torch.arange(0, d, 2).float() / d)
    angles = torch.outer(positions.float(), frequencies)
    cos, sin = angles.cos(), angles.sin()
    first, second = x[..., 0::2], x[..., 1::2]
    turned = torch.stack([first * cos - second * sin, first * sin + second * cos], dim=-1)
    result = turned.flatten(-2).to(x.dtype)
    return x.copy_(result) if x.dim() == 2 and not x.requires_grad else result
