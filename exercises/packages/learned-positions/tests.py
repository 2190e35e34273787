import re

import numpy as np
import pytest
import torch

from exercises.testkit import close, deterministic, expect, points, raises, sample, unchanged

# (batch, n_tokens, max_len, d_model, offset): a batch of one, large ones, up to the very last row.
WHOLE = [(1, 5, 12, 6, 0), (10, 66, 66, 3, 0)]
LATER = [(2, 5, 12, 6, 3), (3, 3, 1300, 4, 1297)]
# By one; from beyond the end; and so that a careless slice would leave one row, or none.
BEYOND = [(2, 3, 11, 4, 9), (1, 1, 7, 5, 7), (3, 4, 23, 6, 22)]


def tensor(array):
    return torch.from_numpy(np.asarray(array, dtype=np.float32))


def loaded(solution, rng, max_len, d_model):
    """The learner's layer with a random table, and the table."""
    table = tensor(rng.normal(size=(max_len, d_model)))
    layer = solution.LearnedPositions(max_len, d_model)
    layer.load({"embedding.weight": table})
    return layer, table


def embedded(rng, batch, n_tokens, d_model):
    return tensor(rng.normal(size=(batch, n_tokens, d_model)))


def sums(x, table, offset):
    """Token by token: x[:, t] + table[offset + t]."""
    return torch.stack([tokens + table[offset + t] for t, tokens in enumerate(x.unbind(dim=1))], dim=1)


@sample
def test_parameters(solution):
    """One parameter: embedding.weight, (max_len, d_model)"""
    layer = solution.LearnedPositions(7, 4)
    expect(layer.parameter_names(), "Your module has no parameter. Make the table an nn.Embedding called `embedding`.")
    layer.load({"embedding.weight": torch.zeros(7, 4)})


@sample
def test_example_of_the_statement(solution):
    """Two tokens, from the start and with offset 2"""
    layer = solution.LearnedPositions(4, 2)
    layer.load({"embedding.weight": torch.tensor([[1.0, 2.0], [10.0, 20.0], [100.0, 200.0], [1000.0, 2000.0]])})
    x = torch.tensor([[[5.0, 6.0], [7.0, 8.0]]])
    close(layer(x), torch.tensor([[[6.0, 8.0], [17.0, 28.0]]]), dtypes=("float32",))
    close(layer(x, 2), torch.tensor([[[105.0, 206.0], [1007.0, 2008.0]]]), dtypes=("float32",))


@pytest.mark.parametrize("batch, n_tokens, max_len, d_model, offset", WHOLE)
def test_from_the_start(solution, rng, batch, n_tokens, max_len, d_model, offset):
    """Every token gets the row of its position"""
    layer, table = loaded(solution, rng, max_len, d_model)
    x = embedded(rng, batch, n_tokens, d_model)
    close(layer(x), sums(x, table, offset), dtypes=("float32",))


@points(2)
@pytest.mark.parametrize("batch, n_tokens, max_len, d_model, offset", LATER)
def test_offset(solution, rng, batch, n_tokens, max_len, d_model, offset):
    """With an offset the rows begin there, and the last row may be used"""
    layer, table = loaded(solution, rng, max_len, d_model)
    x = embedded(rng, batch, n_tokens, d_model)
    close(layer(x, offset), sums(x, table, offset), dtypes=("float32",))


@points(2)
def test_token_by_token(solution, rng):
    """Written token by token, a sequence gets what it gets at once"""
    layer, table = loaded(solution, rng, 5, 6)
    x = embedded(rng, 2, 5, 6)
    close(layer(x), sums(x, table, 0))
    for position in range(5):
        close(layer(x[:, position : position + 1], position), sums(x, table, 0)[:, position : position + 1])


def test_too_long_from_the_start(solution, rng):
    """A sequence longer than the table is refused with a ValueError that names max_len, in both modes"""
    layer, _ = loaded(solution, rng, 11, 4)
    for training in (True, False):
        layer.train(training)
        refused(layer, embedded(rng, 2, 14, 4), 0, 11)


@points(2)
@pytest.mark.parametrize("batch, n_tokens, max_len, d_model, offset", BEYOND)
def test_beyond_the_table(solution, rng, batch, n_tokens, max_len, d_model, offset):
    """With an offset, too, a token beyond the table is refused"""
    layer, _ = loaded(solution, rng, max_len, d_model)
    refused(layer, embedded(rng, batch, max_len + 1, d_model), 0, max_len)
    refused(layer, embedded(rng, batch, n_tokens, d_model), offset, max_len)
    refused(layer, embedded(rng, batch, n_tokens, d_model), 100 * max_len, max_len)


def refused(layer, x, offset, max_len):
    error = raises("ValueError", layer, x, offset)
    expect(
        re.search(rf"(?<!\d){max_len}(?!\d)", error.message),
        "The message of your ValueError should name max_len as a number, so that its reader knows the limit.",
        public=True,
    )


@points(2)
@pytest.mark.parametrize("n_tokens, offset, training", [(3, 0, True), (2, 4, False)])
def test_gradients(solution, rng, n_tokens, offset, training):
    """Gradients reach x and the rows that were used, and no others, in both modes"""
    layer, table = loaded(solution, rng, 6, 4)
    x, cotangent = embedded(rng, 3, n_tokens, 4), embedded(rng, 3, n_tokens, 4)
    rows = torch.zeros(6, 4)
    rows[offset : offset + n_tokens] = cotangent.sum(dim=0)
    layer.train(training)
    found = layer.gradients(x, offset, cotangent=cotangent)
    close(found.output, sums(x, table, offset))
    reached = found.parameters.get("embedding.weight")
    expect(reached is not None, "No gradient reaches embedding.weight. Is the table detached, or frozen?", public=True)
    close(reached, rows)
    expect(found.inputs[0] is not None, "No gradient reaches x. Is something detached?", public=True)
    close(found.inputs[0], cotangent)


def test_calls_do_not_depend_on_each_other(solution, rng):
    """Equal calls give equal results, in training too, and after a call of another size"""
    layer, table = loaded(solution, rng, 9, 4)
    x, other = embedded(rng, 2, 3, 4), embedded(rng, 1, 5, 4)
    layer.train()
    close(deterministic(layer, x, 4), sums(x, table, 4))
    close(layer(other), sums(other, table, 0))
    layer.eval()
    close(layer(x), sums(x, table, 0))
    close(layer(-x), sums(-x, table, 0))


def test_input_stays_unchanged(solution, rng):
    """x is left as it was"""
    layer, _ = loaded(solution, rng, 8, 4)
    for batch, n_tokens, offset in ((2, 3, 1), (2, 3, 0), (1, 3, 2), (2, 1, 0)):
        unchanged(layer, embedded(rng, batch, n_tokens, 4), offset)
