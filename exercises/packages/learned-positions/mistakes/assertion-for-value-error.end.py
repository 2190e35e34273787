import torch
from torch import nn


class LearnedPositions(nn.Module):
    def __init__(self, max_len, d_model):
        super().__init__()
        self.max_len = max_len
        self.embedding = nn.Embedding(max_len, d_model)

    def forward(self, x, offset=0):
        n_tokens = x.shape[1]
        end = offset + n_tokens
        assert end <= self.embedding.num_embeddings
        positions = torch.arange(offset, end)
        return x + self.embedding(positions)
