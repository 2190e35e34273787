import warnings

import torch
from torch import nn


class CrossAttention(nn.Module):
    """Heads become part of the batch, as older code does it; the mask is repeated for every head."""

    def __init__(self, d_model, n_heads):
        super(CrossAttention, self).__init__()
        warnings.warn("made a layer", stacklevel=1)
        self.n_heads = n_heads
        self.out_proj = nn.Linear(d_model, d_model)
        self.v_proj = nn.Linear(d_model, d_model)
        self.k_proj = nn.Linear(d_model, d_model)
        self.q_proj = nn.Linear(d_model, d_model)

    def forward(self, query, memory, mask=None, need_weights=False):
        def chunked(x):
            return torch.cat(x.chunk(self.n_heads, dim=-1), dim=0)

        q, k, v = chunked(self.q_proj(query)), chunked(self.k_proj(memory)), chunked(self.v_proj(memory))
        scores = (q / (query.shape[-1] // self.n_heads) ** 0.5).bmm(k.mT)
        if mask is not None:
            bias = torch.zeros(mask.shape).masked_fill_(~mask, -1e9).unsqueeze(1)
            scores = scores + bias.repeat(self.n_heads, 1, 1)
        heads = scores.softmax(dim=-1).bmm(v)
        print("attended", heads.shape)
        return self.out_proj(torch.cat(heads.chunk(self.n_heads, dim=0), dim=-1))
