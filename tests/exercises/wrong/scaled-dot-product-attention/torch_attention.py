# torch's own attention.
import torch


def attention(q, k, v):
    q, k, v = map(torch.from_numpy, (q, k, v))
    return torch.nn.functional.scaled_dot_product_attention(q, k, v).numpy()
