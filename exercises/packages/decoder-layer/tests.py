from itertools import combinations, product

import numpy as np
import pytest
import torch
from torch import nn
from torch.nn.functional import layer_norm
from torch.nn.functional import linear as linear_map

from exercises.testkit import close, deterministic, expect, points, sample, shape_is, unchanged

PROJECTIONS = ("q_proj", "k_proj", "v_proj", "out_proj")
# Our names and torch's.
ATTENTIONS = {"self_attn": "self_attn", "cross_attn": "multihead_attn"}
NORMS = ("norm1", "norm2", "norm3")
LAST_MAPS = ("self_attn.out_proj", "cross_attn.out_proj", "feed_forward.linear2")
# (batch, tokens, memory, d_model, heads, d_ff): more, less and as much memory; odd sizes, a batch of one, one token;
# and each once large, so that what is wrong only beyond 8 sentences, 8 heads or 64 tokens shows.
SIZES = [(10, 5, 3, 12, 3, 20), (1, 3, 70, 10, 5, 6), (1, 67, 4, 6, 1, 9), (2, 4, 4, 10, 10, 9), (2, 1, 6, 8, 8, 16)]

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
    """Random state of the whole layer. Every sub-layer counts about as much as what it is added to."""
    state = {}
    for attention, name in product(ATTENTIONS, PROJECTIONS):
        state |= linear(rng, f"{attention}.{name}", d_model, d_model)
    state |= linear(rng, "feed_forward.linear1", d_model, d_ff) | linear(rng, "feed_forward.linear2", d_ff, d_model)
    for name in NORMS:
        state[f"{name}.weight"] = tensor(rng.uniform(0.5, 1.5, d_model))
        state[f"{name}.bias"] = tensor(rng.normal(0, 0.3, d_model))
    return state


def torch_names(state):
    """The same state under the names of torch's layer, which keeps three projections in one."""
    named = {name.removeprefix("feed_forward."): value for name, value in state.items() if "_proj" not in name}
    for (ours, theirs), part in product(ATTENTIONS.items(), ("weight", "bias")):
        projections = [state[f"{ours}.{name}.{part}"] for name in PROJECTIONS]
        named[f"{theirs}.in_proj_{part}"] = torch.cat(projections[:3])
        named[f"{theirs}.out_proj.{part}"] = projections[3]
    return named


def loaded(solution, rng, d_model, n_heads, *others):
    """The learner's layer in evaluation mode, made with (d_model, n_heads, *others), and torch's with equal weights."""
    d_ff = others[0] if others else 2048
    state = weights(rng, d_model, d_ff)
    layer = solution.DecoderLayer(d_model, n_heads, *others)
    layer.load(state)
    layer.eval()
    return layer, torchs_layer(state, d_model, n_heads, d_ff)


def torchs_layer(state, d_model, n_heads, d_ff):
    layer = nn.TransformerDecoderLayer(d_model, n_heads, d_ff, dropout=0.0, batch_first=True)
    layer.load_state_dict(torch_names(state))
    return layer


def inputs(rng, batch, n_tokens, n_memory, d_model):
    """Target and memory."""
    return [tensor(rng.normal(size=(batch, length, d_model))) for length in (n_tokens, n_memory)]


def random_mask(rng, batch, n_tokens, n_seen):
    """True where attending is allowed; every token has a forbidden entry and an allowed one; the second, just one."""
    mask = rng.random((batch, 1, n_tokens, n_seen)) < 0.5
    mask[:, :, 1:2] = False
    order = rng.permuted(np.broadcast_to(np.arange(n_seen), mask.shape), axis=-1)
    np.put_along_axis(mask, order[..., :1], True, axis=-1)
    np.put_along_axis(mask, order[..., 1:2], False, axis=-1)
    return torch.from_numpy(mask)


def causal(batch, n_tokens):
    return torch.ones(batch, 1, n_tokens, n_tokens, dtype=torch.bool).tril()


def padding(real, n_tokens):
    """The mask that hides what is not real, (batch, n_memory), from all of n_tokens."""
    return real[:, None, None, :].expand(-1, 1, n_tokens, -1)


def with_masks(oracle, x, memory, mask=None, memory_mask=None):
    """What torch's layer makes of it. Its masks say what is *not* allowed, and have one entry for every head."""
    mask, memory_mask = (
        None if one is None else ~one.expand(-1, oracle.self_attn.num_heads, -1, -1).flatten(0, 1)
        for one in (mask, memory_mask)
    )
    return oracle(x, memory, tgt_mask=mask, memory_mask=memory_mask)


@sample
def test_parameters(solution, rng):
    """Two attentions, feed-forward network and three norms"""
    solution.DecoderLayer(6, 2, 10).load(weights(rng, 6, 10))


@sample
def test_example_of_the_statement(solution):
    """Two tokens that see themselves and what came before, and two rows of memory"""
    layer = solution.DecoderLayer(4, 2, 4)
    state = {name: torch.zeros_like(value) for name, value in weights(np.random.default_rng(0), 4, 4).items()}
    state |= {f"{name}.weight": torch.ones(4) for name in NORMS}
    state |= {f"{attention}.{name}.weight": torch.eye(4) for attention in ATTENTIONS for name in PROJECTIONS[2:]}
    state |= {f"feed_forward.{name}.weight": torch.eye(4) for name in ("linear1", "linear2")}
    layer.load(state)
    layer.eval()
    x = torch.tensor([[[2.0, 0.0, 0.0, 0.0], [0.0, 2.0, 0.0, 0.0]]])
    memory = torch.tensor([[[0.0, 0.0, 2.0, 0.0], [0.0, 0.0, 0.0, 4.0]]])
    expected = torch.tensor(
        [[[1.184594, -1.330223, -0.566177, 0.711806], [-1.038324, 1.382528, -0.861756, 0.517552]]],
    )
    close(layer(x, memory, causal(1, 2)), expected, dtypes=("float32",))


@points(2)
@pytest.mark.parametrize("batch, n_tokens, n_memory, d_model, n_heads, d_ff", SIZES)
def test_values(solution, rng, batch, n_tokens, n_memory, d_model, n_heads, d_ff):
    """Every value without masks, as in torch's own layer with the same weights"""
    layer, oracle = loaded(solution, rng, d_model, n_heads, d_ff)
    x = inputs(rng, batch, n_tokens, n_memory, d_model)
    close(layer(*x), oracle(*x), dtypes=("float32",))


def test_usual_width(solution, rng):
    """2048 hidden values unless told otherwise"""
    layer, oracle = loaded(solution, rng, 4, 2)
    x = inputs(rng, 2, 3, 2, 4)
    close(layer(*x), oracle(*x), dtypes=("float32",))


@points(2)
def test_causal_and_padded(solution, rng):
    """No token sees a later one, and none sees the padding of the memory"""
    layer, oracle = loaded(solution, rng, 12, 3, 20)
    x, memory = inputs(rng, 3, 4, 6, 12)
    real = torch.arange(6) < torch.tensor([[6], [2], [4]])
    expected = oracle(x, memory, tgt_mask=~causal(1, 4)[0, 0], memory_key_padding_mask=~real)
    close(layer(x, memory, causal(3, 4), padding(real, 4)), expected, dtypes=("float32",))


@points(2)
def test_masks(solution, rng):
    """Masks that differ from token to token, from sentence to sentence and from call to call, alone and together"""
    layer, oracle = loaded(solution, rng, 8, 2, 10)
    for batch, masked in ((2, (True, True)), (2, (True, False)), (2, (False, True)), (1, (True, True))):
        x, memory = inputs(rng, batch, 5, 5, 8)
        masks = [random_mask(rng, batch, 5, 5) if given else None for given in masked]
        close(layer(x, memory, *masks), with_masks(oracle, x, memory, *masks), dtypes=("float32",))


def test_single_token(solution, rng):
    """The first step of a translation: one token, which sees itself, and a masked memory"""
    layer, oracle = loaded(solution, rng, 8, 2, 10)
    x, memory = inputs(rng, 2, 1, 5, 8)
    masks = (causal(2, 1), random_mask(rng, 2, 1, 5))
    close(layer(x, memory, *masks), with_masks(oracle, x, memory, *masks), dtypes=("float32",))


def test_small_spread(solution, rng):
    """Values that hardly differ: a norm's eps is torch's own"""
    # In this state all norms see values that differ by a few thousandths.
    state = without_sublayers(rng, 1)
    for name in NORMS[:2]:
        state |= {f"{name}.weight": torch.full((6,), 0.003), f"{name}.bias": torch.zeros(6)}
    layer = solution.DecoderLayer(6, 2, 1)
    layer.load(state)
    layer.eval()
    x, memory = inputs(rng, 2, 3, 2, 6)
    close(layer(0.003 * x, memory), normalised(state, 0.003 * x, NORMS))


def test_the_future_does_not_leak(solution, rng):
    """Changing a later token changes nothing before it"""
    layer, _ = loaded(solution, rng, 12, 3, 20)
    x, memory = inputs(rng, 2, 6, 4, 12)
    before = layer(x, memory, causal(2, 6))
    x[:, 3:] += tensor(rng.normal(0, 3.0, (2, 3, 12)))
    after = layer(x, memory, causal(2, 6))
    for output in (before, after):
        shape_is(output, (2, 6, 12), kind="tensor", dtypes=("float32",))
    close(after[:, :3], before[:, :3])
    expect(
        (after - before)[:, 3:].abs().amax(dim=-1).min() > 1e-3,
        "Tokens that changed should give other results.",
        public=True,
    )


def test_padding_does_not_matter(solution, rng):
    """A memory gives the same result with padding and without"""
    layer, _ = loaded(solution, rng, 12, 3, 20)
    x, memory = inputs(rng, 2, 3, 7, 12)
    real = torch.arange(7) < torch.tensor([[7], [4]])
    padded = layer(x, memory, None, padding(real, 3))
    shape_is(padded, (2, 3, 12), kind="tensor", dtypes=("float32",))
    close(layer(x[1:], memory[1:, :4]), padded[1:])
    close(layer(x[:1], memory[:1]), padded[:1])


@points(2)
def test_evaluation(solution, rng):
    """In evaluation mode nothing is dropped, also after training"""
    layer, oracle = loaded(solution, rng, 8, 2, 10, 0.5)
    x = inputs(rng, 2, 5, 3, 8)
    layer.train()
    shape_is(layer(*x), (2, 5, 8), kind="tensor", dtypes=("float32",))
    layer.eval()
    close(deterministic(layer, *x), oracle(*x))


def test_training_without_dropout(solution, rng):
    """In training with a dropout of 0, nothing is dropped"""
    layer, oracle = loaded(solution, rng, 8, 2, 10, 0.0)
    x, masks = inputs(rng, 2, 5, 3, 8), (random_mask(rng, 2, 5, 5), random_mask(rng, 2, 5, 3))
    layer.train()
    close(layer(*x), oracle(*x))
    close(layer(*x, *masks), with_masks(oracle, *x, *masks))


def normalised(state, x, norms):
    for name in norms:
        x = layer_norm(x, x.shape[-1:], state[f"{name}.weight"], state[f"{name}.bias"])
    return x


def without_sublayers(rng, d_ff, but=None):
    """Random state, 6 wide, in which all sub-layers, or all but one, give 0, whatever they see."""
    state = weights(rng, 6, d_ff)
    for name in (name for name in LAST_MAPS if name != but):
        state[f"{name}.weight"], state[f"{name}.bias"] = torch.zeros_like(state[f"{name}.weight"]), torch.zeros(6)
    return state


def in_training(layer, state, rng):
    """480 tokens, and what the layer makes of them in training: both (480, 1, 6). Then the memory, (60, 2, 6)."""
    layer.load(state)
    layer.train()
    x, memory = inputs(rng, 60, 8, 2, 6)
    found = layer.seeded(int(rng.integers(1 << 31)), x, memory)
    shape_is(found, (60, 8, 6), kind="tensor", dtypes=("float32",))
    return x.reshape(-1, 1, 6), found.reshape(-1, 1, 6), memory


def which_dropped(x, found, state, place, outputs, p, whole=None):
    """Find out for each of 480 tokens what was dropped of sub-layer `place`, counted from 0.

    That sub-layer gives one of `outputs`, (n, 6) or (480, n, 6), and the others nothing. Returns the numbers of the
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
    states = {attention: without_sublayers(rng, 3) for attention in ATTENTIONS}
    for attention, state in states.items():
        state[f"{attention}.out_proj.bias"] = bias
    thinking = without_sublayers(rng, 1)
    # The one hidden value is 1, or dropped.
    thinking["feed_forward.linear1.weight"], thinking["feed_forward.linear1.bias"] = torch.zeros(1, 6), torch.ones(1)
    weight = tensor(rng.permutation([-1.7, -0.6, 0.9, 1.3, 2.2, 2.8]))
    thinking["feed_forward.linear2.weight"], thinking["feed_forward.linear2.bias"] = weight[:, None], bias
    # All are asked before one is judged, so that a layer without one dropout is told from a layer without any.
    attended = [
        [in_training(solution.DecoderLayer(6, 2, 3, 0.65), state, rng)[:2] for _ in range(2)]
        for state in states.values()
    ]
    thought = [in_training(solution.DecoderLayer(6, 2, 1, 0.65), thinking, rng)[:2] for _ in range(2)]
    usually = in_training(solution.DecoderLayer(6, 2, 1), thinking, rng)[:2]
    for place, (calls, state) in enumerate(zip(attended, states.values())):
        kept = torch.stack([which_dropped(*tokens, state, place, bias[None], 0.65)[1] for tokens in calls])
        dropped_is(1 - kept.mean().item(), 0.65, within=0.04)
        one_by_one(kept.view(2, 60, 8, 6), 0.65)
    found = [inside_and_after(*tokens, thinking, 2, bias, weight, 0.65) for tokens in thought]
    hidden_dropped, kept = (torch.stack(parts) for parts in zip(*found))
    dropped_is(1 - kept.mean().item(), 0.65, within=0.04)
    dropped_is(hidden_dropped.float().mean().item(), 0.65, within=0.1)
    one_by_one(kept.view(2, 60, 8, 6), 0.65)
    one_by_one(hidden_dropped.view(2, 60, 8), 0.65)
    hidden_dropped, kept = inside_and_after(*usually, thinking, 2, bias, weight, 0.1)
    dropped_is(1 - kept.mean().item(), 0.1, within=0.04)
    dropped_is(hidden_dropped.float().mean().item(), 0.1, within=0.08)


def inside_and_after(x, found, state, place, bias, weight, p):
    """What was dropped of a feed-forward network that gives bias + weight · (its hidden value, 1)."""
    outputs = torch.stack([bias + weight / (1 - p), bias])
    return which_dropped(x, found, state, place, outputs, p, whole=(bias + weight)[None])


def test_places_of_dropout_differ(solution, rng):
    """In training, what one sub-layer loses has nothing to do with what the others lose"""
    state = without_sublayers(rng, 1)
    first = torch.eye(6)[0]
    given = {name: number * first for name, number in zip(LAST_MAPS, (2.0, -1.5, 2.5))}
    state |= {f"{name}.bias": value for name, value in given.items()}
    x, found, _ = in_training(solution.DecoderLayer(6, 2, 1, 0.5), state, rng)
    lost_together(x, found, state, given.values())


def lost_together(x, found, state, given):
    """Fail if two of the sub-layers, which give one value each in the first column, often lose or keep it together."""
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
    """In training, neither attention weights are dropped nor what a sub-layer sees, be it target or memory"""
    states = [without_sublayers(rng, 1, but=name) for name in LAST_MAPS]
    found = [in_training(solution.DecoderLayer(6, 2, 1, 0.4), state, rng) for state in states]
    for place, (state, (x, result, memory)) in enumerate(zip(states, found)):
        seen = normalised(state, x, NORMS[:place])
        whole = None
        if place == 2:
            given, whole = thoughts(state, seen, 0.4), thoughts(state, seen, 0.0)[:, :1]
        else:
            attention = getattr(torchs_layer(state, 6, 2, 1), tuple(ATTENTIONS.values())[place])
            tokens = seen.view(60, 8, 6)
            others = memory if place == 1 else tokens
            given = attention(tokens, others, others)[0].detach().reshape(-1, 1, 6)
        which_dropped(x, result, state, place, given, 0.4, whole)


def thoughts(state, z, p):
    """What a feed-forward network with one hidden value may make of z, (480, 1, 6): that value kept, or dropped."""
    hidden = linear_map(z, state["feed_forward.linear1.weight"], state["feed_forward.linear1.bias"]).relu()
    both = torch.cat([hidden / (1 - p), 0 * hidden], dim=1)
    return linear_map(both, state["feed_forward.linear2.weight"], state["feed_forward.linear2.bias"])


@points(2)
@pytest.mark.parametrize("masked", [False, True], ids=["free", "masked"])
def test_gradients(solution, rng, masked):
    """Gradients of target, memory and parameters, with masks in training, and without in evaluation mode"""
    layer, oracle = loaded(solution, rng, 12, 3, 10, 0.0)
    layer.train(masked)
    x, memory = inputs(rng, 2, 4, 5, 12)
    masks = (random_mask(rng, 2, 4, 4), random_mask(rng, 2, 4, 5)) if masked else ()
    cotangent = tensor(rng.normal(size=(2, 4, 12)))
    found = layer.gradients(x, memory, *masks, cotangent=cotangent)
    x.requires_grad_()
    memory.requires_grad_()
    with_masks(oracle, x, memory, *masks).backward(cotangent)
    gradient_close("x", found.inputs[0], x.grad)
    gradient_close("memory", found.inputs[1], memory.grad)
    for name, gradient in our_names(oracle).items():
        gradient_close(name, found.parameters.get(name), gradient)


def our_names(oracle):
    """The gradients of torch's layer under our names."""
    theirs = {name: parameter.grad for name, parameter in oracle.named_parameters()}
    named = {name.replace("linear", "feed_forward.linear"): theirs[name] for name in theirs if "attn" not in name}
    for (our, their), part in product(ATTENTIONS.items(), ("weight", "bias")):
        projections = (*theirs[f"{their}.in_proj_{part}"].chunk(3), theirs[f"{their}.out_proj.{part}"])
        named |= {f"{our}.{name}.{part}": gradient for name, gradient in zip(PROJECTIONS, projections)}
    # The bias of the keys changes no softmax: what is computed for it is rounding.
    return {name: gradient for name, gradient in named.items() if "k_proj.bias" not in name}


def gradient_close(name, found, expected):
    expect(found is not None, f"No gradient reaches {name}. Is something detached, or not used?", public=True)
    close(found, expected, rtol=1e-3, atol=1e-3)


def test_large_inputs(solution, rng):
    """A large target, or a large memory: scores in the hundreds"""
    layer, oracle = loaded(solution, rng, 12, 3, 10)
    x, memory = inputs(rng, 2, 4, 3, 12)
    # Not both at once: what float32 rounds in the first attention, large keys and values of the second would magnify.
    for one in ((10 * x, memory), (x, 100 * memory)):
        close(layer(*one), oracle(*one), atol=1e-3)


@pytest.mark.parametrize("attention", ATTENTIONS)
def test_large_masked_scores(solution, rng, attention):
    """What may not be seen scores a thousand above the rest, in the target or in the memory"""
    state = weights(rng, 8, 10)
    far_below_zero(state, attention)
    # Cross-attention gets its queries from the first norm.
    state["norm1.weight"][::4], state["norm1.bias"][::4] = 0.0, 32.0
    layer, oracle = solution.DecoderLayer(8, 2, 10, 0.0), torchs_layer(state, 8, 2, 10)
    layer.load(state)
    x, memory = inputs(rng, 2, 4, 4, 8)
    hidden = (torch.arange(4) != 2).expand(2, 1, 4, 4)
    seen = x if attention == "self_attn" else memory
    seen[..., ::4], seen[:, 2, ::4] = 32.0, -32.0
    masks = (hidden,) if attention == "self_attn" else (None, hidden)
    close(layer(x, memory, *masks), with_masks(oracle, x, memory, *masks), atol=1e-3)


def far_below_zero(state, attention):
    """Let 32 in the first column of both heads make a score of −512, and let that column make no values."""
    turned = torch.eye(8)
    turned[::4] *= -1
    state |= {f"{attention}.q_proj.weight": torch.eye(8), f"{attention}.k_proj.weight": turned}
    state |= {f"{attention}.{name}.bias": torch.zeros(8) for name in PROJECTIONS[:2]}
    state[f"{attention}.v_proj.weight"][:, ::4] = 0


def test_inputs_stay_unchanged(solution, rng):
    """Target, memory and masks are left as they were, in a batch of one or two, with masks and without"""
    layer, _ = loaded(solution, rng, 8, 2, 10)
    for batch, masked in product((1, 2), (False, True)):
        masks = [random_mask(rng, batch, 3, seen) for seen in (3, 4)] if masked else []
        unchanged(layer, *inputs(rng, batch, 3, 4, 8), *masks)
