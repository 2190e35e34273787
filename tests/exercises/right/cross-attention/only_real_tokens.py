import math

import torch
from torch import nn


class CrossAttention(nn.Module):
    """Sentence by sentence, and padding is cut out before anything else happens."""

    def __init__(self, d_model, n_heads):
        super().__init__()
        self.q_proj = nn.Linear(d_model, d_model)
        self.k_proj = nn.Linear(d_model, d_model)
        self.v_proj = nn.Linear(d_model, d_model)
        self.out_proj = nn.Linear(d_model, d_model)
        self.n_heads = n_heads

    def forward(self, x, memory, memory_mask=None):
        sentences = []
        for index, (tokens, remembered) in enumerate(zip(x, memory)):
            if memory_mask is not None:
                remembered = remembered[memory_mask[index]]
            sentences.append(self.one(tokens, remembered))
        return self.out_proj(torch.stack(sentences))

    def one(self, tokens, remembered):
        q = self.q_proj(tokens).chunk(self.n_heads, dim=1)
        k = self.k_proj(remembered).chunk(self.n_heads, dim=1)
        v = self.v_proj(remembered).chunk(self.n_heads, dim=1)
        heads = []
        for a, b, c in zip(q, k, v):
            heads.append(torch.softmax(a @ b.t() / math.sqrt(a.shape[1]), dim=1) @ c)
        return torch.cat(heads, dim=1)
