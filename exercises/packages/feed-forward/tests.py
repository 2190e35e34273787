import numpy as np
import pytest
import torch
from torch import nn

from exercises.testkit import close, deterministic, expect, points, sample, shape_is, unchanged

# (batch, tokens, d_model, d_ff): wider and narrower inside, a single hidden value, a batch of one, a single token.
SIZES = [(2, 5, 6, 11), (1, 1, 4, 3), (3, 2, 5, 5), (2, 7, 8, 1)]


def tensor(array):
    return torch.from_numpy(np.asarray(array, dtype=np.float32))


def weights(rng, d_model, d_ff):
    """Random state of both maps; about half of the hidden values become negative."""
    return {
        "linear1.weight": tensor(rng.normal(0, d_model**-0.5, (d_ff, d_model))),
        "linear1.bias": tensor(rng.normal(0, 0.5, d_ff)),
        "linear2.weight": tensor(rng.normal(0, d_ff**-0.5, (d_model, d_ff))),
        "linear2.bias": tensor(rng.normal(0, 0.5, d_model)),
    }


def inputs(rng, batch, n_tokens, d_model):
    return tensor(rng.normal(0, 1.5, (batch, n_tokens, d_model)))


def loaded(solution, rng, d_model, *others):
    """The learner's network in evaluation mode, made with (d_model, *others), and torch's own with the same weights."""
    d_ff = others[0] if others else 2048
    state = weights(rng, d_model, d_ff)
    network = solution.FeedForward(d_model, *others)
    network.load(state)
    network.eval()
    oracle = nn.Sequential(nn.Linear(d_model, d_ff), nn.ReLU(), nn.Linear(d_ff, d_model))
    oracle.load_state_dict(dict(zip(("0.weight", "0.bias", "2.weight", "2.bias"), state.values())))
    return network, oracle


@sample
def test_parameters(solution, rng):
    """Two linear maps with bias"""
    solution.FeedForward(3, 5).load(weights(rng, 3, 5))


@sample
def test_example_of_the_statement(solution):
    """Two tokens, two wide, three hidden values"""
    network = solution.FeedForward(2, 3)
    network.load(
        {
            "linear1.weight": torch.tensor([[1.0, 0.0], [0.0, 1.0], [1.0, -1.0]]),
            "linear1.bias": torch.tensor([0.0, 0.0, -1.0]),
            "linear2.weight": torch.tensor([[1.0, 0.0, 2.0], [0.0, 1.0, -1.0]]),
            "linear2.bias": torch.tensor([0.5, 0.0]),
        }
    )
    network.eval()
    expected = torch.tensor([[[1.5, 2.0], [9.5, -3.0]]])
    close(network(torch.tensor([[[1.0, 2.0], [3.0, -1.0]]])), expected, dtypes=("float32",))


@points(2)
@pytest.mark.parametrize("batch, n_tokens, d_model, d_ff", SIZES)
def test_values(solution, rng, batch, n_tokens, d_model, d_ff):
    """Every value, for networks of several sizes"""
    network, oracle = loaded(solution, rng, d_model, d_ff)
    x = inputs(rng, batch, n_tokens, d_model)
    close(network(x), oracle(x), dtypes=("float32",))


@points(2)
def test_usual_width(solution, rng):
    """2048 hidden values unless told otherwise"""
    network, oracle = loaded(solution, rng, 3)
    x = inputs(rng, 2, 4, 3)
    close(network(x), oracle(x), dtypes=("float32",))


def test_tokens_are_independent(solution, rng):
    """A token gives the same result alone, among others, and at another position"""
    network, _ = loaded(solution, rng, 6, 9)
    x = inputs(rng, 3, 4, 6)
    together = network(x)
    close(network(x[1:2, 2:3]), together[1:2, 2:3])
    close(network(x.flip(0, 1)), together.flip(0, 1))


@points(2)
def test_evaluation(solution, rng):
    """In evaluation mode nothing is dropped, also after training"""
    network, oracle = loaded(solution, rng, 6, 20, 0.5)
    x = inputs(rng, 2, 5, 6)
    network.train()
    shape_is(network(x), (2, 5, 6), kind="tensor", dtypes=("float32",))
    network.eval()
    close(deterministic(network, x), oracle(x))


def test_training_without_dropout(solution, rng):
    """In training with a dropout of 0, nothing is dropped"""
    network, oracle = loaded(solution, rng, 6, 20, 0.0)
    x = inputs(rng, 2, 5, 6)
    network.train()
    close(network(x), oracle(x))


def one_by_one(kept, p):
    """Fail if neighbours along an axis agree much more often than two values that are dropped by themselves."""
    for axis in range(kept.ndim):
        ours, others = kept.movedim(axis, 0)[1:], kept.movedim(axis, 0)[:-1]
        expect(
            (ours == others).float().mean() < 1 - p * (1 - p),
            "In training, every value should be dropped or kept by itself, and anew in every call.",
            public=True,
        )


@points(2)
def test_training_with_dropout(solution, rng):
    """In training, hidden values are dropped with the given or the usual probability, and the others scaled up"""
    state = {name: value.abs() + 0.1 for name, value in weights(rng, 16, 16).items()}
    # Hidden values are positive, and linear2 keeps them apart: where one is dropped, its bias alone remains.
    state["linear2.weight"] *= torch.eye(16)
    x, results = inputs(rng, 5, 100, 16).abs(), []
    for chosen in ((), (0.3,)):
        network = solution.FeedForward(16, 16, *chosen)
        network.load(state)
        network.train()
        results.append([network.seeded(int(rng.integers(1 << 31)), x) for _ in range(2)])
    hidden = x @ state["linear1.weight"].T + state["linear1.bias"]
    for calls, p in zip(results, (0.1, 0.3)):
        for found in calls:
            shape_is(found, (5, 100, 16), kind="tensor", dtypes=("float32",))
        found = torch.stack(list(calls))
        kept = (found - state["linear2.bias"]).abs() > 1e-4
        expect(
            abs(1 - kept.float().mean().item() - p) < 0.033,
            "In training, dropout should set as large a share of the values after the ReLU to 0 as `dropout` says, a "
            "tenth unless told otherwise. Is it there, and does it get its argument?",
            public=True,
        )
        close(found, kept * hidden / (1 - p) @ state["linear2.weight"].T + state["linear2.bias"])
        one_by_one(kept, p)


@points(2)
def test_gradients(solution, rng):
    """Gradients of input and parameters"""
    network, oracle = loaded(solution, rng, 6, 9)
    x, cotangent = inputs(rng, 2, 4, 6), inputs(rng, 2, 4, 6)
    found = network.gradients(x, cotangent=cotangent)
    x.requires_grad_()
    oracle(x).backward(cotangent)
    expected = {"x": x.grad}
    expected |= zip(("linear1.weight", "linear1.bias", "linear2.weight", "linear2.bias"), grads_of(oracle))
    for name, gradient in expected.items():
        ours = found.inputs[0] if name == "x" else found.parameters.get(name)
        expect(ours is not None, f"No gradient reaches {name}. Is something detached, or not used?", public=True)
        close(ours, gradient, rtol=1e-3, atol=1e-4)


def grads_of(module):
    return [parameter.grad for parameter in module.parameters()]


def test_large_inputs(solution, rng):
    """Inputs in the thousands"""
    network, oracle = loaded(solution, rng, 5, 8)
    x = 2000 * inputs(rng, 2, 3, 5)
    close(network(x), oracle(x), atol=0.05)


def test_input_stays_unchanged(solution, rng):
    """x is left as it was"""
    network, _ = loaded(solution, rng, 6, 9)
    unchanged(network, inputs(rng, 2, 3, 6))
