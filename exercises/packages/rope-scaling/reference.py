import math

import torch
from torch import Tensor


def frequencies(d: int, base: float) -> Tensor:
    """Radians per position of each pair, (d/2,)."""
    return base ** -(torch.arange(0, d, 2) / d)


def linear_frequencies(d: int, base: float, factor: float) -> Tensor:
    """Positional interpolation: Chen et al. 2023."""
    return frequencies(d, base) / factor


def ntk_frequencies(d: int, base: float, factor: float) -> Tensor:
    """A larger base divides the last frequency by `factor` and leaves the first: Peng et al. 2023, section 3.1."""
    return frequencies(d, base * factor ** (d / (d - 2)))


def yarn_frequencies(
    d: int, base: float, factor: float, original_length: int, beta_fast: float, beta_slow: float
) -> Tensor:
    """A ramp over the index from kept to divided frequencies: Peng et al. 2023, as in the authors' code."""

    def pair(turns: float) -> float:
        return d * math.log(original_length / (2 * math.pi * turns)) / (2 * math.log(base))

    low, high = max(math.floor(pair(beta_fast)), 0), min(math.ceil(pair(beta_slow)), d - 1)
    ramp = ((torch.arange(d // 2) - low) / (high - low)).clamp(0, 1)
    unscaled = frequencies(d, base)
    return torch.lerp(unscaled, unscaled / factor, ramp)


def yarn_attention_factor(factor: float) -> float:
    """What YaRN multiplies sines and cosines by."""
    return 0.1 * math.log(factor) + 1


def llama3_frequencies(
    d: int, base: float, factor: float, low_freq_factor: float, high_freq_factor: float, original_length: int
) -> Tensor:
    """A ramp over the number of turns in the original length, as in Llama 3.1."""
    unscaled = frequencies(d, base)
    turns = original_length * unscaled / (2 * math.pi)
    kept = ((turns - low_freq_factor) / (high_freq_factor - low_freq_factor)).clamp(0, 1)
    return torch.lerp(unscaled / factor, unscaled, kept)
