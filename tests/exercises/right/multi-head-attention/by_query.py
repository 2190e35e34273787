import math

import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    """Every sequence, head and query on its own, in plain loops."""

    def __init__(self, d_model, n_heads):
        super().__init__()
        self.q_proj = nn.Linear(d_model, d_model)
        self.k_proj = nn.Linear(d_model, d_model)
        self.v_proj = nn.Linear(d_model, d_model)
        self.out_proj = nn.Linear(d_model, d_model)
        self.n_heads = n_heads

    def forward(self, query, key, value, mask=None):
        q, k, v = self.q_proj(query), self.k_proj(key), self.v_proj(value)
        width = q.shape[2] // self.n_heads
        sequences = []
        for b in range(q.shape[0]):
            rows = []
            for t in range(q.shape[1]):
                parts = []
                for j in range(0, q.shape[2], width):
                    scores = k[b, :, j : j + width] @ q[b, t, j : j + width] / math.sqrt(width)
                    if mask is not None:
                        allowed = mask[b, 0, t]
                        weights = torch.softmax(scores[allowed], 0)
                        parts.append(weights @ v[b, allowed, j : j + width])
                    else:
                        parts.append(torch.softmax(scores, 0) @ v[b, :, j : j + width])
                rows.append(torch.cat(parts))
            sequences.append(torch.stack(rows))
        return self.out_proj(torch.stack(sequences))
