"""You read the tokens of `x` at the indices in `positions`, but x holds n_tokens tokens, and a position may be any
number: it says where a token stands in the text, not in `x`.

Leave `x` in its order. Position number t belongs to token number t: multiply the frequencies by `positions`."""

import torch


def apply_rope(x, positions, base):
    d = x.shape[-1]
    inv_freq = 1.0 / (base ** (torch.arange(0, d, 2).float() / d))
    angles = torch.outer(positions.float(), inv_freq)
    cos, sin = angles.cos(), angles.sin()
    x = x[..., positions, :]
    even, odd = x[..., ::2], x[..., 1::2]
    out = torch.empty_like(x)
    out[..., ::2] = even * cos - odd * sin
    out[..., 1::2] = even * sin + odd * cos
    return out
