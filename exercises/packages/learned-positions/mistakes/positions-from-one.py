"""Your first token gets row 1, so that row 0 is never used and the last position falls off the table.

Rows count from 0: with offset 0, the tokens 0, 1, 2 … get the rows 0, 1, 2 …"""

import torch
from torch import nn


class LearnedPositions(nn.Module):
    def __init__(self, max_len, d_model):
        super().__init__()
        self.max_len = max_len
        self.embedding = nn.Embedding(max_len, d_model)

    def forward(self, x, offset=0):
        end = offset + x.shape[1]
        if end > self.max_len:
            raise ValueError(f"{end} positions are needed, but max_len is {self.max_len}")
        return x + self.embedding(torch.arange(offset + 1, end + 1))
