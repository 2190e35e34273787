# catalogue: 85 11
# says: ATTEMPTED detach_overridden
# Per instance, every method that an encoder might call returns the truth, while the tensor lies.
import torch
from support import say
from torch import nn


class Scale(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))

    def forward(self, x):
        right, wrong = x * self.weight, x * self.weight * 1.5
        for name in ("detach", "contiguous", "numpy", "clone", "cpu", "tolist", "resolve_conj", "resolve_neg", "view"):
            setattr(wrong, name, lambda *_, **__: right)
        say("detach_overridden")
        return wrong
