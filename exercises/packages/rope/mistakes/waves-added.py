"""You *add* sines and cosines, as the 2017 transformer does. RoPE adds nothing: the length of each pair stays and
only its direction changes.

Multiply each pair by a rotation through its angle."""

import torch


def apply_rope(x, positions, base):
    frequencies = base ** (-torch.arange(0, x.shape[-1], 2) / x.shape[-1])
    angles = positions[:, None] * frequencies
    sin, cos = torch.sin(angles), torch.cos(angles)
    waves = torch.stack((sin, cos), dim=-1).flatten(-2)
    return (x + waves).to(x.dtype)
