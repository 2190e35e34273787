# Merges axes with view, which a transposed x does not allow.
import torch


def apply_rope(x, positions, base):
    n_tokens, d = x.shape[-2:]
    frequencies = 1.0 / base ** (torch.arange(0, d, 2).float() / d)
    angles = torch.outer(positions.float(), frequencies)
    cos, sin = angles.cos(), angles.sin()
    first, second = x.view(-1, n_tokens, d // 2, 2).unbind(-1)
    turned = torch.stack([first * cos - second * sin, first * sin + second * cos], dim=-1)
    return turned.view(x.shape).to(x.dtype)
