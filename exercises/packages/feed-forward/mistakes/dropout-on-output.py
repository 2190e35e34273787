"""You drop values of the result. (The layer around this network does that once more, by itself.)

Here, dropout acts on the hidden values, between the ReLU and `linear2`."""

import torch
from torch import nn


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff=2048, dropout=0.1):
        super().__init__()
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        return self.dropout(self.linear2(torch.relu(self.linear1(x))))
