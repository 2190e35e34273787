import torch
from torch import nn


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff=2048, dropout=0.1):
        super().__init__()
        self.d_ff = d_ff
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        linear1 = nn.Linear(x.shape[-1], self.d_ff)
        linear2 = nn.Linear(self.d_ff, x.shape[-1])
        return linear2(self.dropout(torch.relu(linear1(x))))
