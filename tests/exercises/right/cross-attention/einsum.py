import torch
from torch import nn


class CrossAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.h = n_heads
        self.q_proj, self.k_proj, self.v_proj, self.out_proj = (nn.Linear(d_model, d_model) for _ in range(4))

    def forward(self, x, memory, memory_mask=None):
        q, k, v = (
            layer(source).view(*source.shape[:2], self.h, -1)
            for layer, source in ((self.q_proj, x), (self.k_proj, memory), (self.v_proj, memory))
        )
        scores = torch.einsum("bqhc,bkhc->bhqk", q, k) * q.size(-1) ** -0.5
        if memory_mask is not None:
            scores = torch.where(memory_mask[:, None, None], scores, torch.finfo(scores.dtype).min)
        return self.out_proj(torch.einsum("bhqk,bkhc->bqhc", scores.softmax(-1), v).flatten(-2))
