"""You make the masks, but they have no effect: every token sees everything. `masked_fill` and `np.where` return a
*new* array, and you do not keep it.

Assign the result, `scores = scores.masked_fill(…)` or `scores = np.where(…)`.
"""

import math

import torch


def causal_attention(q, k, v, padding_mask=None):
    q, k, v = torch.from_numpy(q), torch.from_numpy(k), torch.from_numpy(v)
    n = q.shape[-2]
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    causal = torch.tril(torch.ones(n, n, dtype=torch.bool))
    scores.masked_fill(~causal, float("-inf"))
    if padding_mask is not None:
        scores.masked_fill(~torch.from_numpy(padding_mask), float("-inf"))
    return (torch.softmax(scores, dim=-1) @ v).numpy()
