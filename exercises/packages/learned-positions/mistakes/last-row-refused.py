"""You refuse one token too early. With `max_len` rows, the positions 0 … max_len - 1 all have one: a sequence of
exactly `max_len` tokens fits.

Raise only if `offset + n_tokens` is greater than `max_len`, not if it is equal."""

import torch
from torch import nn


class LearnedPositions(nn.Module):
    def __init__(self, max_len, d_model):
        super().__init__()
        self.max_len = max_len
        self.embedding = nn.Embedding(max_len, d_model)

    def forward(self, x, offset=0):
        end = offset + x.shape[1]
        if end >= self.max_len:
            raise ValueError(f"{end} positions are needed, but max_len is {self.max_len}")
        return x + self.embedding(torch.arange(offset, end))
