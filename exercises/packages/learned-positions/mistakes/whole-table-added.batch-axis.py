import torch
from torch import nn


class LearnedPositions(nn.Module):
    def __init__(self, max_len, d_model):
        super().__init__()
        self.max_len = max_len
        self.embedding = nn.Embedding(max_len, d_model)

    def forward(self, x, offset=0):
        n_tokens = x.shape[1]
        if offset + n_tokens > self.max_len:
            raise ValueError(f"{offset + n_tokens} positions are needed, but max_len is {self.max_len}")
        return x + self.embedding(torch.arange(self.max_len)).unsqueeze(0)
