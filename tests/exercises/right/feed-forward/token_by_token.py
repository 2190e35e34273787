import torch
from torch import nn


class FeedForward(nn.Module):
    """Every token on its own, in loops."""

    def __init__(self, d_model, d_ff=2048, dropout=0.1):
        super().__init__()
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.activation = nn.ReLU()
        self.dropout = nn.Dropout(p=dropout)

    def one(self, vector):
        return self.linear2(self.dropout(self.activation(self.linear1(vector))))

    def forward(self, x):
        return torch.stack([torch.stack([self.one(token) for token in sequence]) for sequence in x])
