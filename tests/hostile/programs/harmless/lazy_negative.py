# catalogue: own 86
# says: ATTEMPTED lazy_negative: True
# A view whose negation is a bit that has not been carried out: resolved before it is sent.
import torch
from support import say
from torch import nn


class Scale(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))

    def forward(self, x):
        y = torch._neg_view(-(x * self.weight))
        say("lazy_negative", y.is_neg())
        return y
