import torch
from torch import nn
from torch.nn import functional as F


class LearnedPositions(nn.Module):
    """As BERT's code has it: the positions wait in a buffer."""

    def __init__(self, max_len, d_model):
        super().__init__()
        self.embedding = nn.Embedding(max_len, d_model)
        self.register_buffer("position_ids", torch.arange(max_len).expand((1, -1)), persistent=True)

    def forward(self, x, offset=0):
        end = x.shape[1] + offset
        if end > self.position_ids.shape[1]:
            raise ValueError(f"max_len={self.position_ids.shape[1]} is too short for offset={offset}")
        return x + F.embedding(self.position_ids[:, offset:end], self.embedding.weight)
