# Drops in training.
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
            raise ValueError(f"positions up to {end} are asked for, but max_len is {self.max_len}")
        return self.dropout(x + self.embedding(torch.arange(offset, end)))
