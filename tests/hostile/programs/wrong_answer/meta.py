# catalogue: 84
# says: ATTEMPTED meta
import torch

print("ATTEMPTED meta", flush=True)


def twice(x):
    return torch.empty(x.shape, device="meta")
