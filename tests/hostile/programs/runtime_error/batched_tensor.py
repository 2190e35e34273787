# catalogue: own 84
# says: ATTEMPTED batched_tensor: Tensor
# A tensor of vmap: of the exact type, and without data that anybody could read.
import torch
from support import say
from torch import nn


class Scale(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))

    def forward(self, x):
        torch._C._functorch._vmap_increment_nesting(len(x), "error")
        strange = torch._C._functorch._add_batch_dim(x.detach() * 0, 0, 1)
        say("batched_tensor", type(strange).__name__)
        return strange
