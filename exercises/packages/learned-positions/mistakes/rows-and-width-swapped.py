"""Your table is turned round: it has d_model rows of width max_len.

nn.Embedding takes the number of rows first: `nn.Embedding(max_len, d_model)`."""

import torch
from torch import nn


class LearnedPositions(nn.Module):
    def __init__(self, max_len, d_model):
        super().__init__()
        self.max_len = max_len
        self.embedding = nn.Embedding(d_model, max_len)

    def forward(self, x, offset=0):
        end = offset + x.shape[1]
        if end > self.max_len:
            raise ValueError(f"{end} positions are needed, but max_len is {self.max_len}")
        return x + self.embedding(torch.arange(offset, end))
