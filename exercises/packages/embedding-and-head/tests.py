import numpy as np
import pytest
import torch
from torch.nn import functional

from exercises.testkit import close, deterministic, expect, points, sample, shape_is, unchanged

# (batch, tokens, vocabulary, d_model): odd sizes, one token and more dimensions than words, many of all.
SIZES = [(2, 5, 11, 8), (1, 1, 3, 7), (10, 66, 68, 20)]
VOCABULARY = 37_000


def tensor(array):
    return torch.from_numpy(np.asarray(array, dtype=np.float32))


def random_table(rng, vocab_size, d_model):
    """Entries of the size that training starts from, so that scaled vectors are of order 1 and logits unsaturated."""
    return tensor(rng.normal(0, d_model**-0.5, (vocab_size, d_model)))


def random_tokens(rng, batch, n_tokens, vocab_size):
    return torch.from_numpy(rng.integers(0, vocab_size, (batch, n_tokens)))


def loaded(solution, table):
    layer = solution.EmbeddingAndHead(*table.shape)
    layer.load({"embedding.weight": table})
    return layer


def embedded(table, tokens):
    return functional.embedding(tokens, table) * table.shape[1] ** 0.5


@sample
def test_parameters(solution):
    """One table, embedding.weight, and no other parameter"""
    loaded(solution, torch.zeros(5, 4))


@sample
def test_example_of_the_statement(solution):
    """Three words, four dimensions"""
    layer = loaded(solution, torch.tensor([[1.0, 0.0, 2.0, -1.0], [0.0, 1.0, 1.0, 0.0], [0.5, 0.5, 0.0, 1.0]]))
    vectors = torch.tensor([[[1.0, 1.0, 0.0, 2.0], [2.0, 0.0, 4.0, -2.0]]])
    close(layer.embed(torch.tensor([[2, 0]])), vectors, dtypes=("float32",))
    close(layer.logits(vectors[:, :1]), torch.tensor([[[-1.0, 1.0, 3.0]]]), dtypes=("float32",))
    close(layer.probabilities(vectors[:, :1]), torch.tensor([[[0.0158763, 0.1173104, 0.8668133]]]))


@points(2)
@pytest.mark.parametrize("batch, n_tokens, vocab_size, d_model", SIZES)
def test_embed(solution, rng, batch, n_tokens, vocab_size, d_model):
    """The vectors of the tokens, scaled"""
    table, tokens = random_table(rng, vocab_size, d_model), random_tokens(rng, batch, n_tokens, vocab_size)
    close(loaded(solution, table).embed(tokens), embedded(table, tokens), dtypes=("float32",))


@points(2)
@pytest.mark.parametrize("batch, n_tokens, vocab_size, d_model", SIZES)
def test_logits(solution, rng, batch, n_tokens, vocab_size, d_model):
    """A score for every word, from the same table"""
    table, x = random_table(rng, vocab_size, d_model), tensor(rng.normal(size=(batch, n_tokens, d_model)))
    close(loaded(solution, table).logits(x), functional.linear(x, table), dtypes=("float32",))


@points(2)
@pytest.mark.parametrize("batch, n_tokens, vocab_size, d_model", SIZES)
def test_probabilities(solution, rng, batch, n_tokens, vocab_size, d_model):
    """The probability of every word"""
    table, x = random_table(rng, vocab_size, d_model), tensor(rng.normal(size=(batch, n_tokens, d_model)))
    expected = functional.linear(x, table).softmax(-1)
    close(loaded(solution, table).probabilities(x), expected, dtypes=("float32",))


def test_probabilities_add_up_to_one(solution, rng):
    """Whatever the vectors, the probabilities of all words add up to 1 and none is negative"""
    layer = loaded(solution, random_table(rng, 9, 6))
    found = shape_is(layer.probabilities(tensor(rng.normal(size=(2, 3, 6)))), (2, 3, 9), kind="tensor")
    close(found.sum(-1), torch.ones(2, 3))
    expect((found >= 0).all(), "A probability is never negative.", public=True)


@points(2)
def test_without_layers(solution, rng):
    """Calling it gives the logits of the embedded tokens"""
    table, tokens = random_table(rng, 13, 6), random_tokens(rng, 2, 4, 13)
    close(loaded(solution, table)(tokens), functional.linear(embedded(table, tokens), table))


@points(2)
def test_both_ends_share_the_table(solution, rng):
    """Change the table, and embedding and head both change"""
    first, second = random_table(rng, 7, 4), random_table(rng, 7, 4)
    tokens, x = random_tokens(rng, 2, 3, 7), tensor(rng.normal(size=(2, 3, 4)))
    layer = loaded(solution, first)
    close(layer.embed(tokens), embedded(first, tokens))
    close(layer.logits(x), functional.linear(x, first))
    close(layer.probabilities(x), functional.linear(x, first).softmax(-1))
    close(layer(tokens), functional.linear(embedded(first, tokens), first))
    layer.load({"embedding.weight": second})
    close(layer.embed(tokens), embedded(second, tokens))
    close(layer.logits(x), functional.linear(x, second))
    close(layer.probabilities(x), functional.linear(x, second).softmax(-1))
    close(layer(tokens), functional.linear(embedded(second, tokens), second))


@points(2)
def test_gradient_of_the_table(solution, rng):
    """The table learns from both of its uses, at the words read and at all words scored, in both modes"""
    table, tokens = random_table(rng, 9, 6), torch.tensor([[0, 3, 3], [8, 1, 0]])
    layer = loaded(solution, table)
    cotangent, of_vectors = tensor(rng.normal(size=(2, 3, 9))), tensor(rng.normal(size=(2, 3, 6)))
    expected = gradient(lambda table: functional.linear(embedded(table, tokens), table), table, cotangent)
    for training in (True, False):
        layer.train(training)
        found = layer.gradients(tokens, cotangent=cotangent).parameters
        expect(len(found) == 1, "There should be one parameter, the table.", public=True)
        gradient_close("the table", next(iter(found.values())), expected)
    found = layer.embed.gradients(tokens, cotangent=of_vectors).parameters
    expected = gradient(lambda table: embedded(table, tokens), table, of_vectors)
    gradient_close("the table through `embed`", next(iter(found.values())), expected)


def test_gradient_of_the_vectors(solution, rng):
    """Gradients flow through the head to what comes before it, and to the table"""
    table, x = random_table(rng, 9, 6), tensor(rng.normal(size=(2, 3, 6)))
    layer = loaded(solution, table)
    cotangent = tensor(rng.normal(size=(2, 3, 9)))
    heads = {
        "logits": lambda x, table: functional.linear(x, table),
        "probabilities": lambda x, table: functional.linear(x, table).softmax(-1),
    }
    for name, head in heads.items():
        found = getattr(layer, name).gradients(x, cotangent=cotangent)
        gradient_close("x", found.inputs[0], gradient(lambda x: head(x, table), x, cotangent))
        expected = gradient(lambda table: head(x, table), table, cotangent)
        gradient_close(f"the table through `{name}`", next(iter(found.parameters.values())), expected)


def gradient(function, value, cotangent):
    """Of sum(function(value) * cotangent), by value."""
    value = value.clone().requires_grad_()
    return torch.autograd.grad(function(value), value, cotangent)[0]


def gradient_close(name, found, expected):
    expect(found is not None, f"No gradient reaches {name}. Is something detached, or not used?", public=True)
    close(found, expected, rtol=1e-3, atol=1e-4)


def test_large_logits(solution, rng):
    """Logits in the hundreds give finite probabilities"""
    table, x = random_table(rng, 11, 8), 300.0 * tensor(rng.normal(size=(2, 4, 8)))
    close(loaded(solution, table).probabilities(x), functional.linear(x, table).softmax(-1), atol=1e-3)


@points(2)
def test_large_vocabulary(solution, rng):
    """2,048 tokens of a vocabulary of 37,000 fit into the memory"""
    table = random_table(rng, VOCABULARY, 16)
    layer = loaded(solution, table)
    tokens = random_tokens(rng, 8, 256, VOCABULARY)
    tokens[0, 0], tokens[-1, -1] = 0, VOCABULARY - 1
    vectors = embedded(table, tokens)
    close(layer.embed(tokens), vectors)
    close(layer.logits(vectors[:2, :1]), functional.linear(vectors[:2, :1], table))


def test_calls_do_not_depend_on_each_other(solution, rng):
    """Equal calls give equal results, also after others of the same or another size, in both modes"""
    table, tokens = random_table(rng, 7, 4), random_tokens(rng, 2, 3, 7)
    layer = loaded(solution, table)
    close(deterministic(layer.embed, tokens), embedded(table, tokens))
    close(layer.embed(tokens[:1, :2]), embedded(table, tokens[:1, :2]))
    close(deterministic(layer, tokens), functional.linear(embedded(table, tokens), table))
    layer.eval()
    for tokens in (tokens, 6 - tokens):
        x = tensor(rng.normal(size=(2, 3, 4)))
        close(layer.embed(tokens), embedded(table, tokens))
        close(layer.logits(x), functional.linear(x, table))
        close(layer.probabilities(x), functional.linear(x, table).softmax(-1))


def test_inputs_stay_unchanged(solution, rng):
    """Tokens and vectors are left as they were"""
    layer = loaded(solution, random_table(rng, 7, 4))
    for call in (layer.embed, layer):
        unchanged(call, random_tokens(rng, 2, 3, 7))
    for batch in (1, 2):
        for call in (layer.logits, layer.probabilities):
            unchanged(call, tensor(rng.normal(size=(batch, 3, 4))))
