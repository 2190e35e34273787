from __future__ import annotations

import torch
import torch.nn as nn
from torch import Tensor


def softmax(scores: Tensor) -> Tensor:
    shifted = (scores - scores.amax(dim=-1, keepdim=True)).exp()
    return shifted / shifted.sum(dim=-1, keepdim=True)


def bias_of(mask: Tensor | None, like: Tensor) -> Tensor | float:
    if mask is None:
        return 0.0
    return torch.zeros_like(mask, dtype=like.dtype).masked_fill_(mask.logical_not(), float("-inf")).unsqueeze(1)


class CrossAttention(nn.Module):
    def __init__(self, d_model: int, n_heads: int, dropout: float = 0.0) -> None:
        super().__init__()
        assert d_model % n_heads == 0
        for name in ("q_proj", "k_proj", "v_proj", "out_proj"):
            setattr(self, name, nn.Linear(d_model, d_model))
            nn.init.xavier_uniform_(getattr(self, name).weight)
        self.n_heads, self.width = n_heads, d_model // n_heads
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: Tensor, memory: Tensor, memory_mask: Tensor | None = None) -> Tensor:
        outputs = []
        for j in range(self.n_heads):
            own = slice(j * self.width, (j + 1) * self.width)
            q, k, v = self.q_proj(x)[..., own], self.k_proj(memory)[..., own], self.v_proj(memory)[..., own]
            scores = torch.bmm(q, k.transpose(1, 2)) / self.width**0.5 + bias_of(memory_mask, x)
            outputs.append(torch.bmm(self.dropout(softmax(scores)), v))
        return self.out_proj(torch.cat(outputs, dim=-1))
