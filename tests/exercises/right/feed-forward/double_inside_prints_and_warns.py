import warnings

import torch
from torch import nn


def relu(x):
    return (x + x.abs()) / 2


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff=2048, dropout=0.1):
        super().__init__()
        warnings.warn("made", stacklevel=1)
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        print("got", tuple(x.shape), "training" if self.training else "evaluating")
        w1, b1, w2, b2 = (parameter.double() for parameter in self.parameters())
        hidden = self.dropout(relu(torch.matmul(x.double(), w1.t()) + b1))
        return (torch.matmul(hidden, w2.t()) + b2).float()
