"""Row 0 gets no gradient: `padding_idx=0` tells nn.Embedding that row 0 is padding and must never be trained. That is
meant for tables of *tokens*.

Position 0 is a position like any other: leave the argument out."""

import torch
from torch import nn


class LearnedPositions(nn.Module):
    def __init__(self, max_len, d_model):
        super().__init__()
        self.max_len = max_len
        self.embedding = nn.Embedding(max_len, d_model, padding_idx=0)

    def forward(self, x, offset=0):
        end = offset + x.shape[1]
        if end > self.max_len:
            raise ValueError(f"{end} positions are needed, but max_len is {self.max_len}")
        return x + self.embedding(torch.arange(offset, end))
