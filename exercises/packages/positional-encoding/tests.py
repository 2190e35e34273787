import math

import numpy as np
import pytest

from exercises.testkit import FLOATS, close, deterministic, points, sample, shape_is


def closed_form(n_positions, d_model):
    """The paper's formula as numbers on the unit circle: pair i of position p is exp(1j * angle)."""
    frequencies = [math.exp(-math.log(10000.0) * k / d_model) for k in range(0, d_model, 2)]
    turns = np.exp(1j * np.outer(np.arange(n_positions), frequencies))
    return np.stack([turns.imag, turns.real], axis=2).reshape(n_positions, -1)[:, :d_model]


@sample
def test_example_of_the_statement(solution):
    """Positions 0 and 1, 8 wide"""
    close(
        solution.positional_encoding(2, 8),
        [
            [0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0],
            [0.8414710, 0.5403023, 0.0998334, 0.9950042, 0.0099998, 0.9999500, 0.0010000, 0.9999995],
        ],
        dtypes=FLOATS,
    )


@sample
def test_example_of_odd_width(solution):
    """Positions 0 to 2, 5 wide: the last sine has no cosine"""
    close(
        solution.positional_encoding(3, 5),
        [
            [0.0, 1.0, 0.0, 1.0, 0.0],
            [0.8414710, 0.5403023, 0.0251162, 0.9996845, 0.0006310],
            [0.9092974, -0.4161468, 0.0502166, 0.9987384, 0.0012619],
        ],
        dtypes=FLOATS,
    )


@pytest.mark.parametrize("n_positions, d_model", [(1, 1), (1, 6), (6, 1), (7, 9), (50, 512)])
def test_shape(solution, n_positions, d_model):
    """The shape is (n_positions, d_model)"""
    shape_is(solution.positional_encoding(n_positions, d_model), (n_positions, d_model), dtypes=FLOATS)


def test_position_zero(solution):
    """Position 0 is 0, 1, 0, 1, …"""
    close(solution.positional_encoding(1, 12), [[0.0, 1.0] * 6])


@points(2)
def test_published_rows(solution):
    """Positions 1 and 49 of a 512-wide encoding begin as in the paper's formula"""
    encoding = shape_is(solution.positional_encoding(50, 512), (50, 512), dtypes=FLOATS)
    close(encoding[1, :4], [0.8414710, 0.5403023, 0.8218562, 0.5696950], of="row 1, columns 0 to 3")
    close(encoding[49, :4], [-0.9537527, 0.3005925, -0.1440269, -0.9895738], of="row 49, columns 0 to 3")


@points(2)
@pytest.mark.parametrize("n_positions, d_model", [(6, 8), (9, 7), (12, 30), (5, 1), (999, 6), (70, 301), (6000, 2)])
def test_every_value(solution, n_positions, d_model):
    """Every value of an encoding"""
    close(solution.positional_encoding(n_positions, d_model), closed_form(n_positions, d_model), dtypes=FLOATS)


@points(2)
def test_any_size(solution, rng):
    """Sizes that differ from submission to submission"""
    for odd in (0, 1, 1):
        n_positions, d_model = int(rng.integers(12, 60)), 2 * int(rng.integers(2, 30)) + odd
        close(solution.positional_encoding(n_positions, d_model), closed_form(n_positions, d_model), dtypes=FLOATS)


def test_pairs_lie_on_the_unit_circle(solution, rng):
    """Sine and cosine of a pair share one angle: their squares add up to 1"""
    n_positions, half = int(rng.integers(3, 40)), int(rng.integers(2, 20))
    encoding = shape_is(solution.positional_encoding(n_positions, 2 * half), (n_positions, 2 * half), dtypes=FLOATS)
    squares = encoding[:, 0::2] ** 2 + encoding[:, 1::2] ** 2
    close(squares, np.ones((n_positions, half)), of="the sums of the squares of each pair")


@points(2)
def test_a_step_is_a_rotation(solution, rng):
    """Going k positions on turns every pair by the same angle, wherever one starts"""
    d_model, step = 16, int(rng.integers(1, 9))
    encoding = shape_is(solution.positional_encoding(40, d_model), (40, d_model), dtypes=FLOATS)
    sines, cosines = encoding[:, 0::2].astype(np.float64), encoding[:, 1::2].astype(np.float64)
    angles = step * 10000.0 ** (-np.arange(0, d_model, 2) / d_model)
    turned = sines[:-step] * np.cos(angles) + cosines[:-step] * np.sin(angles)
    close(sines[step:], turned, of=f"the sines from position {step} on")
    turned = cosines[:-step] * np.cos(angles) - sines[:-step] * np.sin(angles)
    close(cosines[step:], turned, of=f"the cosines from position {step} on")


def test_calls_agree(solution):
    """The same call gives the same result, also after calls of another length or width"""
    first = deterministic(solution.positional_encoding, 5, 6)
    for n_positions, d_model in ((5, 4), (9, 6), (5, 6)):
        close(solution.positional_encoding(n_positions, d_model), closed_form(n_positions, d_model))
    close(first, closed_form(5, 6))
