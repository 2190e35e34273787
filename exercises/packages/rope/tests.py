import numpy as np
import pytest
import torch

from exercises.testkit import close, deterministic, expect, points, sample, shape_is, unchanged

# Axes of equal length let an angle laid along the wrong one pass without an error: only the values tell.
CASES = [
    ((5, 8), 10000.0),
    ((1, 7, 6), 500.0),
    ((2, 3, 5, 12), 10000.0),
    ((4, 4, 4, 4), 500000.0),
    ((2, 3, 1, 2), 10000.0),
    ((1, 2, 9, 64), 500000),
]
NAMES = ["no-batch", "batch-of-one", "heads", "equal-axes", "one-pair", "many-pairs"]


def tensor(array):
    return torch.from_numpy(np.asarray(array, dtype=np.float32))


def scattered(rng, n_tokens, highest=300):
    """Positions in no order, with gaps."""
    return torch.from_numpy(rng.choice(np.arange(1, highest), n_tokens, replace=False))


def turned(x, positions, base, direction=1):
    """The pairs of x as complex numbers, times exp(i · angle), in float64."""
    x = x.double().numpy()
    angles = positions.numpy()[:, None] * float(base) ** (-np.arange(0, x.shape[-1], 2) / x.shape[-1])
    points = (x[..., 0::2] + 1j * x[..., 1::2]) * np.exp(1j * direction * angles)
    return torch.from_numpy(np.stack([points.real, points.imag], axis=-1).reshape(x.shape))


@sample
def test_example_of_the_statement(solution):
    """Three tokens 1, 0, 1, 0 at positions 0, 1 and 3"""
    close(
        solution.apply_rope(torch.tensor([[1.0, 0.0, 1.0, 0.0]] * 3), torch.tensor([0, 1, 3]), 10000.0),
        torch.tensor(
            [
                [1.0, 0.0, 1.0, 0.0],
                [0.540302, 0.841471, 0.999950, 0.010000],
                [-0.989992, 0.141120, 0.999550, 0.029996],
            ]
        ),
        dtypes=("float32",),
    )


@sample
def test_second_column_of_a_pair(solution):
    """A token 0, 1, 0, 1 at position 1"""
    found = solution.apply_rope(torch.tensor([[0.0, 1.0, 0.0, 1.0]]), torch.tensor([1]), 10000.0)
    close(found, torch.tensor([[-0.841471, 0.540302, -0.010000, 0.999950]]), dtypes=("float32",))


@points(2)
@pytest.mark.parametrize("shape, base", CASES, ids=NAMES)
def test_every_value(solution, rng, shape, base):
    """Every value, for any leading axes and scattered positions"""
    x, positions = tensor(rng.normal(size=shape)), scattered(rng, shape[-2])
    close(solution.apply_rope(x, positions, base), turned(x, positions, base), dtypes=("float32",))


def test_far_positions(solution, rng):
    """One pair, thousands of positions away: it turns by one radian for each"""
    x, positions = tensor(rng.normal(size=(3, 2))), torch.tensor([0, 5000, 99_999])
    close(solution.apply_rope(x, positions, 10000.0), turned(x, positions, 10000.0), dtypes=("float32",))


def test_published_frequencies(solution):
    """8 wide, base 10000: the pairs turn by 1, 0.1, 0.01 and 0.001 per position"""
    x = torch.tensor([[[1.0, 0.0] * 4] * 2])
    found = shape_is(solution.apply_rope(x, torch.tensor([1, 100]), 10000.0), (1, 2, 8), kind="tensor")
    angles = torch.tensor([1.0, 0.1, 0.01, 0.001], dtype=torch.float64)
    close(found[0, 0], torch.stack([angles.cos(), angles.sin()], dim=-1).flatten())
    close(found[0, 1], torch.stack([(100 * angles).cos(), (100 * angles).sin()], dim=-1).flatten())


def test_position_zero(solution, rng):
    """At position 0 nothing turns"""
    x = tensor(rng.normal(size=(2, 1, 10)))
    close(solution.apply_rope(x, torch.tensor([0]), 10000.0), x)


def test_length_of_every_pair(solution, rng):
    """A turn keeps the length of every pair"""
    x = tensor(rng.normal(size=(2, 6, 10)))
    found = shape_is(solution.apply_rope(x, scattered(rng, 6), 1000.0), (2, 6, 10), kind="tensor")
    close(found.unflatten(-1, (5, 2)).norm(dim=-1), x.unflatten(-1, (5, 2)).norm(dim=-1))


@points(2)
def test_scores_see_the_distance_alone(solution, rng):
    """Query and key moved by the same number of positions keep their scores"""
    query, key = tensor(rng.normal(size=(4, 16)) / 4), tensor(rng.normal(size=(6, 16)))
    at_query, at_key, step = scattered(rng, 4, 60), scattered(rng, 6, 60), int(rng.integers(1, 200))
    expected = turned(query, at_query, 10000.0) @ turned(key, at_key, 10000.0).T
    for shift in (0, step):
        q = solution.apply_rope(query, at_query + shift, 10000.0)
        k = solution.apply_rope(key, at_key + shift, 10000.0)
        shape_is(q, (4, 16), kind="tensor", dtypes=("float32",))
        shape_is(k, (6, 16), kind="tensor", dtypes=("float32",))
        close(q @ k.T, expected)


def test_a_token_alone(solution, rng):
    """A token turns the same way alone and among others, as when a model writes token by token"""
    x, positions = tensor(rng.normal(size=(2, 5, 8))), scattered(rng, 5)
    together = solution.apply_rope(x, positions, 10000.0)
    close(together, turned(x, positions, 10000.0))
    for t in (0, 3):
        close(solution.apply_rope(x[:, t : t + 1], positions[t : t + 1], 10000.0), together[:, t : t + 1])


@points(2)
@pytest.mark.parametrize("name", ["float64", "bfloat16"])
def test_dtype(solution, rng, name):
    """The dtype is that of x, and even then the angles are exact"""
    x = torch.from_numpy(rng.uniform(0.5, 1.0, (2, 12, 6)) * rng.choice([-1, 1], (2, 12, 6))).to(getattr(torch, name))
    positions = 514 + 4 * scattered(rng, 12, 60)  # bfloat16 has 512, 516, 520, …
    atol = 0.125 if name == "bfloat16" else None
    close(solution.apply_rope(x, positions, 10000.0), turned(x, positions, 10000.0), atol=atol, dtypes=(name,))


def test_gradients(solution, rng):
    """Gradients are turned back by the same angles"""
    x, cotangent = (tensor(rng.normal(size=(2, 3, 8))) for _ in range(2))
    positions = scattered(rng, 3)
    found = solution.apply_rope.gradients(x, positions, 10000.0, cotangent=cotangent)
    close(found.output, turned(x, positions, 10000.0))
    expect(
        found.inputs[0] is not None,
        "No gradient reaches x. Is something detached, or computed without gradients?",
        public=True,
    )
    close(found.inputs[0], turned(cotangent, positions, 10000.0, direction=-1))


def test_calls_do_not_depend_on_each_other(solution, rng):
    """Equal calls give equal results, also after a call of another size and base"""
    x, positions = tensor(rng.normal(size=(2, 4, 6))), scattered(rng, 4)
    close(deterministic(solution.apply_rope, x, positions, 10000.0), turned(x, positions, 10000.0))
    close(solution.apply_rope(x, positions + 7, 300.0), turned(x, positions + 7, 300.0))
    other = tensor(rng.normal(size=(5, 8)))
    close(solution.apply_rope(other, torch.arange(5), 10000.0), turned(other, torch.arange(5), 10000.0))


def test_inputs_stay_unchanged(solution, rng):
    """x and the positions are left as they were"""
    unchanged(solution.apply_rope, tensor(rng.normal(size=(2, 3, 4))), scattered(rng, 3), 10000.0)
