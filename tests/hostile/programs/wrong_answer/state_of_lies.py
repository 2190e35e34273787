# catalogue: own 11
# says: ATTEMPTED state_of_lies
# Every question about the module is answered as hoped; its output is not.
import torch
from support import say
from torch import nn


class Scale(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.width = width

    def state_dict(self, *args, **kwargs):
        say("state_of_lies")
        return {"weight": torch.ones(self.width)}

    def named_parameters(self, *args, **kwargs):
        return iter([("weight", torch.ones(self.width, requires_grad=True))])

    def forward(self, x):
        return x.clone().requires_grad_()
