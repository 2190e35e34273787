# Exactly a share p of every token's hidden values is dropped.
import torch
from torch import nn


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff=2048, dropout=0.1):
        super().__init__()
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.p = dropout

    def forward(self, x):
        hidden = torch.relu(self.linear1(x))
        if self.training and self.p:
            rank = torch.rand(hidden.shape).argsort(-1).argsort(-1)
            hidden = hidden * (rank >= round(self.p * hidden.shape[-1])) / (1 - self.p)
        return self.linear2(hidden)
