import numpy as np
import pytest
import torch

from exercises.testkit import FLOATS, close, deterministic, points, sample, shape_is, unchanged

# One axis to five, a wide vector and one column, a batch of one, as many rows as columns, many tokens.
SHAPES = [(1030,), (1, 5), (4, 4), (10, 1, 70, 6), (1, 3, 1), (2, 1, 3, 2, 8)]


def torch_norm(x, gamma, beta, eps):
    """What torch's own layer normalisation makes of it, in float64."""
    x, gamma, beta = (torch.from_numpy(np.asarray(value, dtype=np.float64)) for value in (x, gamma, beta))
    return torch.nn.functional.layer_norm(x, gamma.shape, gamma, beta, eps).numpy()


def gain_and_bias(rng, d):
    """A gain of either sign, and a bias; no two alike."""
    return rng.uniform(0.5, 2.0, d) * rng.choice([-1.0, 1.0], d), rng.normal(size=d)


def plain(d):
    """The gain and the bias that change nothing."""
    return np.ones(d), np.zeros(d)


def rows(rng, *shape):
    """Vectors each with its own mean and spread."""
    lead = (*shape[:-1], 1)
    return rng.normal(size=shape) * rng.uniform(0.5, 3.0, lead) + rng.normal(0.0, 2.0, lead)


@sample
def test_example_of_the_statement(solution):
    """Two rows of four, with gain and bias"""
    x = np.array([[1.0, 2.0, 3.0, 4.0], [10.0, 20.0, 30.0, 40.0]])
    gamma, beta = np.array([1.0, 1.0, 2.0, 1.0]), np.array([0.0, 0.0, 0.0, 5.0])
    expected = [
        [-1.3416354, -0.4472118, 0.8944236, 6.3416354],
        [-1.3416407, -0.4472136, 0.8944271, 6.3416407],
    ]
    close(solution.layer_norm(x, gamma, beta, 1e-5), expected, dtypes=FLOATS)


@sample
def test_single_vector(solution):
    """One vector without any other axis"""
    # As torch.nn.LayerNorm has it; the root of the variance that divides by d - 1 would give 1.5 and -0.5.
    expected = [1.7320046, -0.5773349, -0.5773349, -0.5773349]
    close(solution.layer_norm(np.array([1.0, 0.0, 0.0, 0.0]), *plain(4), 1e-5), expected, dtypes=FLOATS)


@points(2)
@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: "x".join(map(str, shape)))
def test_any_shape(solution, rng, shape):
    """Vectors in arrays of one axis and more"""
    x, (gamma, beta), eps = rows(rng, *shape), gain_and_bias(rng, shape[-1]), float(rng.uniform(0.01, 0.1))
    close(solution.layer_norm(x, gamma, beta, eps), torch_norm(x, gamma, beta, eps), dtypes=FLOATS)


@points(2)
def test_eps(solution, rng):
    """Spreads about as small as the root of eps, and vectors of equal values"""
    for eps in rng.uniform(0.2, 0.6), rng.uniform(2.0, 6.0):
        x, (gamma, beta) = rng.normal(0.0, eps**0.5, (5, 6)), gain_and_bias(rng, 6)
        x[1] = 0.0
        x[3] = 0.75
        close(solution.layer_norm(x, gamma, beta, float(eps)), torch_norm(x, gamma, beta, float(eps)), dtypes=FLOATS)


def test_tiny_spread(solution, rng):
    """A small eps matters where the spread is tiny"""
    for eps in (1e-5, 1e-9):
        x, (gamma, beta) = rng.normal(0.0, eps**0.5, (4, 9)), gain_and_bias(rng, 9)
        close(solution.layer_norm(x, gamma, beta, eps), torch_norm(x, gamma, beta, eps), dtypes=FLOATS)


def test_mean_and_variance(solution, rng):
    """Without gain and bias, every vector has mean 0 and variance 1"""
    found = solution.layer_norm(rows(rng, 3, 4, 10), *plain(10), 1e-9)
    shape_is(found, (3, 4, 10), dtypes=FLOATS)
    close(found.mean(axis=-1), np.zeros((3, 4)), of="the means of the vectors")
    close(np.square(found).mean(axis=-1), np.ones((3, 4)), of="the variances of the vectors")


def test_shifted_and_stretched(solution, rng):
    """Shifting and stretching a vector changes nothing"""
    x, (gamma, beta) = rows(rng, 5, 8), gain_and_bias(rng, 8)
    other = x * rng.uniform(0.5, 500.0, (5, 1)) + rng.normal(0.0, 10.0, (5, 1))
    found = solution.layer_norm(other, gamma, beta, 1e-9)
    close(found, torch_norm(x, gamma, beta, 1e-9), dtypes=FLOATS)


def test_vectors_are_independent(solution, rng):
    """A vector gives the same result alone and among others"""
    x, (gamma, beta) = rows(rng, 2, 3, 5), gain_and_bias(rng, 5)
    together = solution.layer_norm(x, gamma, beta, 0.05)
    shape_is(together, (2, 3, 5), dtypes=FLOATS)
    close(solution.layer_norm(x[1, 2], gamma, beta, 0.05), together[1, 2], dtypes=FLOATS)


def test_single_precision(solution, rng):
    """Arrays in float32"""
    x, gamma, beta = (value.astype(np.float32) for value in (rows(rng, 3, 2, 7), *gain_and_bias(rng, 7)))
    close(solution.layer_norm(x, gamma, beta, 0.05), torch_norm(x, gamma, beta, 0.05), dtypes=FLOATS)


@points(2)
def test_far_from_zero(solution, rng):
    """Vectors around 3000 with a spread of 1, in float32"""
    # So many that the mean of the squares minus the square of the mean comes out negative for some of them.
    x = rng.normal(3000.0, 1.0, (100, 24))
    x, gamma, beta = (value.astype(np.float32) for value in (x, *gain_and_bias(rng, 24)))
    close(solution.layer_norm(x, gamma, beta, 1e-5), torch_norm(x, gamma, beta, 1e-5), atol=0.03, dtypes=FLOATS)


def test_inputs_stay_unchanged(solution, rng):
    """x, gain and bias are left as they were, with any number of axes and in both dtypes"""
    gamma, beta = gain_and_bias(rng, 5)
    for shape in ((5,), (3, 5), (2, 3, 5), (2, 1, 3, 5)):
        unchanged(solution.layer_norm, rows(rng, *shape), gamma, beta, 0.1)
    unchanged(solution.layer_norm, *(value.astype(np.float32) for value in (rows(rng, 2, 5), gamma, beta)), 0.1)


def test_calls_do_not_depend_on_each_other(solution, rng):
    """Equal calls give equal results, also after calls of another size, or of the same size with other numbers"""
    x, (gamma, beta), twin = rows(rng, 3, 6), gain_and_bias(rng, 6), (rows(rng, 3, 6), *gain_and_bias(rng, 6), 0.2)
    first = deterministic(solution.layer_norm, x, gamma, beta, 0.1)
    solution.layer_norm(rows(rng, 2, 2), *gain_and_bias(rng, 2), 0.3)
    close(solution.layer_norm(*twin), torch_norm(*twin), dtypes=FLOATS)
    close(first, torch_norm(x, gamma, beta, 0.1), dtypes=FLOATS)
    close(solution.layer_norm(x, gamma, beta, 0.1), torch_norm(x, gamma, beta, 0.1), dtypes=FLOATS)
