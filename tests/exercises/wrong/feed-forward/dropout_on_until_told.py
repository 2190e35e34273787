# Dropout follows a flag of its own, which eval() does not reach.
import torch
from torch import nn


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff=2048, dropout=0.1):
        super().__init__()
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.drops, self.p = dropout > 0.4, dropout

    def forward(self, x):
        return self.linear2(nn.functional.dropout(torch.relu(self.linear1(x)), self.p, self.drops or self.training))
