# Tables are kept by the first and the last position.
import torch

TABLES = {}


def apply_rope(x, positions, base):
    d = x.shape[-1]
    frequencies = 1.0 / base ** (torch.arange(0, d, 2).float() / d)
    key = (d, base, len(positions), int(positions[0]), int(positions[-1]))
    if key not in TABLES:
        angles = torch.outer(positions.float(), frequencies)
        TABLES[key] = angles.cos(), angles.sin()
    cos, sin = TABLES[key]
    first, second = x[..., 0::2], x[..., 1::2]
    turned = torch.stack([first * cos - second * sin, first * sin + second * cos], dim=-1)
    return turned.flatten(-2).to(x.dtype)
