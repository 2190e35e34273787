import warnings

import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    """Heads become part of the batch; the mask is repeated for every head."""

    def __init__(self, d_model, n_heads, dropout=0.0):
        super().__init__()
        self.n_heads = n_heads
        self.q_proj = nn.Linear(d_model, d_model)
        self.k_proj = nn.Linear(d_model, d_model)
        self.v_proj = nn.Linear(d_model, d_model)
        self.out_proj = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key, value, mask=None):
        def chunked(x):
            return torch.cat(x.chunk(self.n_heads, dim=-1), dim=0)

        q, k, v = chunked(self.q_proj(query)), chunked(self.k_proj(key)), chunked(self.v_proj(value))
        scores = (q / (query.shape[-1] // self.n_heads) ** 0.5).bmm(k.mT)
        if mask is not None:
            bias = torch.zeros(mask.shape).masked_fill_(~mask, -1e9).squeeze(1)
            scores = scores + bias.repeat(self.n_heads, 1, 1)
        heads = self.dropout(scores.softmax(dim=-1)).bmm(v)
        return self.out_proj(torch.cat(heads.chunk(self.n_heads, dim=0), dim=-1))


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff=2048, dropout=0.1):
        super().__init__()
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.activation, self.dropout = nn.ReLU(), nn.Dropout(dropout)

    def forward(self, x):
        return self.linear2(self.dropout(self.activation(self.linear1(x))))


class Layer(nn.Module):
    def sublayer(self, number, x, function):
        norm = getattr(self, f"norm{number}")
        return norm(x + self.dropouts[number - 1](function(x)))


class DecoderLayer(Layer):
    def __init__(self, d_model, n_heads, d_ff=2048, dropout=0.1, activation="relu"):
        super().__init__()
        warnings.warn("made a layer", stacklevel=1)
        self.self_attn = MultiHeadAttention(d_model, n_heads)
        self.cross_attn = MultiHeadAttention(d_model, n_heads)
        self.feed_forward = FeedForward(d_model, d_ff, dropout)
        self.norm1 = nn.LayerNorm(d_model)
        self.norm2 = nn.LayerNorm(d_model)
        self.norm3 = nn.LayerNorm(d_model)
        self.dropouts = nn.ModuleList(nn.Dropout(dropout) for _ in range(3))

    def forward(self, x, memory, mask=None, memory_mask=None):
        x = self.sublayer(1, x, lambda y: self.self_attn(y, y, y, mask=mask))
        x = self.sublayer(2, x, lambda y: self.cross_attn(y, memory, memory, mask=memory_mask))
        return self.sublayer(3, x, self.feed_forward)
