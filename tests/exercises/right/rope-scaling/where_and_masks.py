import math

import torch


def inv_freq(d, base):
    return 1.0 / (base ** (torch.arange(0, d, 2, dtype=torch.float32) / d))


def linear_frequencies(d, base, factor):
    return inv_freq(d, base).div_(factor)


def ntk_frequencies(d, base, factor, *_unused):
    return inv_freq(d, base * factor ** (d / (d - 2)))


def yarn_frequencies(d, base, factor, original_length, beta_fast=32, beta_slow=1):
    ends = d * torch.log(original_length / (2 * torch.pi * torch.tensor([beta_fast, beta_slow]))) / 2 / math.log(base)
    low, high = ends[0].floor().clamp(min=0), ends[1].ceil().clamp(max=d - 1)
    extrapolation = 1 - torch.clamp((torch.arange(d // 2, dtype=torch.float32) - low) / (high - low), 0, 1)
    return linear_frequencies(d, base, factor) * (1 - extrapolation) + inv_freq(d, base) * extrapolation


def yarn_attention_factor(factor):
    return 0.1 * torch.log(torch.tensor(float(factor))) + 1.0


def llama3_frequencies(d, base, factor, low_freq_factor, high_freq_factor, original_length):
    freqs = inv_freq(d, base)
    wavelen = 2 * math.pi / freqs
    low_wavelen, high_wavelen = original_length / low_freq_factor, original_length / high_freq_factor
    scaled = torch.where(wavelen > low_wavelen, freqs / factor, freqs)
    smooth = (original_length / wavelen - low_freq_factor) / (high_freq_factor - low_freq_factor)
    blended = (1 - smooth) * scaled / factor + smooth * scaled
    medium = ~(wavelen < high_wavelen) * ~(wavelen > low_wavelen)
    return torch.where(medium, blended, scaled)
