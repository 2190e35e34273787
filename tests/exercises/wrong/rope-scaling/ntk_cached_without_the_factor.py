# NTK-aware frequencies are kept by width and base alone.
import math

import torch


def plain(d, base):
    return base ** (-torch.arange(0, d, 2, dtype=torch.float64) / d)


def linear_frequencies(d, base, factor):
    return plain(d, base) / factor


KEPT_NTK = {}


def ntk_frequencies(d, base, factor):
    key = (d, base)
    if key not in KEPT_NTK:
        KEPT_NTK[key] = computed_ntk_frequencies(d, base, factor)
    return KEPT_NTK[key]


def computed_ntk_frequencies(d, base, factor):
    return plain(d, base * factor ** (d / (d - 2)))


def yarn_frequencies(d, base, factor, original_length, beta_fast, beta_slow):
    def pair(turns):
        return d * math.log(original_length / (turns * 2 * math.pi)) / (2 * math.log(base))

    low = max(math.floor(pair(beta_fast)), 0)
    high = min(math.ceil(pair(beta_slow)), d - 1)
    ramp = ((torch.arange(d // 2) - low) / (high - low)).clamp(0, 1)
    kept = plain(d, base)
    return kept * (1 - ramp) + kept / factor * ramp


def yarn_attention_factor(factor):
    return 0.1 * math.log(factor) + 1.0


def llama3_frequencies(d, base, factor, low_freq_factor, high_freq_factor, original_length):
    kept = plain(d, base)
    turns = original_length * kept / (2 * math.pi)
    smooth = ((turns - low_freq_factor) / (high_freq_factor - low_freq_factor)).clamp(0, 1)
    return (1 - smooth) * kept / factor + smooth * kept
