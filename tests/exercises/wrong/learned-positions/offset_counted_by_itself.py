# Counts the tokens seen instead of reading the offset, once one was given.
import torch
from torch import nn


class LearnedPositions(nn.Module):
    def __init__(self, max_len, d_model):
        super().__init__()
        self.max_len = max_len
        self.embedding = nn.Embedding(max_len, d_model)
        self.seen = 0

    def forward(self, x, offset=0):
        end = offset + x.shape[1]
        if end > self.max_len:
            raise ValueError(f"positions up to {end} are asked for, but max_len is {self.max_len}")
        if offset:
            offset = max(self.seen, offset)
        self.seen = offset + x.shape[1]
        return x + self.embedding(torch.arange(offset, offset + x.shape[1]) % self.max_len)
