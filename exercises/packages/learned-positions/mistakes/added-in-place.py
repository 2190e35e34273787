"""`x += …` changes the tensor that the caller gave you, and stops with an error where `x` is a leaf that needs
gradients.

Write `x + …`, which makes a new one."""

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
        x += self.embedding(torch.arange(offset, end))
        return x
