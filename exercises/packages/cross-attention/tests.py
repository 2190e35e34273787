from itertools import product

import numpy as np
import pytest
import torch
from torch import nn

from exercises.testkit import close, deterministic, expect, points, sample, shape_is, unchanged

PROJECTIONS = ("q_proj", "k_proj", "v_proj", "out_proj")
# (batch, tokens, memory, d_model, heads): one head and several, odd sizes, a batch of one, a memory of one token; and
# each once large, so that what is wrong only beyond 8 sentences, 8 heads or 64 tokens shows.
SIZES = [(2, 3, 70, 12, 4), (1, 67, 2, 9, 3), (10, 1, 5, 8, 2), (2, 4, 1, 6, 6), (3, 4, 4, 10, 10), (2, 3, 5, 6, 1)]


def tensor(array):
    return torch.from_numpy(np.asarray(array, dtype=np.float32))


def weights(rng, d_model):
    """Random state of the four projections; scores become of order 1, so that a lost scale shows."""
    state = {}
    for name in PROJECTIONS:
        state[f"{name}.weight"] = tensor(rng.normal(0, 1.3 / d_model**0.5, (d_model, d_model)))
        state[f"{name}.bias"] = tensor(rng.normal(0, 0.3, d_model))
    return state


def inputs(rng, batch, n_tokens, n_memory, d_model):
    """Tokens of the decoder, and what the encoder made of the source."""
    return [tensor(rng.normal(size=(batch, length, d_model))) for length in (n_tokens, n_memory)]


def padding(lengths, n_memory):
    """True for the first tokens of every memory, as many as it has."""
    return torch.arange(n_memory) < torch.tensor(lengths)[:, None]


def identity(d_model, *names):
    """State that makes the projections `names` hand their input through."""
    state = {f"{name}.weight": torch.eye(d_model) for name in names}
    return state | {f"{name}.bias": torch.zeros(d_model) for name in names}


def loaded(solution, rng, d_model, n_heads, *identities):
    """The learner's layer and torch's own, with the same random weights, but for the projections `identities`."""
    state = weights(rng, d_model) | identity(d_model, *identities)
    layer = solution.CrossAttention(d_model, n_heads)
    layer.load(state)
    oracle = nn.MultiheadAttention(d_model, n_heads, batch_first=True)
    oracle.load_state_dict(
        {
            "in_proj_weight": torch.cat([state[f"{name}.weight"] for name in PROJECTIONS[:3]]),
            "in_proj_bias": torch.cat([state[f"{name}.bias"] for name in PROJECTIONS[:3]]),
            "out_proj.weight": state["out_proj.weight"],
            "out_proj.bias": state["out_proj.bias"],
        }
    )
    return layer, oracle


def attend(oracle, x, memory, memory_mask=None):
    """What torch's layer makes of it. Its mask says which tokens are padding, the opposite of ours."""
    blocked = None if memory_mask is None else ~memory_mask
    return oracle(x, memory, memory, key_padding_mask=blocked, need_weights=False)[0]


@sample
def test_parameters(solution):
    """Four projections with weight and bias"""
    shapes = dict.fromkeys(PROJECTIONS, (6, 6))
    state = {f"{name}.weight": torch.zeros(shape) for name, shape in shapes.items()}
    state |= {f"{name}.bias": torch.zeros(shape[:1]) for name, shape in shapes.items()}
    solution.CrossAttention(6, 2).load(state)


@sample
def test_example_of_the_statement(solution):
    """Two tokens look into a memory of two tokens and one of padding"""
    layer = solution.CrossAttention(4, 2)
    layer.load(identity(4, *PROJECTIONS))
    x = torch.tensor([[[1.0, 0.0, 0.0, 2.0], [0.0, 1.0, 1.0, 0.0]]])
    memory = torch.tensor([[[1.0, 0.0, 0.0, 1.0], [0.0, 2.0, 1.0, 0.0], [1.0, 1.0, 1.0, 1.0]]])
    expected = torch.tensor([[[0.669762, 0.660477, 0.195570, 0.804430], [0.195570, 1.608859, 0.669762, 0.330238]]])
    close(layer(x, memory, torch.tensor([[True, True, False]])), expected, dtypes=("float32",))


@points(2)
@pytest.mark.parametrize("batch, n_tokens, n_memory, d_model, n_heads", SIZES)
def test_memory_of_another_length(solution, rng, batch, n_tokens, n_memory, d_model, n_heads):
    """A memory that is longer or shorter than the tokens, or as long"""
    layer, oracle = loaded(solution, rng, d_model, n_heads)
    x, memory = inputs(rng, batch, n_tokens, n_memory, d_model)
    close(layer(x, memory), attend(oracle, x, memory), dtypes=("float32",))


@points(2)
# As many tokens and heads as sentences, so that a mask on a wrong axis fits; and a single token.
@pytest.mark.parametrize("lengths, n_tokens", [((2, 5, 3), 3), ((4, 1, 6), 1)])
def test_padding(solution, rng, lengths, n_tokens):
    """Memories of mixed lengths, filled up with padding"""
    layer, oracle = loaded(solution, rng, 12, 3)
    x, memory = inputs(rng, len(lengths), n_tokens, max(lengths), 12)
    mask = padding(lengths, max(lengths))
    close(layer(x, memory, mask), attend(oracle, x, memory, mask))


@points(2)
def test_padding_anywhere(solution, rng):
    """Padding at the front and in between, elsewhere in the next call, in training or not"""
    layer, oracle = loaded(solution, rng, 8, 2)
    mask = torch.tensor([[False, True, False, True, True, False], [True, False, True, True, False, True]])
    for training in (True, False, False):
        layer.train(training)
        x, memory = inputs(rng, 2, 3, 6, 8)
        close(layer(x, memory, mask), attend(oracle, x, memory, mask))
        mask = mask.roll((1, 1), (0, 1))


def test_padding_is_as_if_it_were_not_there(solution, rng):
    """A padded memory gives what its real tokens alone give, whatever stands in the padding"""
    layer, oracle = loaded(solution, rng, 10, 2)
    x, memory = inputs(rng, 1, 3, 4, 10)
    alone = layer(x, memory)
    close(alone, attend(oracle, x, memory))
    padded = torch.cat([memory, tensor(rng.normal(0, 50, (1, 3, 10)))], dim=1)
    close(layer(x, padded, padding([4], 7)), alone)


def test_all_real_is_as_without_a_mask(solution, rng):
    """A mask that is True everywhere changes nothing"""
    layer, oracle = loaded(solution, rng, 6, 3)
    x, memory = inputs(rng, 2, 4, 3, 6)
    close(layer(x, memory, padding([3, 3], 3)), attend(oracle, x, memory))


def test_order_of_the_memory_does_not_matter(solution, rng):
    """Shuffle the memory together with its mask, and nothing changes"""
    layer, oracle = loaded(solution, rng, 8, 4)
    x, memory = inputs(rng, 2, 3, 6, 8)
    mask, order = padding([6, 4], 6), torch.from_numpy(rng.permutation(6))
    close(layer(x, memory[:, order], mask[:, order]), attend(oracle, x, memory, mask))


def test_tokens_do_not_see_each_other(solution, rng):
    """A token that changes leaves the results of the other tokens as they were"""
    layer, _ = loaded(solution, rng, 12, 3)
    x, memory = inputs(rng, 2, 5, 4, 12)
    before = layer(x, memory)
    x[:, 2] += 1.0
    after = layer(x, memory)
    for output in (before, after):
        shape_is(output, (2, 5, 12), kind="tensor", dtypes=("float32",))
    others = [0, 1, 3, 4]
    close(after[:, others], before[:, others])
    expect((after - before)[:, 2].abs().max() > 1e-3, "A token's own result should change with it.", public=True)


def test_calls_do_not_depend_on_each_other(solution, rng):
    """Equal calls give equal results, in training too, and after a call of another size"""
    layer, oracle = loaded(solution, rng, 8, 2)
    x, other = inputs(rng, 2, 3, 4, 8), inputs(rng, 1, 5, 2, 8)
    layer.train()
    close(deterministic(layer, *x), attend(oracle, *x))
    close(layer(*other), attend(oracle, *other))


def test_inputs_stay_unchanged(solution, rng):
    """Tokens, memory and mask are left as they were, in a batch of one or two, with a mask and without"""
    layer, _ = loaded(solution, rng, 8, 2)
    for batch, masked in product((1, 2), (False, True)):
        unchanged(layer, *inputs(rng, batch, 3, 4, 8), *([padding([2, 4][:batch], 4)] if masked else []))


@points(2)
@pytest.mark.parametrize("masked", [False, True], ids=["free", "masked"])
def test_gradients(solution, rng, masked):
    """Gradients of tokens, memory and parameters, with a mask in training, and without one in evaluation mode"""
    layer, oracle = loaded(solution, rng, 12, 3)
    layer.train(masked)
    x, memory = (value.requires_grad_() for value in inputs(rng, 2, 4, 6, 12))
    mask = padding([6, 3], 6) if masked else None
    cotangent = tensor(rng.normal(size=(2, 4, 12)))
    attend(oracle, x, memory, mask).backward(cotangent)
    found = layer.gradients(x.detach(), memory.detach(), mask, cotangent=cotangent)
    expected = dict(zip(PROJECTIONS, (*oracle.in_proj_weight.grad.chunk(3), oracle.out_proj.weight.grad)))
    expected = {f"{name}.weight": gradient for name, gradient in expected.items()}
    expected |= {"v_proj.bias": oracle.in_proj_bias.grad.chunk(3)[2], "out_proj.bias": oracle.out_proj.bias.grad}
    gradient_close("x", found.inputs[0], x.grad)
    gradient_close("memory", found.inputs[1], memory.grad)
    for name, gradient in expected.items():
        gradient_close(name, found.parameters.get(name), gradient)


def gradient_close(name, found, expected):
    expect(found is not None, f"No gradient reaches {name}. Is something detached, or not used?", public=True)
    close(found, expected, rtol=1e-3, atol=1e-4)


def test_large_scores(solution, rng):
    """Scores in the hundreds give finite weights"""
    layer, oracle = loaded(solution, rng, 12, 3)
    x, memory = inputs(rng, 2, 4, 5, 12)
    x *= 180.0
    mask = padding([3, 5], 5)
    close(layer(x, memory, mask), attend(oracle, x, memory, mask), atol=1e-3)


def test_large_scores_of_padding(solution, rng):
    """Padding scores a thousand above the real tokens"""
    layer, oracle = loaded(solution, rng, 8, 2, "q_proj", "k_proj")
    # Scores are exact. The first column of each head alone makes −512 of them, and 512 with the padding.
    x, memory = (array.round() for array in inputs(rng, 2, 3, 5, 8))
    x[..., ::4], memory[..., ::4], memory[:, 4, ::4] = 32.0, -32.0, 32.0
    mask = padding([4, 4], 5)
    close(layer(x, memory, mask), attend(oracle, x, memory, mask), atol=1e-3)


def test_sentences_do_not_mix(solution, rng):
    """A sentence gives the same result alone and in a batch"""
    layer, oracle = loaded(solution, rng, 10, 2)
    x, memory = inputs(rng, 3, 4, 6, 10)
    mask = padding([6, 2, 5], 6)
    together = layer(x, memory, mask)
    close(together, attend(oracle, x, memory, mask))
    for index in range(3):
        one = slice(index, index + 1)
        close(layer(x[one], memory[one], mask[one]), together[one])
