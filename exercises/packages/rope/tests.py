import numpy as np
import pytest
import torch

from exercises.testkit import close, deterministic, expect, points, sample, shape_is, unchanged

# Axes of equal length let an angle laid along the wrong one pass without an error: only the values tell.
CASES = [
    ((1, 7, 6), 1.75),
    ((2, 3, 5, 12), 10000.0),
    ((4, 4, 4, 4), 1_000_000.0),
    ((2, 3, 1, 2), 10000.0),
    ((1, 2, 9, 128), 500000),
    ((2, 1, 3, 2, 6), 87.5),
    ((10, 9, 66, 4), 500.0),
]
NAMES = ["batch-of-one", "heads", "equal-axes", "one-pair", "many-pairs", "five-axes", "large"]


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
    x, positions = tensor(rng.normal(size=shape) / 2), scattered(rng, shape[-2], 1000)
    close(solution.apply_rope(x, positions, base), turned(x, positions, base), dtypes=("float32",))


def test_views(solution, rng):
    """Heads that were split off with a transpose, so that they do not lie in order in memory"""
    x, positions = tensor(rng.normal(size=(2, 3, 5, 4))), scattered(rng, 5)
    close(solution.apply_rope.of_views(x, positions, 10000.0), turned(x, positions, 10000.0), dtypes=("float32",))


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
    q = solution.apply_rope(query, at_query + step, 10000.0)
    k = solution.apply_rope(key, at_key + step, 10000.0)
    shape_is(q, (4, 16), kind="tensor", dtypes=("float32",))
    shape_is(k, (6, 16), kind="tensor", dtypes=("float32",))
    close(q @ k.T, expected)


def test_a_token_alone(solution, rng):
    """A token turns the same way alone and among others, as when a model writes token by token"""
    x, positions = tensor(rng.normal(size=(2, 5, 8))), scattered(rng, 5)
    together = solution.apply_rope(x, positions, 10000.0)
    close(together, turned(x, positions, 10000.0))
    close(solution.apply_rope(x[:, 3:4], positions[3:4], 10000.0), together[:, 3:4])


@points(2)
@pytest.mark.parametrize("name", ["float64", "bfloat16"])
def test_dtype(solution, rng, name):
    """The dtype is that of x, the angles are exact even then, and gradients flow back"""
    x = torch.from_numpy(rng.uniform(0.5, 0.9, (2, 12, 10)) * rng.choice([-1, 1], (2, 12, 10))).to(getattr(torch, name))
    positions = 514 + 4 * scattered(rng, 12, 120)  # bfloat16 has 512, 516, …, but not 4.16^(-1/5)
    atol = 0.125 if name == "bfloat16" else None
    found = solution.apply_rope.gradients(x, positions, 4.16, cotangent=x.flip(0))
    close(found.output, turned(x, positions, 4.16), atol=atol, dtypes=(name,))
    gradient_close(found, turned(x.flip(0), positions, 4.16, direction=-1), atol)


def test_gradients(solution, rng):
    """Gradients are turned back by the same angles"""
    x, cotangent = (tensor(rng.normal(size=(2, 3, 8))) for _ in range(2))
    positions = scattered(rng, 3)
    found = solution.apply_rope.gradients(x, positions, 10000.0, cotangent=cotangent)
    close(found.output, turned(x, positions, 10000.0))
    gradient_close(found, turned(cotangent, positions, 10000.0, direction=-1))


def gradient_close(found, expected, atol=None):
    expect(
        found.inputs[0] is not None,
        "No gradient reaches x. Is something detached, or computed without gradients?",
        public=True,
    )
    close(found.inputs[0], expected, atol=atol)


def test_calls_do_not_depend_on_each_other(solution, rng):
    """Equal calls give equal results, also after a call of other positions, another size and base"""
    x, positions = tensor(rng.normal(size=(2, 4, 6))), scattered(rng, 4)
    close(deterministic(solution.apply_rope, x, positions, 10000.0), turned(x, positions, 10000.0))
    exchanged = positions[[0, 2, 1, 3]]
    close(solution.apply_rope(x, exchanged, 10000.0), turned(x, exchanged, 10000.0))
    close(solution.apply_rope(x, positions + 7, 300.0), turned(x, positions + 7, 300.0))
    other = tensor(rng.normal(size=(5, 8)))
    close(solution.apply_rope(other, torch.arange(5), 10000.0), turned(other, torch.arange(5), 10000.0))


def test_inputs_stay_unchanged(solution, rng):
    """x and the positions are left as they were, whatever the dtype and the number of axes"""
    for name, shape in zip(("float32", "float64", "bfloat16", "float32"), ((3, 4), (1, 3, 4), (2, 3, 4), (2, 2, 3, 4))):
        x = tensor(rng.normal(size=shape)).to(getattr(torch, name))
        unchanged(solution.apply_rope, x, scattered(rng, 3), 10000.0)
