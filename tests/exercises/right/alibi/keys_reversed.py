import numpy as np
import torch


def alibi_slopes(n_heads):
    """Bit by bit: the slope of head k is 2 to the power of minus 8 (k + 1) / p, half a step earlier beyond p."""
    p = 2 ** (int(n_heads).bit_length() - 1)
    k = np.arange(n_heads)
    exponent = np.where(k < p, k + 1, k - p + 0.5) * 8.0 / p
    return torch.from_numpy(np.exp2(-exponent).astype(np.float32))


def alibi_bias(n_heads, n_queries, n_keys):
    rows = []
    for query in range(n_keys - n_queries, n_keys):
        seen = torch.arange(-query, 1, dtype=torch.float32)
        rows.append(torch.nn.functional.pad(seen, (0, n_keys - 1 - query), value=-torch.inf))
    distances = torch.stack(rows)
    return torch.stack([slope * distances for slope in alibi_slopes(n_heads)], dim=-1).permute(2, 0, 1)
