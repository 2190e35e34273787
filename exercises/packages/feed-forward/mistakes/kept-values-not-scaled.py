"""You set hidden values to 0, but leave the others as they are. Then the network gives smaller results in training
than afterwards.

Divide what is kept by 1 - p, as `nn.Dropout` does."""

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
        if self.training:
            hidden = hidden * (torch.rand_like(hidden) >= self.p)
        return self.linear2(hidden)
