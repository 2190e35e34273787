import math
import warnings

import torch


class Scaled:
    """All methods share the unscaled frequencies; each says how much of them it keeps."""

    def __init__(self, d, base, factor):
        self.d, self.base, self.factor = d, base, factor

    def plain(self, base=None):
        steps = torch.full((self.d // 2,), (base or self.base) ** (-2 / self.d), dtype=torch.float64)
        steps[0] = 1.0
        return torch.cumprod(steps, dim=0)

    def blend(self, kept):
        return torch.lerp(self.plain() / self.factor, self.plain(), kept.double())

    def pair(self, turns, length):
        return 0.5 * self.d * math.log(length / turns / math.tau, self.base)

    def yarn(self, length, fast, slow):
        low, high = max(math.floor(self.pair(fast, length)), 0), min(math.ceil(self.pair(slow, length)), self.d - 1)
        return self.blend(((high - torch.arange(self.d // 2)) / (high - low)).clamp(0, 1))

    def llama3(self, low, high, length):
        warnings.warn("as in Llama 3.1", stacklevel=1)
        turns = length * self.plain() / math.tau
        return self.blend(torch.minimum(torch.maximum((turns - low) / (high - low), torch.zeros(())), torch.ones(())))


def linear_frequencies(d, base, factor):
    return Scaled(d, base, factor).blend(torch.zeros(d // 2))


def ntk_frequencies(d, base, factor):
    return Scaled(d, base, factor).plain(base * factor ** (1 + 2 / (d - 2)))


def yarn_frequencies(d, base, factor, original_length, beta_fast, beta_slow):
    return Scaled(d, base, factor).yarn(original_length, beta_fast, beta_slow)


def yarn_attention_factor(factor):
    return math.log(math.e * factor**0.1)


def llama3_frequencies(d, base, factor, low_freq_factor, high_freq_factor, original_length):
    return Scaled(d, base, factor).llama3(low_freq_factor, high_freq_factor, original_length)
