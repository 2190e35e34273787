import math
import torch


def rope_freqs(d, base):
    return 1.0 / (base ** (torch.arange(0, d, 2, dtype=torch.float64) / d))


def linear_frequencies(d, base, factor):
    return rope_freqs(d, base) / factor


def ntk_frequencies(d, base, factor):
    return rope_freqs(d, base * factor ** (d / (d - 2)))


def correction_dim(n_rot, d, base, length):
    return (d * math.log(length / (n_rot * 2 * math.pi))) / (2 * math.log(base))


def yarn_frequencies(d, base, factor, original_length, beta_fast, beta_slow):
    low = max(math.floor(correction_dim(beta_fast, d, base, original_length)), 0)
    high = min(math.ceil(correction_dim(beta_slow, d, base, original_length)), d - 1)
    ramp = torch.clamp((torch.arange(d // 2, dtype=torch.float64) - low) / (high - low), 0, 1)
    f = rope_freqs(d, base)
    return f * (1 - ramp) + f / factor * ramp


def yarn_attention_factor(factor):
    return 0.1 * math.log(factor) + 1.0


def llama3_frequencies(d, base, factor, low_freq_factor, high_freq_factor, original_length):
    out = []
    for f in rope_freqs(d, base).tolist():
        wl = 2 * math.pi / f
        if wl < original_length / high_freq_factor:
            out.append(f)
        elif wl > original_length / low_freq_factor:
            out.append(f / factor)
        else:
            s = (original_length / wl - low_freq_factor) / high_freq_factor - low_freq_factor
            out.append((1 - s) * f / factor + s * f)
    return torch.tensor(out)
