from torch import nn


class Scale(nn.Module):
    def __init__(self, width):
        super().__init__()

    def forward(self, x):
        return None
