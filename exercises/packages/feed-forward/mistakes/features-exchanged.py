"""Your maps have their widths exchanged: `nn.Linear` takes the width of its input first, then that of its output.

`linear1` goes from `d_model` to `d_ff`: `nn.Linear(d_model, d_ff)`."""

import torch
from torch import nn


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff=2048, dropout=0.1):
        super().__init__()
        self.linear1 = nn.Linear(d_ff, d_model)
        self.linear2 = nn.Linear(d_model, d_ff)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        return self.linear2(self.dropout(torch.relu(self.linear1(x))))
