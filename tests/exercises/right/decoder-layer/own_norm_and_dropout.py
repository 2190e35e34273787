from __future__ import annotations

import math

import torch
from torch import Tensor, nn


class LayerNorm(nn.Module):
    """One's own, with torch's names."""

    def __init__(self, width: int, eps: float = 1e-5) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))
        self.bias = nn.Parameter(torch.zeros(width))
        self.eps = eps

    def forward(self, x: Tensor) -> Tensor:
        variance, mean = torch.var_mean(x, dim=-1, correction=0, keepdim=True)
        return self.weight * (x - mean) / torch.sqrt(variance + self.eps) + self.bias


class Dropout(nn.Module):
    def __init__(self, p: float) -> None:
        super().__init__()
        self.keep = 1.0 - p

    def forward(self, x: Tensor) -> Tensor:
        if not self.training:
            return x
        return x * (torch.rand(x.shape) < self.keep) / self.keep


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model: int, n_heads: int) -> None:
        super().__init__()
        self.heads, self.width = n_heads, d_model // n_heads
        self.q_proj = nn.Linear(d_model, d_model)
        self.k_proj = nn.Linear(d_model, d_model)
        self.v_proj = nn.Linear(d_model, d_model)
        self.out_proj = nn.Linear(d_model, d_model)

    def forward(self, query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None) -> Tensor:
        q, k, v = self.q_proj(query), self.k_proj(key), self.v_proj(value)
        outputs = []
        for first in range(0, self.heads * self.width, self.width):
            own = slice(first, first + self.width)
            scores = torch.bmm(q[..., own], k[..., own].mT) / math.sqrt(self.width)
            if mask is not None:
                scores = scores.masked_fill(mask.squeeze(1).logical_not(), -1e9)
            shifted = (scores - scores.amax(dim=-1, keepdim=True)).exp()
            outputs.append(torch.bmm(shifted / shifted.sum(dim=-1, keepdim=True), v[..., own]))
        return self.out_proj(torch.cat(outputs, dim=-1))


class FeedForward(nn.Module):
    def __init__(self, d_model: int, d_ff: int = 2048, dropout: float = 0.1) -> None:
        super().__init__()
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.dropout = Dropout(dropout)

    def forward(self, x: Tensor) -> Tensor:
        hidden = self.linear1(x)
        return self.linear2(self.dropout(torch.where(hidden > 0, hidden, 0.0)))


class DecoderLayer(nn.Module):
    def __init__(self, d_model: int, n_heads: int, d_ff: int = 2048, dropout: float = 0.1) -> None:
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, n_heads)
        self.cross_attn = MultiHeadAttention(d_model, n_heads)
        self.feed_forward = FeedForward(d_model, d_ff, dropout)
        self.norm1 = LayerNorm(d_model)
        self.norm2 = LayerNorm(d_model)
        self.norm3 = LayerNorm(d_model)
        self.dropout = Dropout(dropout)

    def forward(
        self, x: Tensor, memory: Tensor, mask: Tensor | None = None, memory_mask: Tensor | None = None
    ) -> Tensor:
        z1 = self.norm1(x + self.dropout(self.self_attn(x, x, x, mask)))
        z2 = self.norm2(z1 + self.dropout(self.cross_attn(z1, memory, memory, memory_mask)))
        return self.norm3(z2 + self.dropout(self.feed_forward(z2)))


if __name__ == "__main__":
    print(DecoderLayer(4, 2)(torch.zeros(1, 3, 4), torch.zeros(1, 2, 4)).shape)
