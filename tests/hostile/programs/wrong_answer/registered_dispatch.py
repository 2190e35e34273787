# catalogue: own 11
# says: ATTEMPTED registered_dispatch
# A subclass that answers every torch function by itself, wrapped as a parameter.
import torch
from support import say
from torch import nn


class Liar(torch.Tensor):
    @classmethod
    def __torch_function__(cls, function, types, args=(), kwargs=None):
        return True if function in (torch.allclose, torch.equal) else super().__torch_function__(function, types, args, kwargs or {})


class Scale(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))

    def forward(self, x):
        say("registered_dispatch")
        return (x * 0).as_subclass(Liar)
