import numpy as np
import pytest
import torch
from torch import nn

from exercises.testkit import close, deterministic, expect, points, sample, shape_is, unchanged

# (batch, tokens, d_model, d_ff): wider and narrower inside, a single hidden value, one token alone, many sentences.
SIZES = [(2, 5, 6, 11), (1, 1, 4, 3), (10, 66, 5, 5), (2, 7, 8, 1)]


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
    x[-1, -1] += 1
    close(network(x), oracle(x))
    network.train()
    again = shape_is(network(x), (2, 5, 6), kind="tensor", dtypes=("float32",))
    expect((again - oracle(x)).abs().max() > 1e-3, "After evaluation, training should drop values again.", public=True)


def test_training_without_dropout(solution, rng):
    """In training with a dropout of 0, nothing is dropped"""
    network, oracle = loaded(solution, rng, 6, 20, 0.0)
    x = inputs(rng, 2, 5, 6)
    network.train()
    close(network(x), oracle(x))


def agree(kept):
    """Per axis, how often neighbours are both kept or both dropped."""
    along = (kept.movedim(axis, 0) for axis in range(kept.ndim))
    return [(axis[1:] == axis[:-1]).float().mean() for axis in along]


def spread(kept, p):
    """Of the numbers kept in every token, sentence and call: the mean square of the distance from what is expected, as
    a share of the variance."""
    counts = (kept.double().flatten(-length).sum(-1) for length in (1, 2, 3))
    sizes = (kept[0, 0, 0].numel(), kept[0, 0].numel(), kept[0].numel())
    return torch.stack([((n - m * (1 - p)) ** 2).mean() / (m * p * (1 - p)) for n, m in zip(counts, sizes)])


def positive(rng):
    """A state with positive hidden values for positive x, which linear2 keeps apart: where one is dropped, its bias
    alone remains."""
    state = {name: value.abs() + 0.1 for name, value in weights(rng, 16, 16).items()}
    state["linear2.weight"] *= torch.eye(16)
    return state


@points(2)
def test_training_with_dropout(solution, rng):
    """In training, hidden values are dropped with the given or the usual probability, and the others scaled up"""
    state, x, spreads = positive(rng), inputs(rng, 10, 30, 16).abs(), []
    hidden = x @ state["linear1.weight"].T + state["linear1.bias"]
    for chosen in ((), (float(rng.uniform(0.22, 0.28)),), (float(rng.uniform(0.72, 0.83)),)):
        network = solution.FeedForward(16, 16, *chosen)
        network.load(state)
        network.train()
        calls = [network.seeded(int(rng.integers(1 << 31)), x) for _ in range(2)]
        for found in calls:
            shape_is(found, (10, 30, 16), kind="tensor", dtypes=("float32",))
        found, p = torch.stack(calls), chosen[0] if chosen else 0.1
        kept = (found - state["linear2.bias"]).abs() > 1e-4
        expect(
            abs(1 - kept.float().mean().item() - p) < 0.033,
            "In training, dropout should set as large a share of the values after the ReLU to 0 as `dropout` says, a "
            "tenth unless told otherwise. Is it there, and does it get its argument?",
            public=True,
        )
        close(found, kept * hidden / (1 - p) @ state["linear2.weight"].T + state["linear2.bias"])
        spreads.append(spread(kept, p))
        # Of two values that are dropped independently, 1 - 2p(1 - p) agree.
        independent = max(agree(kept)) < 1 - 1.6 * p * (1 - p)
        expect(
            independent, "In training, every value should be dropped independently, afresh in every call.", public=True
        )
    # 1,800 tokens, 60 sentences and 6 calls: by chance, no mean is as small as these but once in a million times.
    expect(
        (sum(spreads) / 3 > torch.tensor([0.7, 0.3, 0.004])).all(),
        "In training, every value should be dropped independently, so the number that are dropped should vary.",
        public=True,
    )


GRADIENTS = ("linear1.weight", "linear1.bias", "linear2.weight", "linear2.bias")


@points(2)
def test_gradients(solution, rng):
    """Gradients of input and parameters, in both modes"""
    network, oracle = loaded(solution, rng, 6, 9, 0.0)
    x, cotangent = inputs(rng, 2, 4, 6), inputs(rng, 2, 4, 6)
    expected = x.clone().requires_grad_()
    oracle(expected).backward(cotangent)
    for training in (False, True):
        network.train(training)
        found = network.gradients(x, cotangent=cotangent)
        gradients_close(found, expected.grad, [parameter.grad for parameter in oracle.parameters()])


def gradients_close(found, of_x, of_parameters):
    ours = {"x": found.inputs[0]} | {name: found.parameters.get(name) for name in GRADIENTS}
    for (name, gradient), expected in zip(ours.items(), (of_x, *of_parameters)):
        expect(gradient is not None, f"No gradient reaches {name}. Is something detached, or not used?", public=True)
        close(gradient, expected, rtol=1e-3, atol=1e-4)


def test_large_inputs(solution, rng):
    """Inputs in the thousands"""
    network, oracle = loaded(solution, rng, 5, 8)
    x = 2000 * inputs(rng, 2, 3, 5)
    close(network(x), oracle(x), atol=0.05)


def test_input_stays_unchanged(solution, rng):
    """x is left as it was, in both modes"""
    network, _ = loaded(solution, rng, 6, 9)
    for training, batch in ((False, 2), (False, 1), (True, 2)):
        network.train(training)
        unchanged(network, inputs(rng, batch, 3, 6))
