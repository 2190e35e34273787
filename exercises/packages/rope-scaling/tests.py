import math

import pytest
import torch

from exercises.testkit import FLOATS, close, deterministic, points, sample, shape_is

# Factors are drawn from these: hardly stretched, as usual, and further than anybody has published.
HARDLY, USUAL, FAR = (1.02, 1.3), (1.5, 40.0), (130.0, 160.0)
# Arguments, with the range of the factor. YaRN: the usual betas and others; a short context, where the fast end would
# lie before pair 0; a small base, where the slow end would lie beyond the last column.
YARN = [
    (64, 10000.0, FAR, 2048, 32.0, 1.0),
    (192, 500000.0, USUAL, 32768, 20.5, 0.625),
    (16, 10000.0, USUAL, 100, 32.0, 1.0),
    (8, 9.5, HARDLY, 700, 32, 1),
]
LLAMA = [
    (64, 500000.0, FAR, 1.0, 4.0, 8192),
    (20, 9.5, HARDLY, 0.75, 3.5, 30),
    (192, 500000.0, USUAL, 1, 32, 32768),
]


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


def stretched(rng):
    """Width, base and a factor that nobody can know: a narrow head, one of the usual width, a wide one."""
    ranges = ((4, 2.5, USUAL), (30, 10000.0, HARDLY), (192, 500000, FAR))
    return [(d, base, float(rng.uniform(*limits))) for d, base, limits in ranges]


def test_linear(solution, rng):
    """Linear, for several widths, bases and factors"""
    for d, base, factor in stretched(rng):
        close(solution.linear_frequencies(d, base, factor), tensor(rope(d, base)) / factor, dtypes=FLOATS)


@points(2)
def test_ntk(solution, rng):
    """NTK-aware: the first pair stays, the last is divided, those between follow a power"""
    for d, base, factor in stretched(rng):
        close(solution.ntk_frequencies(d, base, factor), ntk(d, base, factor), dtypes=FLOATS)


def ntk(d, base, factor):
    """By what it is for: the last of the pairs is divided by the factor, pair i by a power of it."""
    return tensor([f * factor ** (-i / (d // 2 - 1)) for i, f in enumerate(rope(d, base))])


def test_ntk_published_base(solution):
    """NTK-aware with 128 columns, base 10000 and factor 8: the base becomes 82684.62"""
    close(solution.ntk_frequencies(128, 10000.0, 8.0), tensor(rope(128, 82684.62)))


def with_any_factor(rng, arguments):
    """The arguments with a factor out of its range; where a ramp begins and ends does not depend on it."""
    d, base, limits, *rest = arguments
    return d, base, float(rng.uniform(*limits)), *rest


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
    for limits in (HARDLY, USUAL, (130, 1000)):
        logarithm = float(rng.uniform(*map(math.log, limits)))
        close(solution.yarn_attention_factor(math.exp(logarithm)), 1 + logarithm / 10)


@points(2)
@pytest.mark.parametrize("arguments", LLAMA, ids=["usual", "small", "wide"])
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


def test_calls_do_not_depend_on_each_other(solution, rng):
    """Equal calls give equal results, and another value of one argument is not overlooked"""
    factor, other = (float(rng.uniform(*USUAL)) for _ in range(2))
    deterministic(solution.yarn_frequencies, 32, 10000.0, factor, 2048, 32.0, 1.0)
    deterministic(solution.llama3_frequencies, 32, 10000.0, factor, 1.0, 4.0, 2048)
    for changed in ((other, 2048, 32.0, 1.0), (factor, 700, 32.0, 1.0), (factor, 2048, 8.0, 2.5)):
        close(solution.yarn_frequencies(32, 10000.0, *changed), yarn(32, 10000.0, *changed))
    for changed in ((other, 1.0, 4.0, 2048), (factor, 2.0, 9.0, 2048), (factor, 1.0, 4.0, 700)):
        close(solution.llama3_frequencies(32, 10000.0, *changed), llama3(32, 10000.0, *changed))
    for d, base, s in ((32, 10000.0, factor), (32, 10000.0, other), (32, 300.0, other)):
        close(solution.linear_frequencies(d, base, s), tensor(rope(d, base)) / s)
        close(solution.ntk_frequencies(d, base, s), ntk(d, base, s))
