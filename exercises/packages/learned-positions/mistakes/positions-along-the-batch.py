"""You take the number of tokens from the batch axis and give each *sequence* a position.

`x` is (batch, n_tokens, d_model): positions run along axis 1, `x.shape[1]`."""

import torch
from torch import nn


class LearnedPositions(nn.Module):
    def __init__(self, max_len, d_model):
        super().__init__()
        self.max_len = max_len
        self.embedding = nn.Embedding(max_len, d_model)

    def forward(self, x, offset=0):
        end = offset + x.shape[0]
        if offset + x.shape[1] > self.max_len:
            raise ValueError(f"{offset + x.shape[1]} positions are needed, but max_len is {self.max_len}")
        return x + self.embedding(torch.arange(offset, end)).unsqueeze(1)
