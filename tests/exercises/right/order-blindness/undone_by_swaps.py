import numpy as np
from numpy import exp, sqrt


def attend_bag(x, w_q, w_k, w_v):
    result = []
    for token in x:
        scores = (x @ w_k) @ (token @ w_q) / sqrt(w_k.shape[1])
        weights = exp(scores - max(scores))
        result.append(weights / sum(weights) @ (x @ w_v))
    return np.asarray(result)


def attend_shuffled(x, order, w_q, w_k, w_v, positions=None):
    sentence = [x[token] for token in order]
    if positions is not None:
        sentence = [token + position for token, position in zip(sentence, positions)]
    result = attend_bag(np.array(sentence), w_q, w_k, w_v)
    where = order.copy()
    for p in range(len(where)):
        while where[p] != p:
            target = where[p]
            result[[p, target]] = result[[target, p]]
            where[[p, target]] = where[[target, p]]
    return result


def largest_change(*args):
    x, order, *rest = args
    now = attend_shuffled(x, order, *rest)
    before = attend_shuffled(x, np.arange(len(x)), *rest)
    return np.array(np.ptp(np.stack([now, before]), axis=0).max())
