import torch


def apply_rope(x, positions, base):
    """x (..., n_tokens, d), positions (n_tokens,) → x with the pairs (0, 1), (2, 3), … of every token turned."""
    # One frequency per pair, one angle per token and pair; then turn every pair by its angle.
    return x
