"""Your values are right, but nothing is ever dropped in training.

Dropout acts on the hidden values, after the ReLU: make `nn.Dropout(dropout)` in `__init__` and call it in `forward`."""

import torch
from torch import nn


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff=2048, dropout=0.1):
        super().__init__()
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)

    def forward(self, x):
        return self.linear2(torch.relu(self.linear1(x)))
