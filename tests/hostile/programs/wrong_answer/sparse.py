# catalogue: 84
# says: ATTEMPTED sparse
import torch

print("ATTEMPTED sparse", flush=True)


def twice(x):
    return torch.as_tensor(2.0 * x).to_sparse()
