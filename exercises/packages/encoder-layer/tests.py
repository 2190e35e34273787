from itertools import combinations, product

import numpy as np
import pytest
import torch
from torch import nn
from torch.nn.functional import layer_norm
from torch.nn.functional import linear as linear_map

from exercises.testkit import close, deterministic, expect, points, sample, shape_is, unchanged

PROJECTIONS = ("q_proj", "k_proj", "v_proj", "out_proj")
NORMS = ("norm1", "norm2")
LAST_MAPS = ("self_attn.out_proj", "feed_forward.linear2")
# (batch, tokens, d_model, heads, d_ff): one head and as many as columns, odd sizes, a batch of one, a single token; and
# each once large, so that what is wrong only beyond 8 sequences, 8 heads or 64 tokens shows.
SIZES = [(10, 5, 12, 3, 20), (1, 70, 10, 5, 6), (3, 4, 10, 10, 9), (2, 1, 8, 1, 16)]

NOTHING_DROPPED = (
    "In training, nothing is dropped of what one sub-layer returns: dropout should act on the output of each, before "
    "it is added."
)
NOTHING_DROPPED_INSIDE = (
    "In training, the hidden values of the feed-forward network are never dropped: your FeedForward should drop them, "
    "after its ReLU."
)
NOT_SCALED = "In training, what dropout keeps should be divided by 1 - dropout."
ONE_BY_ONE = "In training, every value should be dropped or kept by itself, and anew in every call."
DROPPED_OTHERWISE = (
    "In training, dropout should act on what each sub-layer returns, before it is added: some values become 0, and the "
    "others are divided by 1 - dropout. The results do not fit that: something is dropped elsewhere, or otherwise."
)


def tensor(array):
    return torch.from_numpy(np.asarray(array, dtype=np.float32))


def linear(rng, name, n_in, n_out):
    weight, bias = rng.normal(0, 1.3 / n_in**0.5, (n_out, n_in)), rng.normal(0, 0.3, n_out)
    return {f"{name}.weight": tensor(weight), f"{name}.bias": tensor(bias)}


def weights(rng, d_model, d_ff):
    """Random state of the whole layer. Both sub-layers count about as much as what they are added to."""
    state = {}
    for name in PROJECTIONS:
        state |= linear(rng, f"self_attn.{name}", d_model, d_model)
    state |= linear(rng, "feed_forward.linear1", d_model, d_ff) | linear(rng, "feed_forward.linear2", d_ff, d_model)
    for name in NORMS:
        state[f"{name}.weight"] = tensor(rng.uniform(0.5, 1.5, d_model))
        state[f"{name}.bias"] = tensor(rng.normal(0, 0.3, d_model))
    return state


def torch_names(state):
    """The same state under the names of torch's layer, which keeps three projections in one."""
    named = {name.removeprefix("feed_forward."): value for name, value in state.items() if "_proj" not in name}
    for part in ("weight", "bias"):
        projections = [state[f"self_attn.{name}.{part}"] for name in PROJECTIONS]
        named[f"self_attn.in_proj_{part}"] = torch.cat(projections[:3])
        named[f"self_attn.out_proj.{part}"] = projections[3]
    return named


def loaded(solution, rng, d_model, n_heads, *others):
    """The learner's layer in evaluation mode, made with (d_model, n_heads, *others), and torch's with equal weights."""
    d_ff = others[0] if others else 2048
    state = weights(rng, d_model, d_ff)
    layer = solution.EncoderLayer(d_model, n_heads, *others)
    layer.load(state)
    layer.eval()
    return layer, torchs_layer(state, d_model, n_heads, d_ff)


def torchs_layer(state, d_model, n_heads, d_ff):
    layer = nn.TransformerEncoderLayer(d_model, n_heads, d_ff, dropout=0.0, batch_first=True)
    layer.load_state_dict(torch_names(state))
    return layer


def inputs(rng, batch, n_tokens, d_model):
    return tensor(rng.normal(size=(batch, n_tokens, d_model)))


def random_mask(rng, batch, n_tokens):
    """True where attending is allowed; every token has a forbidden one and an allowed one; the second, just one."""
    mask = rng.random((batch, 1, n_tokens, n_tokens)) < 0.5
    mask[:, :, 1:2] = False
    order = rng.permuted(np.broadcast_to(np.arange(n_tokens), mask.shape), axis=-1)
    np.put_along_axis(mask, order[..., :1], True, axis=-1)
    np.put_along_axis(mask, order[..., 1:2], False, axis=-1)
    return torch.from_numpy(mask)


def with_mask(oracle, x, mask):
    """What torch's layer makes of it. Its mask says what is *not* allowed, and has one entry for every head."""
    return oracle(x, src_mask=~mask.expand(-1, oracle.self_attn.num_heads, -1, -1).flatten(0, 1))


@sample
def test_parameters(solution, rng):
    """Attention, feed-forward network and two norms"""
    solution.EncoderLayer(6, 2, 10).load(weights(rng, 6, 10))


@sample
def test_example_of_the_statement(solution):
    """Two tokens that attend to both alike"""
    layer = solution.EncoderLayer(4, 2, 4)
    state = {name: torch.zeros_like(value) for name, value in weights(np.random.default_rng(0), 4, 4).items()}
    state |= {f"{name}.weight": torch.ones(4) for name in NORMS}
    for name in ("self_attn.v_proj", "self_attn.out_proj", "feed_forward.linear1", "feed_forward.linear2"):
        state[f"{name}.weight"] = torch.eye(4)
    layer.load(state)
    layer.eval()
    expected = torch.tensor(
        [[[1.697746, -0.242535, -0.727606, -0.727606], [-0.242535, 1.697746, -0.727606, -0.727606]]]
    )
    close(layer(torch.tensor([[[2.0, 0.0, 0.0, 0.0], [0.0, 2.0, 0.0, 0.0]]])), expected, dtypes=("float32",))


@points(2)
@pytest.mark.parametrize("batch, n_tokens, d_model, n_heads, d_ff", SIZES)
def test_values(solution, rng, batch, n_tokens, d_model, n_heads, d_ff):
    """Every value, as in torch's own layer with the same weights"""
    layer, oracle = loaded(solution, rng, d_model, n_heads, d_ff)
    x = inputs(rng, batch, n_tokens, d_model)
    close(layer(x), oracle(x), dtypes=("float32",))


def test_usual_width(solution, rng):
    """2048 hidden values unless told otherwise"""
    layer, oracle = loaded(solution, rng, 4, 2)
    x = inputs(rng, 2, 3, 4)
    close(layer(x), oracle(x), dtypes=("float32",))


@points(2)
def test_padding_mask(solution, rng):
    """Sequences of several lengths, filled up with padding"""
    layer, oracle = loaded(solution, rng, 12, 3, 20)
    x = inputs(rng, 3, 6, 12)
    real = torch.arange(6) < torch.tensor([[6], [2], [4]])
    found = layer(x, real[:, None, None, :].expand(-1, 1, 6, -1))
    close(found, oracle(x, src_key_padding_mask=~real), dtypes=("float32",))


@points(2)
def test_mask(solution, rng):
    """A mask that differs from token to token, from sequence to sequence and from call to call"""
    layer, oracle = loaded(solution, rng, 8, 2, 10)
    for batch in (3, 3, 1):
        x, mask = inputs(rng, batch, 5, 8), random_mask(rng, batch, 5)
        close(layer(x, mask), with_mask(oracle, x, mask), dtypes=("float32",))


def test_small_spread(solution, rng):
    """Values that hardly differ: a norm's eps is torch's own"""
    # In this state the second norm, too, sees values that differ by a few thousandths.
    state = without_sublayers(rng, 1) | {"norm1.weight": torch.full((6,), 0.003), "norm1.bias": torch.zeros(6)}
    layer = solution.EncoderLayer(6, 2, 1)
    layer.load(state)
    layer.eval()
    x = 0.003 * inputs(rng, 2, 3, 6)
    close(layer(x), normalised(state, x, NORMS))


def test_padding_does_not_matter(solution, rng):
    """A sequence gives the same result with padding and without"""
    layer, _ = loaded(solution, rng, 12, 3, 20)
    x = inputs(rng, 2, 7, 12)
    real = torch.arange(7) < torch.tensor([[7], [4]])
    padded = layer(x, real[:, None, None, :].expand(-1, 1, 7, -1))
    shape_is(padded, (2, 7, 12), kind="tensor", dtypes=("float32",))
    close(layer(x[1:, :4]), padded[1:, :4])
    close(layer(x[:1]), padded[:1])


def test_order_does_not_matter(solution, rng):
    """Tokens in another order give the same results in that order"""
    layer, _ = loaded(solution, rng, 8, 2, 10)
    x = inputs(rng, 2, 5, 8)
    order = torch.from_numpy(rng.permutation(5))
    straight = shape_is(layer(x), (2, 5, 8), kind="tensor", dtypes=("float32",))
    close(layer(x[:, order]), straight[:, order])


@points(2)
def test_evaluation(solution, rng):
    """In evaluation mode nothing is dropped, also after training"""
    layer, oracle = loaded(solution, rng, 8, 2, 10, 0.5)
    x = inputs(rng, 2, 5, 8)
    layer.train()
    shape_is(layer(x), (2, 5, 8), kind="tensor", dtypes=("float32",))
    layer.eval()
    close(deterministic(layer, x), oracle(x))


def test_training_without_dropout(solution, rng):
    """In training with a dropout of 0, nothing is dropped"""
    layer, oracle = loaded(solution, rng, 8, 2, 10, 0.0)
    x, mask = inputs(rng, 2, 5, 8), random_mask(rng, 2, 5)
    layer.train()
    close(layer(x), oracle(x))
    close(layer(x, mask), with_mask(oracle, x, mask))


def normalised(state, x, norms):
    for name in norms:
        x = layer_norm(x, x.shape[-1:], state[f"{name}.weight"], state[f"{name}.bias"])
    return x


def without_sublayers(rng, d_ff, silent=LAST_MAPS):
    """Random state, 6 wide, in which both sub-layers, or one of them, give 0, whatever they see."""
    state = weights(rng, 6, d_ff)
    for name in silent:
        state[f"{name}.weight"], state[f"{name}.bias"] = torch.zeros_like(state[f"{name}.weight"]), torch.zeros(6)
    return state


def in_training(layer, state, rng):
    """480 tokens, and what the layer makes of them in training: both (480, 1, 6)."""
    layer.load(state)
    layer.train()
    x = inputs(rng, 60, 8, 6)
    found = layer.seeded(int(rng.integers(1 << 31)), x)
    shape_is(found, (60, 8, 6), kind="tensor", dtypes=("float32",))
    return x.reshape(-1, 1, 6), found.reshape(-1, 1, 6)


def which_dropped(x, found, state, place, outputs, p, whole=None):
    """Find out for each of 480 tokens what was dropped of sub-layer `place`, counted from 0.

    That sub-layer gives one of `outputs`, (n, 6) or (480, n, 6), and the other nothing. Returns the numbers of the
    outputs, (480,), and which of their values were kept, (480, 6). Fails if a token's result cannot come from that;
    `whole` is what the sub-layer gives if nothing is dropped inside it.
    """
    dropped = traced(x, found, state, place, outputs, p)
    if dropped is None:
        for given in (outputs, whole):
            unscaled = None if given is None else traced(x, found, state, place, given, 0.0)
            expect(unscaled is None or not unscaled[1].all(), NOTHING_DROPPED, public=True)
            expect(unscaled is None, NOT_SCALED, public=True)
        expect(whole is None or traced(x, found, state, place, whole, p) is None, NOTHING_DROPPED_INSIDE, public=True)
        expect(False, DROPPED_OTHERWISE, public=True)
    return dropped


def traced(x, found, state, place, outputs, p):
    """Which output every token was given, and which of its values were kept; None if no choice explains all tokens."""
    kept = torch.tensor(list(product((1.0, 0.0), repeat=6))).repeat(outputs.shape[-2], 1)
    added = outputs.repeat_interleave(64, dim=-2) * kept / (1 - p)
    before = normalised(state, x, NORMS[:place])
    away = (normalised(state, before + added, NORMS[place:]) - found).abs().amax(dim=-1)
    nearest = away.argmin(dim=1)
    return (nearest // 64, kept[nearest]) if away.amin(dim=1).max() < 1e-3 else None


def dropped_is(share, p, within):
    expect(
        abs(share - p) < within,
        f"In training, too {'many' if share > p else 'few'} values are dropped. Each is, with probability dropout.",
        public=True,
    )


def one_by_one(kept, p):
    """Fail if neighbours along an axis agree much more often than two values that are dropped by themselves."""
    for axis in range(kept.ndim):
        ours, others = kept.movedim(axis, 0)[1:], kept.movedim(axis, 0)[:-1]
        expect(
            (ours == others).float().mean() < 1 - p * (1 - p),
            ONE_BY_ONE,
            public=True,
        )


@points(4)
def test_dropout(solution, rng):
    """In training, hidden values and what each sub-layer gives are dropped, before it is added"""
    bias = tensor(rng.permutation([-2.0, -1.1, 0.7, 1.6, 2.3, 3.1]))
    attending, thinking = without_sublayers(rng, 3), without_sublayers(rng, 1)
    attending["self_attn.out_proj.bias"] = bias
    # The one hidden value is 1, or dropped.
    thinking["feed_forward.linear1.weight"], thinking["feed_forward.linear1.bias"] = torch.zeros(1, 6), torch.ones(1)
    weight = tensor(rng.permutation([-1.7, -0.6, 0.9, 1.3, 2.2, 2.8]))
    thinking["feed_forward.linear2.weight"], thinking["feed_forward.linear2.bias"] = weight[:, None], bias
    # All are asked before one is judged, so that a layer without one dropout is told from a layer without any.
    attended = [in_training(solution.EncoderLayer(6, 2, 3, 0.65), attending, rng) for _ in range(2)]
    thought = [in_training(solution.EncoderLayer(6, 2, 1, 0.65), thinking, rng) for _ in range(2)]
    usually = in_training(solution.EncoderLayer(6, 2, 1), thinking, rng)
    kept = torch.stack([which_dropped(*tokens, attending, 0, bias[None], 0.65)[1] for tokens in attended])
    dropped_is(1 - kept.mean().item(), 0.65, within=0.04)
    one_by_one(kept.view(2, 60, 8, 6), 0.65)
    found = [inside_and_after(*tokens, thinking, 1, bias, weight, 0.65) for tokens in thought]
    hidden_dropped, kept = (torch.stack(parts) for parts in zip(*found))
    dropped_is(1 - kept.mean().item(), 0.65, within=0.04)
    dropped_is(hidden_dropped.float().mean().item(), 0.65, within=0.1)
    one_by_one(kept.view(2, 60, 8, 6), 0.65)
    one_by_one(hidden_dropped.view(2, 60, 8), 0.65)
    hidden_dropped, kept = inside_and_after(*usually, thinking, 1, bias, weight, 0.1)
    dropped_is(1 - kept.mean().item(), 0.1, within=0.04)
    dropped_is(hidden_dropped.float().mean().item(), 0.1, within=0.08)


def inside_and_after(x, found, state, place, bias, weight, p):
    """What was dropped of a feed-forward network that gives bias + weight · (its hidden value, 1)."""
    outputs = torch.stack([bias + weight / (1 - p), bias])
    return which_dropped(x, found, state, place, outputs, p, whole=(bias + weight)[None])


def test_places_of_dropout_differ(solution, rng):
    """In training, what one sub-layer loses has nothing to do with what the other loses"""
    state = without_sublayers(rng, 1)
    first = torch.eye(6)[0]
    given = {name: number * first for name, number in zip(LAST_MAPS, (2.0, -1.5))}
    state |= {f"{name}.bias": value for name, value in given.items()}
    x, found = in_training(solution.EncoderLayer(6, 2, 1, 0.5), state, rng)
    lost_together(x, found, state, given.values())


def lost_together(x, found, state, given):
    """Fail if two sub-layers, which give one value each in the first column, often lose or keep it together."""
    kept = torch.tensor(list(product((1.0, 0.0), repeat=len(NORMS))))
    whole = results = x
    for norm, value, one in zip(NORMS, given, kept.T):
        results = normalised(state, results + value * one[:, None] / 0.5, [norm])
        whole = normalised(state, whole + value, [norm])
    expect((whole - found).abs().max() > 1e-3, NOTHING_DROPPED, public=True)
    away = (results - found).abs().amax(dim=-1)
    expect(away.amin(dim=1).max() < 1e-3, DROPPED_OTHERWISE, public=True)
    lost = kept[away.argmin(dim=1)]
    for one, other in combinations(lost.T, 2):
        expect((one == other).float().mean() < 0.75, ONE_BY_ONE, public=True)


@points(2)
def test_nothing_else_is_dropped(solution, rng):
    """In training, neither attention weights are dropped nor what a sub-layer sees"""
    attending, thinking = without_sublayers(rng, 1, LAST_MAPS[1:]), without_sublayers(rng, 1, LAST_MAPS[:1])
    x, found = in_training(solution.EncoderLayer(6, 2, 1, 0.4), attending, rng)
    tokens = x.view(60, 8, 6)
    given, _ = torchs_layer(attending, 6, 2, 1).self_attn(tokens, tokens, tokens)
    which_dropped(x, found, attending, 0, given.detach().reshape(-1, 1, 6), 0.4)
    x, found = in_training(solution.EncoderLayer(6, 2, 1), thinking, rng)
    seen = normalised(thinking, x, NORMS[:1])
    which_dropped(x, found, thinking, 1, thoughts(thinking, seen, 0.1), 0.1, whole=thoughts(thinking, seen, 0.0)[:, :1])


def thoughts(state, z, p):
    """What a feed-forward network with one hidden value may make of z, (480, 1, 6): that value kept, or dropped."""
    hidden = linear_map(z, state["feed_forward.linear1.weight"], state["feed_forward.linear1.bias"]).relu()
    both = torch.cat([hidden / (1 - p), 0 * hidden], dim=1)
    return linear_map(both, state["feed_forward.linear2.weight"], state["feed_forward.linear2.bias"])


@points(2)
@pytest.mark.parametrize("masked", [False, True], ids=["free", "masked"])
def test_gradients(solution, rng, masked):
    """Gradients of input and parameters, with a mask in training, and without one in evaluation mode"""
    layer, oracle = loaded(solution, rng, 12, 3, 10, 0.0)
    layer.train(masked)
    x, cotangent = inputs(rng, 2, 4, 12), inputs(rng, 2, 4, 12)
    mask = random_mask(rng, 2, 4) if masked else torch.ones(2, 1, 4, 4, dtype=torch.bool)
    found = layer.gradients(x, *([mask] if masked else []), cotangent=cotangent)
    x.requires_grad_()
    with_mask(oracle, x, mask).backward(cotangent)
    gradient_close("x", found.inputs[0], x.grad)
    for name, gradient in our_names(oracle).items():
        gradient_close(name, found.parameters.get(name), gradient)


def our_names(oracle):
    """The gradients of torch's layer under our names."""
    theirs = {name: parameter.grad for name, parameter in oracle.named_parameters()}
    named = {name.replace("linear", "feed_forward.linear"): theirs[name] for name in theirs if "attn" not in name}
    for part in ("weight", "bias"):
        projections = (*theirs[f"self_attn.in_proj_{part}"].chunk(3), theirs[f"self_attn.out_proj.{part}"])
        named |= {f"self_attn.{name}.{part}": gradient for name, gradient in zip(PROJECTIONS, projections)}
    # The bias of the keys changes no softmax: what is computed for it is rounding.
    return {name: gradient for name, gradient in named.items() if name != "self_attn.k_proj.bias"}


def gradient_close(name, found, expected):
    expect(found is not None, f"No gradient reaches {name}. Is something detached, or not used?", public=True)
    close(found, expected, rtol=1e-3, atol=1e-3)


def test_large_inputs(solution, rng):
    """Large inputs: scores in the hundreds"""
    layer, oracle = loaded(solution, rng, 12, 3, 10)
    x = 10 * inputs(rng, 2, 4, 12)
    close(layer(x), oracle(x), atol=1e-3)


def test_large_masked_scores(solution, rng):
    """A token that may not be seen scores a thousand above the others"""
    state = weights(rng, 8, 10)
    far_below_zero(state, "self_attn")
    layer, oracle = solution.EncoderLayer(8, 2, 10, 0.0), torchs_layer(state, 8, 2, 10)
    layer.load(state)
    x = inputs(rng, 2, 4, 8)
    x[..., ::4], x[:, 2, ::4] = 32.0, -32.0
    mask = (torch.arange(4) != 2).expand(2, 1, 4, 4)
    close(layer(x, mask), with_mask(oracle, x, mask), atol=1e-3)


def far_below_zero(state, attention):
    """Let 32 in the first column of both heads make a score of −512, and let that column make no values."""
    turned = torch.eye(8)
    turned[::4] *= -1
    state |= {f"{attention}.q_proj.weight": torch.eye(8), f"{attention}.k_proj.weight": turned}
    state |= {f"{attention}.{name}.bias": torch.zeros(8) for name in PROJECTIONS[:2]}
    state[f"{attention}.v_proj.weight"][:, ::4] = 0


def test_input_stays_unchanged(solution, rng):
    """x and mask are left as they were, in a batch of one or two, with a mask and without"""
    layer, _ = loaded(solution, rng, 8, 2, 10)
    for batch, masked in product((1, 2), (False, True)):
        unchanged(layer, inputs(rng, batch, 3, 8), *([random_mask(rng, batch, 3)] if masked else []))
