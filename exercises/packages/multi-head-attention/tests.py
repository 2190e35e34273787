from itertools import product

import numpy as np
import pytest
import torch
from torch.nn.functional import multi_head_attention_forward

from exercises.testkit import close, deterministic, expect, points, sample, shape_is, unchanged

PROJECTIONS = ("q_proj", "k_proj", "v_proj", "out_proj")
# (batch, queries, keys, d_model, heads): one head and as many as columns, odd sizes, a batch of one, other lengths; and
# each once large, so that what is wrong only beyond 8 sequences, 8 heads or 64 tokens shows.
SIZES = [(10, 5, 5, 12, 3), (3, 4, 4, 6, 1), (2, 3, 3, 10, 10)]
LENGTHS = [(2, 3, 70, 12, 4), (1, 67, 2, 9, 3)]


def tensor(array):
    return torch.from_numpy(np.asarray(array, dtype=np.float32))


def weights(rng, d_model):
    """Random state of the four projections; scores become of order 1, so that a lost scale shows."""
    state = {}
    for name in PROJECTIONS:
        state[f"{name}.weight"] = tensor(rng.normal(0, 1.3 / d_model**0.5, (d_model, d_model)))
        state[f"{name}.bias"] = tensor(rng.normal(0, 0.3, d_model))
    return state


def inputs(rng, batch, n_queries, n_keys, d_model):
    """Query, key and value, all different, so that exchanged roles show."""
    return [tensor(rng.normal(size=(batch, length, d_model))) for length in (n_queries, n_keys, n_keys)]


def random_mask(rng, batch, n_queries, n_keys):
    """True where attending is allowed; every query has a forbidden key and an allowed one; the second, just one."""
    mask = rng.random((batch, 1, n_queries, n_keys)) < 0.5
    mask[:, :, 1:2] = False
    order = rng.permuted(np.broadcast_to(np.arange(n_keys), mask.shape), axis=-1)
    np.put_along_axis(mask, order[..., :1], True, axis=-1)
    np.put_along_axis(mask, order[..., 1:2], False, axis=-1)
    return torch.from_numpy(mask)


class Oracle:
    """What nn.MultiheadAttention calls with its parameters, without making such a module for every test."""

    def __init__(self, state, n_heads):
        self.n_heads = n_heads
        self.in_weight = torch.cat([state[f"{name}.weight"] for name in PROJECTIONS[:3]])
        self.in_bias = torch.cat([state[f"{name}.bias"] for name in PROJECTIONS[:3]])
        self.out_weight, self.out_bias = state["out_proj.weight"].clone(), state["out_proj.bias"].clone()

    @property
    def parameters(self):
        return self.in_weight, self.in_bias, self.out_weight, self.out_bias

    def __call__(self, query, key, value, mask=None):
        """Torch has the batch second; its mask says what is *not* allowed, and has one entry for every head."""
        blocked = None if mask is None else ~mask.expand(-1, self.n_heads, -1, -1).flatten(0, 1)
        output, _ = multi_head_attention_forward(
            *(value.transpose(0, 1) for value in (query, key, value)),
            embed_dim_to_check=query.shape[-1],
            num_heads=self.n_heads,
            in_proj_weight=self.in_weight,
            in_proj_bias=self.in_bias,
            bias_k=None,
            bias_v=None,
            add_zero_attn=False,
            dropout_p=0.0,
            out_proj_weight=self.out_weight,
            out_proj_bias=self.out_bias,
            need_weights=False,
            attn_mask=blocked,
        )
        return output.transpose(0, 1)


def identity(d_model, *names):
    """State that makes the projections `names` hand their input through."""
    state = {f"{name}.weight": torch.eye(d_model) for name in names}
    return state | {f"{name}.bias": torch.zeros(d_model) for name in names}


def loaded(solution, rng, d_model, n_heads, *identities):
    """The learner's layer and torch's own, with the same random weights, but for the projections `identities`."""
    state = weights(rng, d_model) | identity(d_model, *identities)
    layer = solution.MultiHeadAttention(d_model, n_heads)
    layer.load(state)
    return layer, Oracle(state, n_heads)


@sample
def test_parameters(solution):
    """Four projections with weight and bias"""
    shapes = solution.MultiHeadAttention(6, 2).parameter_names()
    expected = {}
    for name in PROJECTIONS:
        expected[f"{name}.weight"], expected[f"{name}.bias"] = (6, 6), (6,)
    missing, extra = sorted(expected.keys() - shapes.keys()), sorted(shapes.keys() - expected.keys())
    expect(
        not missing, f"These parameters are missing: {', '.join(missing)}. Use nn.Linear with bias under these names."
    )
    expect(
        not extra, f"There are parameters nobody asked for: {', '.join(extra)[:200]}. Keep the four projections alone."
    )
    wrong = sorted(name for name in expected if shapes[name] != expected[name])
    expect(not wrong, f"These parameters have the wrong shape: {', '.join(wrong)}. Use nn.Linear(d_model, d_model).")


@sample
def test_example_of_the_statement(solution):
    """Two tokens, two heads, identity projections"""
    layer = solution.MultiHeadAttention(4, 2)
    layer.load(identity(4, *PROJECTIONS), strict=False)
    x = torch.tensor([[[1.0, 0.0, 0.0, 2.0], [0.0, 1.0, 2.0, 0.0]]])
    expected = torch.tensor([[[0.669762, 0.330238, 0.111614, 1.888386], [0.330238, 0.669762, 1.888386, 0.111614]]])
    close(layer(x, x, x), expected, dtypes=("float32",))


@points(2)
@pytest.mark.parametrize("batch, n_queries, n_keys, d_model, n_heads", SIZES)
def test_self_attention(solution, rng, batch, n_queries, n_keys, d_model, n_heads):
    """Queries and keys of one length, for one head and several"""
    layer, oracle = loaded(solution, rng, d_model, n_heads)
    x = inputs(rng, batch, n_queries, n_keys, d_model)
    close(layer(*x), oracle(*x), dtypes=("float32",))


@points(2)
@pytest.mark.parametrize("batch, n_queries, n_keys, d_model, n_heads", LENGTHS)
def test_other_lengths(solution, rng, batch, n_queries, n_keys, d_model, n_heads):
    """More or fewer keys than queries"""
    layer, oracle = loaded(solution, rng, d_model, n_heads)
    x = inputs(rng, batch, n_queries, n_keys, d_model)
    close(layer(*x), oracle(*x), dtypes=("float32",))


@points(2)
@pytest.mark.parametrize("batch, n_queries, n_keys, d_model, n_heads", [(3, 5, 5, 12, 3), (1, 1, 6, 8, 2)])
def test_mask(solution, rng, batch, n_queries, n_keys, d_model, n_heads):
    """A mask that differs from query to query, from sequence to sequence and from call to call, in training or not"""
    layer, oracle = loaded(solution, rng, d_model, n_heads)
    for training in (True, False, False):
        layer.train(training)
        x, mask = inputs(rng, batch, n_queries, n_keys, d_model), random_mask(rng, batch, n_queries, n_keys)
        close(layer(*x, mask), oracle(*x, mask))


def test_masked_keys_do_not_matter(solution, rng):
    """Changing what a query may not see changes nothing for it"""
    layer, _ = loaded(solution, rng, 12, 3)
    query, key, value = inputs(rng, 2, 5, 5, 12)
    mask = torch.ones(2, 1, 5, 5, dtype=torch.bool).tril()
    before = layer(query, key, value, mask)
    key[:, 3:] += 5.0
    value[:, 3:] -= 5.0
    after = layer(query, key, value, mask)
    for output in (before, after):
        shape_is(output, (2, 5, 12), kind="tensor", dtypes=("float32",))
    close(after[:, :3], before[:, :3])
    expect(
        (after[:, 3:] - before[:, 3:]).abs().max() > 1e-3,
        "Queries that may see a changed key should notice it.",
        public=True,
    )


def test_calls_do_not_depend_on_each_other(solution, rng):
    """Equal calls give equal results, in training too, and after a call of another size"""
    layer, oracle = loaded(solution, rng, 8, 2)
    x, other = inputs(rng, 2, 3, 4, 8), inputs(rng, 1, 5, 2, 8)
    layer.train()
    close(deterministic(layer, *x), oracle(*x))
    close(layer(*other), oracle(*other))


def test_inputs_stay_unchanged(solution, rng):
    """Query, key, value and mask are left as they were, in a batch of one or two, with a mask and without"""
    layer, _ = loaded(solution, rng, 8, 2)
    for batch, masked in product((1, 2), (False, True)):
        unchanged(layer, *inputs(rng, batch, 3, 4, 8), *([random_mask(rng, batch, 3, 4)] if masked else []))


@points(4)
def test_gradients(solution, rng):
    """Gradients of inputs and parameters, with a mask in training, and without one in evaluation mode"""
    layer, oracle = loaded(solution, rng, 12, 3)
    check_gradients(rng, layer, oracle, random_mask(rng, 2, 4, 6))
    layer.eval()
    check_gradients(rng, layer, oracle)


def check_gradients(rng, layer, oracle, *mask):
    x, cotangent = inputs(rng, 2, 4, 6, 12), tensor(rng.normal(size=(2, 4, 12)))
    found = layer.gradients(*x, *mask, cotangent=cotangent)
    variables = [value.requires_grad_() for value in (*x, *oracle.parameters)]
    *by_input, in_weight, in_bias, out_weight, out_bias = torch.autograd.grad(oracle(*x, *mask), variables, cotangent)
    for name, gradient, expected in zip(("query", "key", "value"), found.inputs, by_input):
        gradient_close(name, gradient, expected)
    for name, expected in zip(PROJECTIONS, (*in_weight.chunk(3), out_weight)):
        gradient_close(f"{name}.weight", found.parameters.get(f"{name}.weight"), expected)
    gradient_close("v_proj.bias", found.parameters.get("v_proj.bias"), in_bias.chunk(3)[2])
    gradient_close("out_proj.bias", found.parameters.get("out_proj.bias"), out_bias)


def gradient_close(name, found, expected):
    expect(found is not None, f"No gradient reaches {name}. Is something detached, or not used?", public=True)
    close(found, expected, rtol=1e-3, atol=1e-4)


def test_heads_are_independent(solution, rng):
    """The queries of one head reach the columns of that head alone"""
    layer, _ = loaded(solution, rng, 12, 3, "q_proj", "out_proj")
    query, key, value = inputs(rng, 2, 4, 5, 12)
    before = layer(query, key, value)
    query[..., 4:8] += 1.0
    after = layer(query, key, value)
    for output in (before, after):
        shape_is(output, (2, 4, 12), kind="tensor", dtypes=("float32",))
    for columns in (slice(0, 4), slice(8, 12)):
        close(after[..., columns], before[..., columns])
    expect((after - before)[..., 4:8].abs().max() > 1e-3, "The columns of the changed head should change.", public=True)


def test_large_scores(solution, rng):
    """Scores in the hundreds give finite weights"""
    layer, oracle = loaded(solution, rng, 12, 3)
    query, key, value = inputs(rng, 2, 4, 5, 12)
    query *= 300.0
    close(layer(query, key, value), oracle(query, key, value), atol=1e-3)


def test_large_masked_scores(solution, rng):
    """A key that may not be seen scores a thousand above the others"""
    layer, oracle = loaded(solution, rng, 8, 2, "q_proj", "k_proj")
    # Scores are exact. The first column of each head alone makes −512 of them, and 512 with the masked key.
    query, key, value = (array.round() for array in inputs(rng, 2, 3, 5, 8))
    query[..., ::4], key[..., ::4], key[:, 2, ::4] = 32.0, -32.0, 32.0
    mask = (torch.arange(5) != 2).expand(2, 1, 3, 5)
    close(layer(query, key, value, mask), oracle(query, key, value, mask), atol=1e-3)


def test_sequences_do_not_mix(solution, rng):
    """A sequence gives the same result alone and in a batch"""
    layer, oracle = loaded(solution, rng, 10, 2)
    x = inputs(rng, 3, 4, 6, 10)
    together = layer(*x)
    close(together, oracle(*x))
    close(layer(*(value[1:2] for value in x)), together[1:2])
