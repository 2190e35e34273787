import math

import torch


def linear_frequencies(d, base, factor):
    return torch.tensor([base ** (-2 * i / d) / factor for i in range(d // 2)])


def ntk_frequencies(d, base, factor):
    new_base = base * pow(factor, d / (d - 2))
    return torch.tensor([new_base ** (-2 * i / d) for i in range(d // 2)])


def yarn_frequencies(d, base, factor, original_length, beta_fast, beta_slow):
    def correction(n):
        return d * math.log(original_length / (n * 2 * math.pi)) / (2 * math.log(base))

    low = max(int(math.floor(correction(beta_fast))), 0)
    high = min(int(math.ceil(correction(beta_slow))), d - 1)
    result = []
    for i in range(d // 2):
        f = base ** (-2 * i / d)
        if i <= low:
            result.append(f)
        elif i >= high:
            result.append(f / factor)
        else:
            r = (i - low) / (high - low)
            result.append((1 - r) * f + r * f / factor)
    return torch.tensor(result)


def yarn_attention_factor(factor):
    if factor <= 1:
        return 1
    return 0.1 * math.log(factor) + 1.0


def llama3_frequencies(d, base, factor, low_freq_factor, high_freq_factor, original_length):
    print("scaling", d)
    result = []
    for i in range(d // 2):
        f = base ** (-2 * i / d)
        wavelength = 2 * math.pi / f
        if wavelength < original_length / high_freq_factor:
            result.append(f)
        elif wavelength > original_length / low_freq_factor:
            result.append(f / factor)
        else:
            s = (original_length / wavelength - low_freq_factor) / (high_freq_factor - low_freq_factor)
            result.append((1 - s) * f / factor + s * f)
    return torch.tensor(result)
