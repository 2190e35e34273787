import math

import torch

log = torch.log


def columns(d, base):
    """(d/2, 2): the frequency of both columns of each pair; results are every second column of it."""
    return torch.stack([torch.tensor(float(base)).pow(-torch.arange(0, d, 2) / d)] * 2, dim=1)


linear_frequencies = lambda d, base, factor: (columns(d, base) * (1 / factor))[:, 0]  # noqa: E731


def ntk_frequencies(d, base, factor):
    return columns(d, base * factor ** (d / (d - 2)))[:, 1]


def yarn_frequencies(d, base, factor, original_length, beta_fast, beta_slow):
    low, high = (
        d * math.log2(original_length / (2 * math.pi * beta)) / (2 * math.log2(base)) for beta in (beta_fast, beta_slow)
    )
    low, high = max(math.floor(low), 0), min(math.ceil(high), d - 1)
    result = columns(d, base)
    for i in range(low + 1, d // 2):
        result[i] *= 1 - min((i - low) / (high - low), 1) * (1 - 1 / factor)
    return result[:, 0]


def yarn_attention_factor(factor):
    t = 1 / (0.1 * math.log(factor) + 1) ** 2
    return math.sqrt(1 / t)


def llama3_frequencies(d, base, factor, low_freq_factor, high_freq_factor, original_length):
    result = columns(d, base)
    turns = result[:, 0] * original_length / 2 / math.pi
    slow, between = turns < low_freq_factor, (turns >= low_freq_factor) & (turns <= high_freq_factor)
    smooth = (turns[between] - low_freq_factor) / (high_freq_factor - low_freq_factor)
    result[slow] /= factor
    result[between] *= ((1 - smooth) / factor + smooth)[:, None]
    return result[:, 0]
