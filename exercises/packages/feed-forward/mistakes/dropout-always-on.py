"""Dropout is on in evaluation mode, too, so that equal inputs give different results. `nn.functional.dropout` drops
unless told otherwise.

Pass `training=self.training`, or make an `nn.Dropout` in `__init__`, which knows the mode by itself."""

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
        return self.linear2(nn.functional.dropout(hidden, self.p))
