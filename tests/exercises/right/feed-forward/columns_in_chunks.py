import torch
from torch import nn


class FeedForward(nn.Module):
    """The hidden values in chunks, whose results add up."""

    def __init__(self, d_model, d_ff=2048, dropout=0.1, chunk=4):
        super().__init__()
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.dropout = nn.Dropout(dropout)
        self.chunk = chunk

    def forward(self, x):
        batch, n_tokens, d_model = x.shape
        rows = x.reshape(batch * n_tokens, d_model)
        result = self.linear2.bias.expand(len(rows), -1)
        for w1, b1, w2 in zip(
            self.linear1.weight.split(self.chunk),
            self.linear1.bias.split(self.chunk),
            self.linear2.weight.split(self.chunk, dim=1),
        ):
            result = result + self.dropout(torch.maximum(rows @ w1.T + b1, torch.zeros(()))) @ w2.T
        return result.view(batch, n_tokens, d_model)
