import math

import torch


def attention(q, k, v):
    q, k, v = (torch.from_numpy(x) for x in (q, k, v))
    with torch.no_grad():
        scores = torch.matmul(q, k.transpose(-2, -1)) / math.sqrt(k.size(-1))
        return torch.matmul(torch.softmax(scores, dim=-1), v).numpy()
