"""Your table is a parameter, but it has another name than `embedding.weight`, which the tests look for.

An `nn.Embedding` under the name `embedding` has its table there, and takes positions: `self.embedding(positions)`."""

import torch
from torch import nn


class LearnedPositions(nn.Module):
    def __init__(self, max_len, d_model):
        super().__init__()
        self.max_len = max_len
        self.embedding = nn.Parameter(torch.randn(max_len, d_model))

    def forward(self, x, offset=0):
        end = offset + x.shape[1]
        if end > self.max_len:
            raise ValueError(f"{end} positions are needed, but max_len is {self.max_len}")
        return x + self.embedding[offset:end]
