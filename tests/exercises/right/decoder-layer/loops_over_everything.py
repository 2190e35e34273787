import math

import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    """Every sequence, head and query on its own; the mask is read entry by entry."""

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
                        parts.append(torch.softmax(scores[allowed], 0) @ v[b, allowed, j : j + width])
                    else:
                        parts.append(torch.softmax(scores, 0) @ v[b, :, j : j + width])
                rows.append(torch.cat(parts))
            sequences.append(torch.stack(rows))
        return self.out_proj(torch.stack(sequences))


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff=2048, dropout=0.1):
        super().__init__()
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.dropout = nn.Dropout(p=dropout)

    def forward(self, x):
        return torch.stack([self.linear2(self.dropout(self.linear1(sequence).relu())) for sequence in x])


class DecoderLayer(nn.Module):
    def __init__(self, d_model, n_heads, d_ff=2048, dropout=0.1):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, n_heads)
        self.cross_attn = MultiHeadAttention(d_model, n_heads)
        self.feed_forward = FeedForward(d_model, d_ff, dropout)
        self.norm1 = nn.LayerNorm(d_model)
        self.norm2 = nn.LayerNorm(d_model)
        self.norm3 = nn.LayerNorm(d_model)
        self.p = dropout

    def forward(self, x, memory, mask=None, memory_mask=None):
        sublayers = (
            lambda y: self.self_attn(y, y, y, mask),
            lambda y: self.cross_attn(y, memory, memory, memory_mask),
            self.feed_forward,
        )
        for sublayer, norm in zip(sublayers, (self.norm1, self.norm2, self.norm3)):
            x = norm(x + nn.functional.dropout(sublayer(x), self.p, self.training))
        return x
