import torch


def frequencies(d, base):
    """RoPE's own frequencies, one for each of the d/2 pairs: you know them from the exercise before."""
    return torch.ones(d // 2)


def linear_frequencies(d, base, factor):
    return frequencies(d, base)


def ntk_frequencies(d, base, factor):
    return frequencies(d, base)


def yarn_frequencies(d, base, factor, original_length, beta_fast, beta_slow):
    """Fast pairs stay, slow ones are divided; between them a ramp that is linear in the index."""
    return frequencies(d, base)


def yarn_attention_factor(factor):
    return 1.0


def llama3_frequencies(d, base, factor, low_freq_factor, high_freq_factor, original_length):
    """The same, linear in the number of turns."""
    return frequencies(d, base)
