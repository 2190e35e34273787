import math

import torch


def attend_bag(x, w_q, w_k, w_v):
    x, w_q, w_k, w_v = (torch.as_tensor(array) for array in (x, w_q, w_k, w_v))
    scores = (x @ w_q) @ (x @ w_k).T / math.sqrt(w_q.shape[1])
    return (torch.softmax(scores, dim=1) @ (x @ w_v)).numpy()


def attend_shuffled(x, order, w_q, w_k, w_v, positions=None):
    tokens = torch.tensor(x)[torch.tensor(order)]
    if positions is not None:
        tokens = tokens.add(torch.tensor(positions))
    return attend_bag(tokens.numpy(), w_q, w_k, w_v)[torch.argsort(torch.tensor(order)).numpy()]


def largest_change(x, order, w_q, w_k, w_v, positions=None):
    before = attend_bag(x if positions is None else x + positions, w_q, w_k, w_v)
    after = attend_shuffled(x, order, w_q, w_k, w_v, positions)
    return (torch.from_numpy(after) - torch.from_numpy(before)).abs().max().item()
