import numpy as np
import pytest
import torch

from exercises.testkit import FLOATS, close, deterministic, points, sample, shape_is, unchanged

# (shape, axis): no two lengths alike but in the square, a single logit, up to five axes, many long lines.
SHAPES = [((7,), 0), ((3, 1), -1), ((5, 3), 0), ((4, 4), 1), ((2, 3, 4), 1), ((1, 2, 3, 1, 4), -3), ((10, 9, 70), -1)]


def logits(rng, shape):
    """From −4 to 4, in eighths: float32 holds them exactly, also when they are shifted by thousands."""
    return rng.integers(-32, 33, shape) / 8.0


def oracle(x, axis):
    """torch's own softmax, in float64."""
    return torch.softmax(torch.from_numpy(x), axis).numpy()


@sample
def test_example_along_rows(solution):
    """Two rows of three, along axis 1"""
    x = np.array([[1.0, 2.0, 3.0], [1.0, 1.0, 1.0]])
    close(
        solution.softmax(x, 1),
        [[0.0900306, 0.2447285, 0.6652410], [0.3333333, 0.3333333, 0.3333333]],
        dtypes=FLOATS,
    )


@sample
def test_example_along_columns(solution):
    """The same array along axis 0"""
    x = np.array([[1.0, 2.0, 3.0], [1.0, 1.0, 1.0]])
    close(
        solution.softmax(x, 0),
        [[0.5000000, 0.7310586, 0.8807971], [0.5000000, 0.2689414, 0.1192029]],
        dtypes=FLOATS,
    )


@sample
def test_example_of_large_logits(solution):
    """The logits 1000 and 1001"""
    close(solution.softmax(np.array([1000.0, 1001.0]), 0), [0.2689414, 0.7310586], dtypes=FLOATS)


@points(2)
@pytest.mark.parametrize("shape, axis", SHAPES)
def test_every_value(solution, rng, shape, axis):
    """Every value, along any axis"""
    x = logits(rng, shape)
    close(solution.softmax(x, axis), oracle(x, axis), dtypes=FLOATS)


def test_weights_add_up_to_one(solution, rng):
    """The weights of each line add up to 1, at sizes that differ from submission to submission"""
    shape = tuple(int(length) for length in rng.permutation(np.arange(2, 9))[:3])
    for axis in range(3):
        weights = shape_is(solution.softmax(logits(rng, shape), axis), shape, dtypes=FLOATS)
        close(weights.sum(axis=axis), np.ones(shape[:axis] + shape[axis + 1 :]), of="the sums of the lines")


@points(2)
def test_shifted_lines(solution, rng):
    """Adding a number to every logit of a line changes nothing"""
    x = logits(rng, (4, 6))
    shifts = rng.integers(-9, 10, (4, 1))
    close(solution.softmax(x + shifts, 1), oracle(x, 1))
    close(solution.softmax(np.ascontiguousarray((x + shifts).T), 0), oracle(x, 1).T)


@points(2)
def test_lines_far_apart(solution, rng):
    """Lines of logits that lie thousands apart do not disturb each other"""
    x = logits(rng, (3, 5))
    shifts = rng.permutation([[-2000.0], [0.0], [2000.0]])
    # e to the −743 is not yet 0, but has only a digit left.
    close(solution.softmax(x + np.array([[0.0], [-743.0], [-371.5]]), 1), oracle(x, 1))
    close(solution.softmax(x + shifts, 1), oracle(x, 1))


@points(2)
@pytest.mark.parametrize("largest", [-100000.0, 1000.0, 100000.0], ids=["negative", "large", "huge"])
def test_large_logits(solution, rng, largest):
    """Logits that are all large, or all far below 0"""
    x = logits(rng, (2, 5))
    close(solution.softmax(x + largest, 1), oracle(x, 1))


def test_logits_far_apart(solution):
    """Logits far apart within one line: the largest takes all, or nearly all"""
    x = np.array([[0.0, 5000.0, -80000.0, 4999.0], [90000.0, -90000.0, 0.0, 10.0], [0.0, -9.0, 0.0, -9.0]])
    expected = [[0.0, 0.7310586, 0.0, 0.2689414], [1.0, 0.0, 0.0, 0.0], [0.4999383, 0.0000617, 0.4999383, 0.0000617]]
    close(solution.softmax(x, 1), expected)


@points(2)
def test_minus_infinity(solution, rng):
    """A logit of −∞ gets the weight 0, and the others share the rest"""
    x = logits(rng, (5, 6))
    x[np.arange(5), rng.integers(6, size=5)] = -np.inf
    x[0, 1:] = -np.inf
    x[0, 0] = -3.0
    x[1, :3] = -np.inf
    x[2, 4:] = -np.inf
    # Some lines lie so far below 0 that −10000 in the place of −∞ would be their largest logit.
    x += np.array([[0.0], [0.0], [-100000.0], [100000.0], [-100000.0]])
    close(unchanged(solution.softmax, x, 1), oracle(x, 1))


def test_minus_infinity_along_any_axis(solution, rng):
    """Logits of −∞ at the beginning and in the middle of lines along another axis"""
    x = logits(rng, (5, 2, 3))
    x[:2, 0], x[0], x[2:4, 1, 1] = -np.inf, -np.inf, -np.inf
    close(solution.softmax(x, 0), oracle(x, 0))


def test_input_stays_unchanged(solution, rng):
    """The logits are left as they were, with any number of axes"""
    for shape, axis in (((6,), 0), ((3, 4), 0), ((2, 4, 3), 1), ((2, 3, 2, 4), -1)):
        unchanged(solution.softmax, logits(rng, shape), axis)


def test_calls_agree(solution, rng):
    """The same call gives the same result, also after calls of another size, or of the same size with other logits"""
    x, other, twin = logits(rng, (3, 4)), logits(rng, (2, 5, 3)), logits(rng, (3, 4)) + 1000.0
    first = deterministic(solution.softmax, x, 0)
    close(solution.softmax(other, 2), oracle(other, 2))
    close(solution.softmax(twin, 0), oracle(twin, 0))
    close(solution.softmax(x, 0), oracle(x, 0))
    close(first, oracle(x, 0))
