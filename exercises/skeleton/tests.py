import numpy as np
import pytest

from exercises.testkit import FLOATS, close, deterministic, points, sample, unchanged

# One row, one column, many columns, and never as many rows as columns but once: exchanged axes must show.
SHAPES = [(1, 4), (5, 1), (3, 3), (4, 7), (2, 70)]


def oracle(x):
    """The formula, number by number: nothing of numpy that the reference uses."""
    return np.array([[value - sum(row) / len(row) for value in row] for row in x.tolist()])


@sample
def test_example_of_the_statement(solution):
    """The example of the statement"""
    x = np.array([[1.0, 2.0, 6.0], [0.5, 0.5, 2.0]])
    close(solution.a_new_exercise(x), [[-2.0, -1.0, 3.0], [-0.5, -0.5, 1.0]], dtypes=FLOATS)


@points(2)
@pytest.mark.parametrize("shape", SHAPES)
def test_every_value(solution, rng, shape):
    """Every value, for one row or column and for many"""
    x = rng.normal(1.0, 2.0, shape)
    close(solution.a_new_exercise(x), oracle(x), dtypes=FLOATS)


def test_shifted_rows(solution, rng):
    """Adding a number to a whole row changes nothing"""
    x = rng.normal(size=(3, 5))
    close(solution.a_new_exercise(x + np.array([[1.0], [-2.0], [4.0]])), oracle(x))


def test_input_stays_unchanged(solution, rng):
    """The input is left as it was, and equal calls agree"""
    x = rng.normal(1.0, 2.0, (2, 3))
    unchanged(solution.a_new_exercise, x)
    deterministic(solution.a_new_exercise, x)
