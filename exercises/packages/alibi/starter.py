import torch


def alibi_slopes(n_heads):
    """One slope per head, (n_heads,): a geometric sequence, and a rule for what is no power of two."""
    return torch.ones(n_heads)


def alibi_bias(n_heads, n_queries, n_keys):
    """What is added to the scores, (n_heads, n_queries, n_keys)."""
    # The distance of every query to every key, times the slope of every head; -inf for keys that come later.
    return torch.zeros(n_heads, n_queries, n_keys)
