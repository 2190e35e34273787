import math

import torch
from torch import Tensor


def frequencies(d: int, base: float) -> Tensor:
    return torch.exp(-math.log(base) * torch.arange(0, d, 2).float() / d)


def mix(kept: Tensor, factor: float, weight: Tensor) -> Tensor:
    """weight 1 keeps, weight 0 divides."""
    return kept * (weight + (1.0 - weight) / factor)


def linear_frequencies(d: int, base: float, factor: float) -> Tensor:
    return torch.exp(-math.log(base) * torch.arange(0, d, 2).float() / d - math.log(factor))


def ntk_frequencies(d: int, base: float, factor: float) -> Tensor:
    return torch.exp(-(math.log(base) + d / (d - 2) * math.log(factor)) * torch.arange(0, d, 2).float() / d)


def yarn_frequencies(
    d: int, base: float, factor: float, original_length: int, beta_fast: float, beta_slow: float
) -> Tensor:
    def dim(n: float) -> float:
        return d * (math.log(original_length) - math.log(2 * math.pi) - math.log(n)) / math.log(base) / 2

    low = max(math.floor(dim(beta_fast)), 0)
    high = min(math.ceil(dim(beta_slow)), d - 1)
    if low == high:
        high += 0.001
    return mix(frequencies(d, base), factor, 1 - ((torch.arange(d // 2) - low) / (high - low)).clamp(0.0, 1.0))


def yarn_attention_factor(factor: float) -> float:
    return 1.0 + math.log(factor) / 10


def llama3_frequencies(
    d: int, base: float, factor: float, low_freq_factor: float, high_freq_factor: float, original_length: int
) -> Tensor:
    f = frequencies(d, base)
    turns = f * original_length / math.tau
    return mix(f, factor, ((turns - low_freq_factor) / (high_freq_factor - low_freq_factor)).clip(0, 1))


if __name__ == "__main__":
    print(llama3_frequencies(128, 500000.0, 8.0, 1.0, 4.0, 8192))
