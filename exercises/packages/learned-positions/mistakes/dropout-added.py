"""There is dropout in your layer, so that two equal calls differ. BERT has it after the sum, but this exercise asks
for the sum alone.

Leave it out."""

import torch
from torch import nn


class LearnedPositions(nn.Module):
    def __init__(self, max_len, d_model):
        super().__init__()
        self.max_len = max_len
        self.embedding = nn.Embedding(max_len, d_model)
        self.dropout = nn.Dropout(0.1)

    def forward(self, x, offset=0):
        end = offset + x.shape[1]
        if end > self.max_len:
            raise ValueError(f"{end} positions are needed, but max_len is {self.max_len}")
        return self.dropout(x + self.embedding(torch.arange(offset, end)))
