import torch


def rotate_every_two(x):
    return torch.stack((-x[..., 1::2], x[..., ::2]), dim=-1).flatten(-2)


def apply_rope(x, positions, base=10000.0):
    """As GPT-J's code has it; the arithmetic is in the dtype of x, the angles are not."""
    inv_freq = 1.0 / (base ** (torch.arange(0, x.size(-1), 2, dtype=torch.float32) / x.size(-1)))
    angles = torch.einsum("i,j->ij", positions.to(torch.float32), inv_freq).repeat_interleave(2, dim=-1)
    cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    return (x * cos) + (rotate_every_two(x) * sin)
