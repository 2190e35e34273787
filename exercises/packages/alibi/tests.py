import math

import pytest
import torch

from exercises.testkit import close, deterministic, expect, points, sample, shape_is

# Published: what the authors' rule gives, as in BLOOM's and MPT's code.
PUBLISHED = {
    8: [0.5, 0.25, 0.125, 0.0625, 0.03125, 0.015625, 0.0078125, 0.00390625],
    12: [0.5, 0.25, 0.125, 0.0625, 0.03125, 0.015625, 0.0078125, 0.00390625, 0.707107, 0.353553, 0.176777, 0.0883883],
    6: [0.25, 0.0625, 0.015625, 0.00390625, 0.5, 0.125],
}
# (heads, queries, keys): one of each, whole sequences, queries after others, heads that are no power of two, many
BIASES = [(1, 1, 1), (4, 5, 5), (3, 1, 6), (12, 3, 7), (6, 4, 4), (9, 66, 68)]


def slopes(n_heads):
    """By ratio, as the paper says it: the sequence starts at its ratio 2^(-8/n), and is multiplied by it again."""
    power = 1
    while 2 * power <= n_heads:
        power *= 2
    found, extra = [], []
    ratio, finer = math.exp(-8 * math.log(2) / power), math.exp(-4 * math.log(2) / power)
    for k in range(power):
        found.append(ratio ** (k + 1))
        extra.append(finer * ratio**k)
    return torch.tensor((found + extra)[:n_heads], dtype=torch.float64)


def bias(n_heads, n_queries, n_keys):
    """Windows on one line of penalties that ends in infinities: each query's begins one before the query above it."""
    line = [float(key - n_keys + 1) for key in range(n_keys)] + [-math.inf] * (n_queries - 1)
    rows = torch.tensor(line, dtype=torch.float64).unfold(0, n_keys, 1).flip(0)
    return torch.stack([slope * rows for slope in slopes(n_heads)])


@sample
def test_example_slopes(solution):
    """Three heads"""
    close(solution.alibi_slopes(3), torch.tensor([0.0625, 0.00390625, 0.25]), dtypes=("float32",))


@sample
def test_example_bias(solution):
    """Two queries, four keys, the first of eight heads"""
    found = shape_is(solution.alibi_bias(8, 2, 4), (8, 2, 4), kind="tensor", dtypes=("float32",))
    expected = torch.tensor([[-1.0, -0.5, 0.0, -math.inf], [-1.5, -1.0, -0.5, 0.0]])
    close(found[0], expected, allow_nonfinite=True)


@points(2)
@pytest.mark.parametrize("n_heads", list(PUBLISHED))
def test_published_slopes(solution, n_heads):
    """The published slopes of 8, 12 and 6 heads"""
    close(solution.alibi_slopes(n_heads), torch.tensor(PUBLISHED[n_heads]), dtypes=("float32",))


def test_slopes_of_powers_of_two(solution):
    """Slopes of 1, 2, 4, 16, 64 and 128 heads"""
    for n_heads in (1, 2, 4, 16, 64, 128):
        close(solution.alibi_slopes(n_heads), slopes(n_heads), dtypes=("float32",))


@points(2)
def test_slopes_of_other_numbers(solution, rng):
    """Slopes of 5, 7, 20 and 112 heads, and of numbers that differ from submission to submission"""
    for n_heads in (5, 7, 20, 112, int(rng.integers(9, 16)), 2 * int(rng.integers(16, 32)) + 1):
        close(solution.alibi_slopes(n_heads), slopes(n_heads), dtypes=("float32",))


@points(2)
@pytest.mark.parametrize("n_heads, n_queries, n_keys", BIASES)
def test_bias(solution, n_heads, n_queries, n_keys):
    """Every number of a bias"""
    found = solution.alibi_bias(n_heads, n_queries, n_keys)
    close(found, bias(n_heads, n_queries, n_keys), dtypes=("float32",), allow_nonfinite=True)


def test_any_size(solution, rng):
    """Sizes that differ from submission to submission"""
    n_heads, n_queries = int(rng.integers(2, 20)), int(rng.integers(2, 8))
    n_keys = n_queries + int(rng.integers(0, 5))
    found = solution.alibi_bias(n_heads, n_queries, n_keys)
    close(found, bias(n_heads, n_queries, n_keys), dtypes=("float32",), allow_nonfinite=True)


@points(2)
def test_softmax_falls_geometrically(solution, rng):
    """With equal scores, each step back divides a weight by e to the slope, and later keys weigh nothing"""
    n_heads, n_keys = int(rng.integers(9, 13)), 6
    found = shape_is(solution.alibi_bias(n_heads, n_keys, n_keys), (n_heads, n_keys, n_keys), kind="tensor")
    weights = found.double().softmax(dim=-1)
    expect(
        not weights.isnan().any(),
        "After the softmax there should be no NaN: every query sees at least itself.",
        public=True,
    )
    expect((weights.triu(1) == 0).all(), "After the softmax, keys that come later should weigh exactly 0.", public=True)
    last = weights[:, -1]
    close(last[:, :-1] / last[:, 1:], torch.exp(-slopes(n_heads))[:, None].expand(-1, n_keys - 1))


def test_one_query_is_the_last_row(solution):
    """The bias of a token written alone is the last row of the whole"""
    whole = shape_is(solution.alibi_bias(6, 5, 5), (6, 5, 5), kind="tensor", dtypes=("float32",))
    close(whole, bias(6, 5, 5), allow_nonfinite=True)
    close(solution.alibi_bias(6, 1, 5), whole[:, -1:])


def test_long_distances(solution, rng):
    """Two thousand positions back: the penalty goes on growing"""
    n_keys = int(rng.integers(2100, 2200))
    close(solution.alibi_bias(2, 1, n_keys), bias(2, 1, n_keys), dtypes=("float32",))


def test_calls_do_not_depend_on_each_other(solution):
    """Equal calls give equal results, also after a call of another size"""
    close(deterministic(solution.alibi_bias, 5, 3, 4), bias(5, 3, 4), allow_nonfinite=True)
    for sizes in ((6, 3, 4), (5, 2, 4), (5, 3, 6), (5, 3, 4)):
        close(solution.alibi_bias(*sizes), bias(*sizes), allow_nonfinite=True)
    close(deterministic(solution.alibi_slopes, 5), slopes(5))
