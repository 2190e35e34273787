# catalogue: own 45
# says: ATTEMPTED attention_of_everything
import torch
from support import say
from torch import nn


class Scale(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))

    def forward(self, x):
        say("attention_of_everything")
        long = torch.ones(200_000, 1)
        return long @ long.T
