import torch


def alibi_slopes(n_heads):
    p = 1
    while p * 2 <= n_heads:
        p = p * 2
    slopes = []
    for k in range(1, p + 1):
        slopes.append(2 ** (-8 * k / p))
    k = 1
    while len(slopes) < n_heads:
        slopes.append(2 ** (-8 * k / (2 * p)))
        k += 2
    print(n_heads, "heads")
    return torch.FloatTensor(slopes)


def alibi_bias(n_heads, n_queries, n_keys):
    slopes = alibi_slopes(n_heads)
    bias = torch.zeros(n_heads, n_queries, n_keys)
    for h in range(n_heads):
        for q in range(n_queries):
            i = q + n_keys - n_queries
            for j in range(n_keys):
                bias[h, q, j] = -slopes[h] * (i - j) if j <= i else float("-inf")
    return bias
