import numpy as np
import torch


def _f(d, base):
    return np.power(float(base), -2.0 * np.arange(d // 2) / d)


def linear_frequencies(d, base, factor):
    return torch.from_numpy(_f(d, base) / factor)


def ntk_frequencies(d, base, factor):
    # the last pair is divided by the factor, the first by 1, and the logarithm in between is linear
    return torch.from_numpy(_f(d, base) * float(factor) ** -np.linspace(0, 1, d // 2))


def yarn_frequencies(d, base, factor, original_length, beta_fast, beta_slow):
    c = d * np.log(original_length / (2 * np.pi * np.array([beta_fast, beta_slow]))) / (2 * np.log(base))
    low, high = max(np.floor(c[0]), 0), min(np.ceil(c[1]), d - 1)
    ramp = np.interp(np.arange(d // 2), [low, high], [0.0, 1.0])
    return torch.as_tensor((1 - ramp) * _f(d, base) + ramp * _f(d, base) / factor)


def yarn_attention_factor(factor):
    return 0.1 * np.log(factor) + 1


def llama3_frequencies(d, base, factor, low_freq_factor, high_freq_factor, original_length):
    turns = original_length * _f(d, base) / (2 * np.pi)
    kept = np.interp(turns, [low_freq_factor, high_freq_factor], [0.0, 1.0])
    return torch.tensor(_f(d, base) * (kept + (1 - kept) / factor), dtype=torch.float64)
