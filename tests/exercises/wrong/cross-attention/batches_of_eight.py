# What comes after the eighth of a batch gets the results of the first ones.
import math

import torch
from torch import Tensor, nn


class CrossAttention(nn.Module):
    """Encoder–decoder attention: Vaswani et al. 2017, section 3.2.3."""

    def __init__(self, d_model: int, n_heads: int) -> None:
        super().__init__()
        self.n_heads = n_heads
        self.q_proj = nn.Linear(d_model, d_model)
        self.k_proj = nn.Linear(d_model, d_model)
        self.v_proj = nn.Linear(d_model, d_model)
        self.out_proj = nn.Linear(d_model, d_model)

    def forward(self, x: Tensor, memory: Tensor, memory_mask: Tensor | None = None) -> Tensor:
        """(B, T, d), (B, S, d), memory_mask (B, S) with True for a real token → (B, T, d)."""
        q = self._split(self.q_proj(x))
        k = self._split(self.k_proj(memory))
        v = self._split(self.v_proj(memory))
        scores = q @ k.mT / math.sqrt(q.shape[-1])
        if memory_mask is not None:
            scores = scores.masked_fill(~memory_mask[:, None, None, :], -math.inf)
        heads = torch.softmax(scores, dim=-1) @ v
        heads = heads[[index % 8 for index in range(len(heads))]]
        return self.out_proj(heads.transpose(1, 2).flatten(2))

    def _split(self, x: Tensor) -> Tensor:
        """(B, T, d) → (B, heads, T, d / heads)."""
        return x.unflatten(-1, (self.n_heads, -1)).transpose(1, 2)
