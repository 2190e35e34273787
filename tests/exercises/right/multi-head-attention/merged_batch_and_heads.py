import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    """Heads become part of the batch, as older code does it; the mask is repeated for every head."""

    def __init__(self, d_model, n_heads, dropout=0.0):
        super().__init__()
        self.n_heads = n_heads
        for name in ("q_proj", "k_proj", "v_proj", "out_proj"):
            setattr(self, name, nn.Linear(d_model, d_model))
            nn.init.xavier_uniform_(getattr(self, name).weight)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key, value, mask=None):
        def chunked(x):
            return torch.cat(x.chunk(self.n_heads, dim=-1), dim=0)

        q, k, v = chunked(self.q_proj(query)), chunked(self.k_proj(key)), chunked(self.v_proj(value))
        scale = (query.shape[-1] // self.n_heads) ** 0.5
        scores = (q / scale).bmm(k.mT)
        if mask is not None:
            bias = torch.zeros(mask.shape).masked_fill_(~mask, -1e9).squeeze(1)
            scores = scores + bias.repeat(self.n_heads, 1, 1)
        heads = self.dropout(scores.softmax(dim=-1)).bmm(v)
        return self.out_proj(torch.cat(heads.chunk(self.n_heads, dim=0), dim=-1))
