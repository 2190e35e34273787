import torch
from torch import nn


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff=2048, dropout=0.1):
        super().__init__()
        self.linear1, self.linear2 = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.drop = nn.Dropout(dropout)

    def forward(self, x):
        hidden = torch.einsum("btd,fd->btf", x, self.linear1.weight) + self.linear1.bias
        hidden = self.drop(hidden.clamp(min=0))
        return torch.einsum("btf,df->btd", hidden, self.linear2.weight) + self.linear2.bias
