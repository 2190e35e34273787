import math

import pytest
import torch

from exercises.testkit import FLOATS, close, deterministic, points, sample, shape_is

# Arguments after (d, base, factor). YaRN: the usual betas and others; a short context, where the fast end would lie
# before pair 0; a small base, where the slow end would lie beyond the last column.
YARN = [
    (64, 10000.0, 8.0, 2048, 32.0, 1.0),
    (32, 500000.0, 4.0, 8192, 16.0, 2.0),
    (16, 10000.0, 4.0, 100, 32.0, 1.0),
    (8, 20.0, 4.0, 1537, 32, 1),
]
LLAMA = [(64, 500000.0, 8.0, 1.0, 4.0, 8192), (20, 10000.0, 3.0, 2.0, 9.0, 700), (96, 1000.0, 16, 1, 32, 4096)]


def rope(d, base):
    """RoPE's frequencies, one after the other, by exp and log."""
    return [math.exp(-math.log(base) * column / d) for column in range(0, d, 2)]


def tensor(numbers):
    return torch.tensor(numbers, dtype=torch.float64)


def yarn(d, base, factor, length, beta_fast, beta_slow):
    """By looking for the ends of the ramp: the last pair that turns round often enough, the first that does too little.

    Pair x, whole or not, turns round length · base^(−2x/d) / 2π times.
    """

    def turns(x):
        return length * base ** (-2 * x / d) / (2 * math.pi)

    low = max((x for x in range(-d, 2 * d) if turns(x) >= beta_fast), default=-1)
    high = min(x for x in range(-d, 2 * d) if turns(x) <= beta_slow)
    low, high = max(low, 0), min(high, d - 1)
    weights = [min(max((i - low) / (high - low), 0.0), 1.0) for i in range(d // 2)]
    return tensor([f - weight * (f - f / factor) for f, weight in zip(rope(d, base), weights)])


def llama3(d, base, factor, low, high, length):
    """By wavelengths, case by case, as the published code has it."""
    found = []
    for f in rope(d, base):
        wavelength = 2 * math.pi / f
        if wavelength < length / high:
            found.append(f)
        elif wavelength > length / low:
            found.append(f / factor)
        else:
            smooth = (length / wavelength - low) / (high - low)
            found.append(f * (smooth + (1 - smooth) / factor))
    return tensor(found)


@sample
def test_example_linear(solution):
    """The example, linear"""
    close(solution.linear_frequencies(8, 10000.0, 4.0), tensor([0.25, 0.025, 0.0025, 0.00025]), dtypes=FLOATS)


@sample
def test_example_ntk(solution):
    """The example, NTK-aware"""
    close(solution.ntk_frequencies(8, 10000.0, 4.0), tensor([1.0, 0.06299605, 0.003968503, 0.00025]), dtypes=FLOATS)


@sample
def test_example_yarn(solution):
    """The example, YaRN"""
    found = solution.yarn_frequencies(8, 10000.0, 4.0, 1024, 32.0, 1.0)
    close(found, tensor([1.0, 0.075, 0.005, 0.00025]), dtypes=FLOATS)


@sample
def test_example_attention_factor(solution):
    """The example, YaRN's attention factor"""
    close(solution.yarn_attention_factor(4.0), 1.1386294)


@sample
def test_example_llama3(solution):
    """The example, Llama 3"""
    found = solution.llama3_frequencies(8, 10000.0, 4.0, 1.0, 4.0, 1024)
    close(found, tensor([1.0, 0.1, 0.004074366, 0.00025]), dtypes=FLOATS)


def test_linear(solution, rng):
    """Linear, for several widths, bases and factors"""
    for d, base in ((4, 100.0), (30, 10000.0), (128, 500000)):
        factor = float(rng.uniform(1.5, 40))
        close(solution.linear_frequencies(d, base, factor), tensor(rope(d, base)) / factor, dtypes=FLOATS)


@points(2)
def test_ntk(solution, rng):
    """NTK-aware: the first pair stays, the last is divided, those between follow a power"""
    for d, base in ((4, 100.0), (30, 10000.0), (128, 500000)):
        factor = float(rng.uniform(1.5, 40))
        powers = [f * factor ** (-i / (d // 2 - 1)) for i, f in enumerate(rope(d, base))]
        close(solution.ntk_frequencies(d, base, factor), tensor(powers), dtypes=FLOATS)


def test_ntk_published_base(solution):
    """NTK-aware with 128 columns, base 10000 and factor 8: the base becomes 82684.62"""
    close(solution.ntk_frequencies(128, 10000.0, 8.0), tensor(rope(128, 82684.62)))


def with_any_factor(rng, arguments):
    """The arguments with a factor that nobody can know; where a ramp begins and ends does not depend on it."""
    d, base, _, *rest = arguments
    return d, base, float(rng.uniform(1.5, 40)), *rest


@points(2)
@pytest.mark.parametrize("arguments", YARN, ids=["usual", "other-betas", "short-context", "small-base"])
def test_yarn(solution, rng, arguments):
    """YaRN, for several widths, bases, lengths and betas, and any factor"""
    arguments = with_any_factor(rng, arguments)
    close(solution.yarn_frequencies(*arguments), yarn(*arguments), dtypes=FLOATS)


@points(2)
def test_yarn_published_ramp(solution):
    """YaRN for Llama 2 with factor 16: the ramp runs from pair 20 to pair 46"""
    found = shape_is(
        solution.yarn_frequencies(128, 10000.0, 16.0, 4096, 32.0, 1.0), (64,), kind="tensor", dtypes=FLOATS
    )
    ratios = found.double() / tensor(rope(128, 10000.0))
    close(ratios[[27, 33, 39]], 1 - 0.9375 * tensor([7, 13, 19]) / 26)
    close(ratios[[0, 20, 33, 46, 63]], tensor([1.0, 1.0, 0.53125, 0.0625, 0.0625]))
    close(ratios[:21], torch.ones(21, dtype=torch.float64))
    close(ratios[46:], torch.full((18,), 0.0625, dtype=torch.float64))


def test_yarn_published_attention_factor(solution, rng):
    """YaRN's attention factor is 1.2773, 1.4159 and 1.4852 for factors 16, 64 and 128, and follows a logarithm"""
    for factor, expected in ((16.0, 1.277259), (64.0, 1.415888), (128, 1.485203)):
        close(solution.yarn_attention_factor(factor), expected)
    logarithm = float(rng.uniform(0.1, 4.5))
    close(solution.yarn_attention_factor(math.exp(logarithm)), 1 + logarithm / 10)


@points(2)
@pytest.mark.parametrize("arguments", LLAMA, ids=["usual", "other-factors", "wide-ramp"])
def test_llama3(solution, rng, arguments):
    """Llama 3, for several widths, bases and lengths, and any factor"""
    arguments = with_any_factor(rng, arguments)
    close(solution.llama3_frequencies(*arguments), llama3(*arguments), dtypes=FLOATS)


@points(2)
def test_llama3_published(solution):
    """Llama 3.1 and 3.2 with their published parameters"""
    arguments = (128, 500000.0, 8.0, 1.0, 4.0, 8192)
    found = shape_is(solution.llama3_frequencies(*arguments), (64,), kind="tensor", dtypes=FLOATS).double()
    published = tensor([0.00321145, 0.00137189, 0.000524846, 0.000178508, 7.78466e-05])
    close(found[[28, 30, 32, 34, 36]], published)
    close(found[:29], tensor(rope(128, 500000.0)[:29]))
    close(found[35:], tensor(rope(128, 500000.0)[35:]) / 8)
    small = shape_is(solution.llama3_frequencies(64, 500000.0, 32.0, 1.0, 4.0, 8192), (32,), kind="tensor").double()
    close(small[:15], tensor(rope(64, 500000.0)[:15]))
    close(small[18:], tensor(rope(64, 500000.0)[18:]) / 32)


def test_factor_one(solution):
    """With factor 1 nothing changes"""
    plain = tensor(rope(16, 10000.0))
    close(solution.linear_frequencies(16, 10000.0, 1.0), plain)
    close(solution.ntk_frequencies(16, 10000.0, 1.0), plain)
    close(solution.yarn_frequencies(16, 10000.0, 1.0, 1024, 32.0, 1.0), plain)
    close(solution.llama3_frequencies(16, 10000.0, 1.0, 1.0, 4.0, 1024), plain)
    close(solution.yarn_attention_factor(1.0), 1.0)


def test_calls_do_not_depend_on_each_other(solution):
    """Equal calls give equal results, also after a call of another size"""
    deterministic(solution.yarn_frequencies, *YARN[0])
    deterministic(solution.llama3_frequencies, *LLAMA[0])
    close(solution.yarn_frequencies(*YARN[1]), yarn(*YARN[1]))
    close(solution.llama3_frequencies(*LLAMA[1]), llama3(*LLAMA[1]))
    close(solution.yarn_frequencies(*YARN[0]), yarn(*YARN[0]))
    close(solution.llama3_frequencies(*LLAMA[0]), llama3(*LLAMA[0]))
