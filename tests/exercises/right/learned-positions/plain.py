import torch
import torch.nn as nn


class LearnedPositions(nn.Module):
    def __init__(self, max_len, d_model):
        super().__init__()
        self.max_len = max_len
        self.embedding = nn.Embedding(max_len, d_model)
        nn.init.normal_(self.embedding.weight, std=0.02)

    def forward(self, x, offset=0):
        batch, length, _ = x.size()
        if not offset + length <= self.max_len:
            raise ValueError("max_len is %d, but %d positions are needed" % (self.max_len, offset + length))
        positions = torch.arange(length).unsqueeze(0).repeat(batch, 1) + offset
        return self.embedding(positions).add(x)
