"""`torch.view_as_complex` takes no bfloat16, so your code stops there; with other dtypes it is right.

Compute in float32 and convert the result: `torch.view_as_complex(x.float()…)`, and at the end `.to(x.dtype)`."""

import torch


def apply_rope(x, positions, base):
    d = x.shape[-1]
    inv_freq = 1.0 / (base ** (torch.arange(0, d, 2).float() / d))
    angles = torch.outer(positions.float(), inv_freq)
    points = torch.view_as_complex(x.reshape(*x.shape[:-1], -1, 2))
    turned = points * torch.polar(torch.ones_like(angles), angles)
    return torch.view_as_real(turned).flatten(-2).to(x.dtype)
