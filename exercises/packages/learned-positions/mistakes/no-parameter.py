"""Your module has no parameter. Perhaps there is no table yet; perhaps it is a plain tensor: a module registers only
`nn.Parameter` and sub-modules, and all else is neither trained nor saved.

Make it `self.embedding = nn.Embedding(max_len, d_model)`."""

import torch
from torch import nn


class LearnedPositions(nn.Module):
    def __init__(self, max_len, d_model):
        super().__init__()
        self.max_len = max_len
        self.embedding = torch.randn(max_len, d_model)

    def forward(self, x, offset=0):
        end = offset + x.shape[1]
        if end > self.max_len:
            raise ValueError(f"{end} positions are needed, but max_len is {self.max_len}")
        return x + self.embedding[offset:end]
