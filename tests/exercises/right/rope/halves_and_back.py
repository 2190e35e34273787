import torch


def rotate_half(x):
    a, b = x[..., : x.shape[-1] // 2], x[..., x.shape[-1] // 2 :]
    return torch.cat((-b, a), dim=-1)


def apply_rope(x, positions, base):
    """Through the other layout: sort even columns first, turn halves, and sort back."""
    d = x.shape[-1]
    order = torch.cat((torch.arange(0, d, 2), torch.arange(1, d, 2)))
    freqs = torch.exp(-torch.log(torch.tensor(float(base))) * torch.arange(0, d, 2).float() / d)
    angles = torch.cat((freqs, freqs))[None, :] * positions[:, None].float()
    sorted_x = x[..., order].to(torch.promote_types(x.dtype, torch.float32))
    turned = sorted_x * angles.cos() + rotate_half(sorted_x) * angles.sin()
    return turned[..., torch.argsort(order)].to(x.dtype)
