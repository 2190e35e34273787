"""You count from row 0 in every call. A decoder that writes token by token passes one new token at a time, and
`offset` says how many came before it.

Begin your range at `offset`."""

import torch
from torch import nn


class LearnedPositions(nn.Module):
    def __init__(self, max_len, d_model):
        super().__init__()
        self.max_len = max_len
        self.embedding = nn.Embedding(max_len, d_model)

    def forward(self, x, offset=0):
        if offset + x.shape[1] > self.max_len:
            raise ValueError(f"{offset + x.shape[1]} positions are needed, but max_len is {self.max_len}")
        return x + self.embedding(torch.arange(x.shape[1]))
