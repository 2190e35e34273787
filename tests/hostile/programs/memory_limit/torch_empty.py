# catalogue: 45
# says: ATTEMPTED torch_empty
import os


import torch


def twice(x):
    print("ATTEMPTED torch_empty", flush=True)
    return torch.ones(1 << 28)
