"""Your YaRN ramp is linear in the number of turns. The paper has it so, but its authors' code and every library that
followed, and this statement, do not.

Make it linear in the *index* of the pair, between floor c(β_fast) and ceil c(β_slow)."""

import math

import torch


def frequencies(d, base):
    return base ** (-torch.arange(0, d, 2) / d)


def linear_frequencies(d, base, factor):
    return frequencies(d, base) / factor


def ntk_frequencies(d, base, factor):
    return frequencies(d, base * factor ** (d / (d - 2)))


def yarn_frequencies(d, base, factor, original_length, beta_fast, beta_slow):
    kept = frequencies(d, base)
    turns = original_length * kept / (2 * math.pi)
    ramp = 1 - ((turns - beta_slow) / (beta_fast - beta_slow)).clamp(0, 1)
    return kept * (1 - ramp) + kept / factor * ramp


def yarn_attention_factor(factor):
    return 0.1 * math.log(factor) + 1.0


def llama3_frequencies(d, base, factor, low_freq_factor, high_freq_factor, original_length):
    kept = frequencies(d, base)
    wavelengths = 2 * math.pi / kept
    smooth = (original_length / wavelengths - low_freq_factor) / (high_freq_factor - low_freq_factor)
    smooth = smooth.clamp(0, 1)
    return (1 - smooth) * kept / factor + smooth * kept
