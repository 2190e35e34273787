import math

import torch


def causal_attention(q, k, v, padding_mask=None):
    q, k, v = map(torch.from_numpy, (q, k, v))
    scores = q @ k.mT / math.sqrt(q.size(-1))
    allowed = torch.ones_like(scores, dtype=torch.bool).tril()
    if padding_mask is not None:
        allowed &= torch.from_numpy(padding_mask)
    weights = scores.masked_fill(~allowed, -math.inf).softmax(-1)
    return torch.where(allowed, weights, torch.zeros(())).matmul(v).numpy()
