from itertools import combinations, product

import numpy as np
import pytest
import torch
from torch import nn
from torch.nn import functional

from exercises.testkit import close, deterministic, expect, points, sample, shape_is, unchanged

PROJECTIONS = ("q_proj", "k_proj", "v_proj", "out_proj")
# The sub-layers of both halves in their order, and the places of dropout.
SUBLAYERS = {"encoder": ("self_attn", "feed_forward"), "decoder": ("self_attn", "cross_attn", "feed_forward")}
PLACES = {
    ("encoder", "input"): "the encoder's input, the sum of embedding and position",
    ("encoder", "self_attn"): "what the encoder's self-attention gives",
    ("encoder", "feed_forward"): "what the encoder's feed-forward gives",
    ("decoder", "input"): "the decoder's input, the sum of embedding and position",
    ("decoder", "self_attn"): "what the decoder's self-attention gives",
    ("decoder", "cross_attn"): "what the cross-attention gives",
    ("decoder", "feed_forward"): "what the decoder's feed-forward gives",
}
BASE = 63_082_496  # parameters at the paper's base size with one table of 37,000 words
# (vocabulary, d_model, heads, d_ff, layers)
SMALL, OTHERS = (11, 12, 3, 20, 2), [(7, 10, 10, 9, 1), (13, 6, 1, 9, 3)]
TRACED = (6, 6, 1, 1, 2)  # so narrow that a result tells which values were dropped
LAST_NORMS = ("encoder.1.norm2.weight", "decoder.1.norm3.weight")
ONE_BY_ONE = "In training, every value should be dropped or kept by itself, and anew in every call."


def tensor(array):
    return torch.from_numpy(np.asarray(array, dtype=np.float32))


def shapes(vocab_size, d_model, n_heads, d_ff, n_layers):
    """Name and shape of every parameter, as the statement lists them."""
    found = {"embedding.weight": (vocab_size, d_model)}
    for half, attentions, norms in (("encoder", ("self_attn",), 2), ("decoder", ("self_attn", "cross_attn"), 3)):
        for layer in (f"{half}.{index}" for index in range(n_layers)):
            linear = {f"{name}.{part}": (d_model, d_model) for name in attentions for part in PROJECTIONS}
            linear |= {"feed_forward.linear1": (d_ff, d_model), "feed_forward.linear2": (d_model, d_ff)}
            for name, shape in linear.items():
                found[f"{layer}.{name}.weight"], found[f"{layer}.{name}.bias"] = shape, shape[:1]
            for norm in range(1, norms + 1):
                found[f"{layer}.norm{norm}.weight"] = found[f"{layer}.norm{norm}.bias"] = (d_model,)
    return found


def random_state(rng, size):
    """Weights under which every part of the model matters and nothing is saturated."""
    state = {}
    for name, shape in shapes(*size).items():
        if name.endswith("bias"):
            state[name] = tensor(rng.normal(0, 0.2, shape))
        elif "norm" in name:
            state[name] = tensor(rng.normal(1, 0.2, shape))
        else:
            state[name] = tensor(rng.normal(0, shape[-1] ** -0.5, shape))
    return state


class Oracle:
    """torch's own transformer with these weights; it is made without the norms that torch puts behind both stacks."""

    def __init__(self, state, size):
        _, d_model, n_heads, d_ff, n_layers = size
        kinds = {"d_model": d_model, "nhead": n_heads, "dim_feedforward": d_ff, "dropout": 0.0, "batch_first": True}
        encoder = nn.TransformerEncoder(nn.TransformerEncoderLayer(**kinds), n_layers, enable_nested_tensor=False)
        decoder = nn.TransformerDecoder(nn.TransformerDecoderLayer(**kinds), n_layers)
        self.model = nn.Transformer(
            d_model, n_heads, custom_encoder=encoder, custom_decoder=decoder, dropout=0.0, batch_first=True
        )
        self.model.load_state_dict(torch_state(state, n_layers))
        self.table = state["embedding.weight"].clone().requires_grad_()

    def embed(self, tokens):
        """Scaled, with the position as a number on the unit circle for every pair of columns."""
        n, d_model = tokens.shape[1], self.table.shape[1]
        turns = np.exp(1j * np.arange(n)[:, None] * 10000.0 ** (-np.arange(0, d_model, 2) / d_model))
        positions = np.stack([turns.imag, turns.real], axis=-1).reshape(n, d_model)
        return functional.embedding(tokens, self.table) * d_model**0.5 + tensor(positions)

    def encode(self, source, source_mask=None):
        padding = None if source_mask is None else ~source_mask
        return self.model.encoder(self.embed(source), src_key_padding_mask=padding)

    def __call__(self, source, target, source_mask=None):
        padding = None if source_mask is None else ~source_mask
        future = torch.ones(target.shape[1], target.shape[1], dtype=torch.bool).triu(1)
        output = self.model(
            self.embed(source),
            self.embed(target),
            tgt_mask=future,
            src_key_padding_mask=padding,
            memory_key_padding_mask=padding,
        )
        return output @ self.table.T

    def gradients(self, n_layers):
        """By our names, after a backward pass."""
        theirs = {name: parameter.grad for name, parameter in self.model.named_parameters()}
        found = {"embedding.weight": self.table.grad}
        for ours, name, part in torch_names(n_layers):
            found[ours] = theirs[name] if part is None else theirs[name].chunk(3)[part]
        return found


def torch_names(n_layers):
    """(our name, torch's name, which third of it): torch keeps three projections in one tensor."""
    for half, attentions, norms in (
        ("encoder", {"self_attn": "self_attn"}, 2),
        ("decoder", {"self_attn": "self_attn", "cross_attn": "multihead_attn"}, 3),
    ):
        for ours, theirs in ((f"{half}.{index}", f"{half}.layers.{index}") for index in range(n_layers)):
            for kind in ("weight", "bias"):
                for own, name in attentions.items():
                    for part, projection in enumerate(PROJECTIONS[:3]):
                        yield f"{ours}.{own}.{projection}.{kind}", f"{theirs}.{name}.in_proj_{kind}", part
                    yield f"{ours}.{own}.out_proj.{kind}", f"{theirs}.{name}.out_proj.{kind}", None
                for linear in ("linear1", "linear2"):
                    yield f"{ours}.feed_forward.{linear}.{kind}", f"{theirs}.{linear}.{kind}", None
                for norm in range(1, norms + 1):
                    yield f"{ours}.norm{norm}.{kind}", f"{theirs}.norm{norm}.{kind}", None


def torch_state(state, n_layers):
    parts = {}
    for ours, theirs, _ in torch_names(n_layers):
        parts.setdefault(theirs, []).append(state[ours])
    return {name: torch.cat(values) for name, values in parts.items()}


def loaded(solution, rng, size=SMALL, dropout=0.0, *, strict=True):
    """The learner's transformer and torch's own, with the same random weights; not `strict`, it may have others."""
    state = random_state(rng, size)
    model = solution.Transformer(*size, dropout)
    model.load(state, strict=strict)
    return model, Oracle(state, size)


def random_tokens(rng, vocab_size, *shape):
    return torch.from_numpy(rng.integers(0, vocab_size, shape))


def padding(lengths):
    """True for the first tokens of every sentence, as many as it has."""
    return torch.arange(max(lengths)) < torch.tensor(lengths)[:, None]


@sample
def test_parameters(solution):
    """Names and shapes of all parameters"""
    size = (5, 8, 2, 12, 2)
    model = solution.Transformer(*size, 0.1)
    model.load({name: torch.zeros(shape) for name, shape in shapes(*size).items()})
    found = sum(int(np.prod(shape)) for shape in model.parameter_names().values())
    asked = sum(int(np.prod(shape)) for shape in shapes(*size).values())
    expect(found == asked, f"Your parameters are {found} numbers instead of {asked}. Does each layer have its own?")


@sample
def test_example_of_the_statement(solution):
    """Two target tokens, one layer whose weights are zero"""
    size = (3, 4, 2, 8, 1)
    state = {name: torch.zeros(shape) for name, shape in shapes(*size).items()}
    state |= {name: value + 1.0 for name, value in state.items() if "norm" in name and name.endswith("weight")}
    state["embedding.weight"] = torch.tensor([[1.0, 0.0, 0.0, -1.0], [0.0, 1.0, 0.5, 0.0], [0.5, 0.5, 0.0, 1.0]])
    model = solution.Transformer(*size, 0.0)
    model.load(state, strict=False)
    expected = torch.tensor([[[-0.917658, 1.491195, 0.000000], [-1.086223, -0.798479, 1.401732]]])
    close(model(torch.tensor([[0, 1, 2]]), torch.tensor([[1, 2]])), expected, dtypes=("float32",))


@points(3)
@pytest.mark.parametrize("size", [SMALL, *OTHERS], ids=["two-layers", "one-layer", "three-layers"])
def test_logits(solution, rng, size):
    """Logits of whole sentences, source and target of different lengths"""
    # Whatever parameters there are besides: these numbers tell one such model from the other.
    model, oracle = loaded(solution, rng, size, strict=False)
    source, target = random_tokens(rng, size[0], 10, 5), random_tokens(rng, size[0], 10, 4)
    close(model(source, target), oracle(source, target), dtypes=("float32",))


@points(3)
@pytest.mark.parametrize("lengths", [(3, 6), (1, 5, 4)], ids=["two", "three"])
def test_padded_source(solution, rng, lengths):
    """A batch of sources of mixed lengths, filled up with padding"""
    model, oracle = loaded(solution, rng)
    mask = padding(lengths)
    source, target = random_tokens(rng, 11, *mask.shape), random_tokens(rng, 11, len(lengths), 4)
    close(model(source, target, mask), oracle(source, target, mask))


@points(2)
def test_encode(solution, rng):
    """The memory, at the real tokens of the source, for one source after the other"""
    model, oracle = loaded(solution, rng)
    model.eval()
    for mask in (padding((4, 6)), padding((6, 3))):
        source = random_tokens(rng, 11, 2, 6)
        memory = shape_is(model.encode(source, mask), (2, 6, 12), kind="tensor", dtypes=("float32",))
        close(memory[mask], oracle.encode(source, mask)[mask])


@points(2)
def test_decode(solution, rng):
    """Logits from a memory that was made before, with and without padding, also of a single token"""
    model, oracle = loaded(solution, rng)
    source, target, mask = random_tokens(rng, 11, 2, 5), random_tokens(rng, 11, 2, 3), padding((5, 2))
    close(unchanged(model.decode, target, oracle.encode(source).detach()), oracle(source, target))
    memory = oracle.encode(source, mask).detach()
    for written in (target, target[:, :1]):
        close(model.decode(written, memory, mask), oracle(source, written, mask))


@points(2)
def test_future_stays_hidden(solution, rng):
    """Later target tokens change nothing for the earlier ones"""
    model, oracle = loaded(solution, rng)
    model.eval()
    source, target = random_tokens(rng, 11, 2, 4), random_tokens(rng, 11, 2, 6)
    before = model(source, target)
    target[:, 3:] = (target[:, 3:] + 1) % 11
    after = model(source, target)
    for output in (before, after):
        shape_is(output, (2, 6, 11), kind="tensor", dtypes=("float32",))
    close(after[:, :3], before[:, :3])
    close(after, oracle(source, target))


@points(2)
def test_padding_stays_hidden(solution, rng):
    """A padded source gives what its real tokens alone give, whatever stands in the padding"""
    model, oracle = loaded(solution, rng)
    source, target = random_tokens(rng, 11, 1, 4), random_tokens(rng, 11, 1, 5)
    alone = model(source, target)
    close(alone, oracle(source, target))
    for _ in range(2):
        padded = torch.cat([source, random_tokens(rng, 11, 1, 3)], dim=1)
        close(model(padded, target, padding((4, 7))[:1]), alone)


def test_order_matters(solution, rng):
    """Equal tokens at different places give different results, in source and target"""
    model, oracle = loaded(solution, rng)
    source, target = torch.tensor([[4, 4, 4], [1, 2, 3], [3, 2, 1]]), torch.tensor([[5, 5, 5, 5]] * 3)
    close(model.encode(source), oracle.encode(source))
    close(model(source, target), oracle(source, target))


def test_long_sentences(solution, rng):
    """512 tokens, and after that a single one"""
    # The widths of its pairs, 1 and 0.01, make angles that float32 holds well, however they are computed.
    size = (2, 4, 2, 8, 1)
    model, oracle = loaded(solution, rng, size)
    for length in (512, 1):
        source, target = random_tokens(rng, 2, 1, length), random_tokens(rng, 2, 1, length)
        close(model(source, target), oracle(source, target))


def test_small_spread(solution, rng):
    """Values that hardly differ: a norm's eps is torch's own"""
    state = {}
    for name, value in random_state(rng, TRACED).items():
        silent = "out_proj" in name or "linear2" in name
        first = "norm" in name and name not in LAST_NORMS
        # Every norm but the first of each half sees values that differ by a few thousandths.
        state[name] = 0.003 * value if first else torch.zeros_like(value) if silent else value
    model = solution.Transformer(*TRACED, 0.0)
    model.load(state)
    model.eval()
    source, target = random_tokens(rng, 6, 2, 3), random_tokens(rng, 6, 2, 3)
    oracle = Oracle(state, TRACED)
    close(model.encode(source), oracle.encode(source))
    close(model(source, target), oracle(source, target))


@points(2)
@pytest.mark.parametrize("attention", ["encoder.0.self_attn", "decoder.0.self_attn", "decoder.0.cross_attn"])
def test_large_scores(solution, rng, attention):
    """Scores in the hundreds, also of what is hidden"""
    size = (11, 8, 2, 10, 1)
    state = random_state(rng, size)
    for name in ("q_proj", "k_proj"):
        state[f"{attention}.{name}.weight"] *= 15
    model = solution.Transformer(*size, 0.0)
    model.load(state)
    source, target, mask = random_tokens(rng, 11, 3, 8), random_tokens(rng, 11, 3, 6), padding((3, 8, 2))
    close(model(source, target, mask), Oracle(state, size)(source, target, mask), atol=1e-3)


def test_sentences_do_not_mix(solution, rng):
    """A sentence gives the same result alone and in a batch"""
    model, oracle = loaded(solution, rng)
    source, target, mask = random_tokens(rng, 11, 3, 5), random_tokens(rng, 11, 3, 4), padding((5, 2, 3))
    together = model(source, target, mask)
    close(together, oracle(source, target, mask))
    for index in range(3):
        one = slice(index, index + 1)
        close(model(source[one], target[one], mask[one]), together[one])


@points(2)
def test_dropout(solution, rng):
    """In training, dropout acts on the input and on every sub-layer; in evaluation on nothing"""
    model, oracle = loaded(solution, rng, dropout=0.5)
    tokens = random_tokens(rng, 11, 2, 5), random_tokens(rng, 11, 2, 4)
    model.eval()
    close(deterministic(model, *tokens), oracle(*tokens))
    # All places are asked before one is judged: a model without one dropout is told from a model without any.
    p = 0.65
    model = solution.Transformer(*TRACED, p)
    asked = {place: in_training(model, rng, p, *place) for place in PLACES}
    usual = in_training(solution.Transformer(*TRACED), rng, 0.1, "encoder", "input", length=200)
    alone = {(half, "self_attn"): in_training(model, rng, p, half, "self_attn", alone=True) for half in SUBLAYERS}
    together = [kept_together(model, rng, p, half) for half in SUBLAYERS]
    for place, found in asked.items():
        kept = which_kept(*found, p, PLACES[place])
        dropped_is(1 - kept.mean().item(), p, PLACES[place], within=0.1)
        one_by_one(kept, p)
    place = PLACES["encoder", "input"]
    dropped_is(1 - which_kept(*usual, 0.1, place).mean().item(), 0.1, place, within=0.035)
    for place, found in alone.items():
        which_kept(*found, p, PLACES[place])
    for results, found, choices in together:
        away = (results - found[..., None, :]).abs().amax(dim=-1)
        expect(away.amin(dim=-1).max() < 1e-3, ONE_BY_ONE, public=True)
        for one, other in combinations(choices[away.argmin(dim=-1).flatten()].T, 2):
            expect((one == other).float().mean() < 0.8, ONE_BY_ONE, public=True)


def kept_together(model, rng, p, half):
    """What the last layer may give when each of its sub-layers gives one number, what it gives, and the choices.

    The number is in the first column. The norm before has no gain, so that all tokens are the same.
    """
    state = random_state(rng, TRACED)
    state["embedding.weight"] = tensor(np.linalg.qr(rng.normal(size=(6, 6)))[0])
    state |= {name: torch.zeros_like(value) for name, value in state.items() if "out_proj" in name or "linear2" in name}
    numbers = (2.0, -1.5, 2.5)[: len(SUBLAYERS[half])]
    for sublayer, number in zip(SUBLAYERS[half], numbers):
        last = "linear2" if sublayer == "feed_forward" else "out_proj"
        state[f"{half}.1.{sublayer}.{last}.bias"][0] = number
    before, *behind = norms_of(half)[len(numbers) - 1 :]
    state[f"{before}.weight"], state[f"{before}.bias"] = torch.zeros(6), tensor(rng.normal(size=6))
    model.load(state)
    model.train()
    tokens = random_tokens(rng, 6, 2, 100)
    found = model.encode(tokens) if half == "encoder" else model.decode(tokens, torch.zeros(2, 1, 6))
    shape_is(found, (2, 100, 6), kind="tensor", dtypes=("float32",))
    choices, results = torch.tensor(list(product((1.0, 0.0), repeat=len(numbers)))), state[f"{before}.bias"]
    for norm, number, kept in zip(behind, numbers, choices.T):
        added = results + kept[:, None] * torch.eye(6)[0] * number / (1 - p)
        results = functional.layer_norm(added, (6,), state[f"{norm}.weight"], state[f"{norm}.bias"])
    return results, found if half == "encoder" else found @ state["embedding.weight"], choices


def dropped_is(share, p, place, within):
    expect(share > 0, nothing_dropped(place), public=True)
    expect(
        abs(share - p) < within,
        f"In training, dropout should act on {place}, as strongly as `dropout` says: 0.1 if it is not given.",
        public=True,
    )


def nothing_dropped(place):
    return f"In training, nothing is dropped of {place}: dropout should act on it."


def traced_state(rng, half, sublayer):
    """Weights with which all sub-layers give 0 but this one of the last layer, which sees the same for every token.

    The norm before it has no gain, so that it gives its bias. The head turns the decoder's result, and hides nothing.
    """
    state = random_state(rng, TRACED)
    state["embedding.weight"] = tensor(np.linalg.qr(rng.normal(size=(6, 6)))[0])
    for name, value in state.items():
        if ("out_proj" in name or "linear2" in name) and not name.startswith(f"{half}.1.{sublayer}."):
            state[name] = torch.zeros_like(value)
    if sublayer != "input":
        before = norms_of(half)[norms_before(half, sublayer) - 1]
        state[f"{before}.weight"], state[f"{before}.bias"] = torch.zeros(6), tensor(rng.normal(size=6))
        if sublayer == "feed_forward":
            # The one hidden value is 1.
            linear1 = f"{half}.1.feed_forward.linear1"
            state[f"{linear1}.bias"] = 1 - state[f"{linear1}.weight"] @ state[f"{before}.bias"]
    return state


def norms_of(half):
    """The norms of both layers, in their order."""
    return [f"{half}.{layer}.norm{norm}" for layer in range(2) for norm in range(1, len(SUBLAYERS[half]) + 1)]


def norms_before(half, sublayer):
    """How many norms come before this sub-layer of the last layer, or before the input."""
    return 0 if sublayer == "input" else len(SUBLAYERS[half]) + SUBLAYERS[half].index(sublayer)


def in_training(model, rng, p, half, sublayer, alone=False, length=50):
    """What two calls give in training, (2, batch, tokens, 6), and what it should come from.

    That is a vector, to which one of `outputs`, (…, n, 6), is added after dropout; and the norms behind. Self-attention
    gives its bias: what it makes of a value is seen only where tokens are `alone`, which have all the weight.
    """
    state, path = traced_state(rng, half, sublayer), f"{half}.1.{sublayer}"
    if sublayer == "self_attn" and not alone:
        state[f"{path}.v_proj.weight"], state[f"{path}.v_proj.bias"] = torch.zeros(6, 6), torch.zeros(6)
    model.load(state)
    model.train()
    tokens = random_tokens(rng, 6, *((20, 1) if alone else (2, length)))
    memory = tensor(rng.normal(size=6))
    rows = memory.expand(len(tokens), 1, 6).clone()  # a single one, which has all the weight
    calls = [model.encode(tokens) if half == "encoder" else model.decode(tokens, rows) for _ in range(2)]
    for call in calls:
        shape_is(call, (*tokens.shape, 6), kind="tensor", dtypes=("float32",))
    found = torch.stack(calls) if half == "encoder" else torch.stack(calls) @ state["embedding.weight"]
    first = norms_before(half, sublayer)
    behind = [(state[f"{norm}.weight"], state[f"{norm}.bias"]) for norm in norms_of(half)[first:]]
    if sublayer == "input":
        outputs = Oracle(state, TRACED).embed(tokens).detach()[..., None, :]
        return found, torch.zeros(6), outputs, behind
    before = state[f"{norms_of(half)[first - 1]}.bias"]
    if sublayer == "feed_forward":
        last, value = "linear2", torch.ones(1)
    else:
        last, seen = "out_proj", memory if sublayer == "cross_attn" else before
        value = functional.linear(seen, state[f"{path}.v_proj.weight"], state[f"{path}.v_proj.bias"])
    # Hidden values and the weights of attention may be dropped, too.
    values = torch.stack([value, value / (1 - p), 0 * value])
    outputs = functional.linear(values, state[f"{path}.{last}.weight"], state[f"{path}.{last}.bias"])
    return found, before, outputs, behind


def which_kept(found, before, outputs, behind, p, place):
    """Find out which values of `outputs` were kept; fail if what was found cannot come from dropping some of them."""
    kept = torch.tensor(list(product((1.0, 0.0), repeat=6))).repeat(outputs.shape[-2], 1)
    away = away_from(found, before + outputs.repeat_interleave(64, dim=-2) * kept / (1 - p), behind)
    if away.amin(dim=-1).max() >= 1e-3:
        whole = away_from(found, before + outputs, behind).amin(dim=-1).max() < 1e-3
        expect(not whole, nothing_dropped(place), public=True)
        expect(
            False,
            f"In training, dropout should act on {place}: some values become 0, and the others are divided by 1 - "
            "dropout. The results do not fit that: something is dropped elsewhere, or otherwise.",
            public=True,
        )
    return kept[away.argmin(dim=-1)]


def away_from(found, results, behind):
    """How far each token is from each of `results`, once the norms behind have seen them."""
    for weight, bias in behind:
        results = functional.layer_norm(results, (6,), weight, bias)
    return (results - found[..., None, :]).abs().amax(dim=-1)


def one_by_one(kept, p):
    """Fail if neighbours along an axis agree much more often than two values that are dropped by themselves."""
    for axis in range(kept.ndim):
        ours, others = kept.movedim(axis, 0)[1:], kept.movedim(axis, 0)[:-1]
        expect(
            (ours == others).float().mean() < 1 - p * (1 - p),
            ONE_BY_ONE,
            public=True,
        )


def test_no_dropout(solution, rng):
    """With dropout 0, training and evaluation agree, and inputs are left as they were, also those of a batch of one"""
    model, oracle = loaded(solution, rng)
    source, target, mask = (
        torch.from_numpy(rng.permutation(10)).view(2, 5),
        random_tokens(rng, 11, 2, 4),
        padding((5, 2)),
    )
    model.train()
    close(deterministic(model, source, target, mask), oracle(source, target, mask))
    for batch in (1, 2):
        unchanged(model, source[-batch:], target[-batch:], mask[-batch:])


@points(3)
def test_gradients(solution, rng):
    """Gradients of every parameter, with padding; in evaluation mode, too"""
    model, oracle = loaded(solution, rng)
    source, target, mask = random_tokens(rng, 11, 2, 5), random_tokens(rng, 11, 2, 4), padding((5, 3))
    source[0, :2] = torch.tensor([0, 10])  # the first word and the last are read, too
    # So small that gradients which are 0 but for rounding stay below 1e-6, however they are computed.
    cotangent = tensor(rng.normal(0, 0.1, (2, 4, 11)))
    found = model.gradients(source, target, mask, cotangent=cotangent).parameters
    oracle(source, target, mask).backward(cotangent)
    expected = oracle.gradients(SMALL[-1])
    alias = next((name for name in found if name not in expected), "embedding.weight")
    for name, gradient in expected.items():
        gradient_close(name, found.get(name, found.get(alias) if name == "embedding.weight" else None), gradient)
    model.eval()
    again = model.gradients(source, target, mask, cotangent=cotangent).parameters
    for name in found:
        gradient_close(name, again.get(name), found[name])


def gradient_close(name, found, expected):
    expect(found is not None, f"No gradient reaches {name}. Is something detached, or not used?", public=True)
    close(found, expected, rtol=1e-2, atol=1e-4)


@points(2)
def test_base_size(solution, rng):
    """The paper's base model: sizes that are not given are those of the paper"""
    one_layer = solution.Transformer(3, n_layers=1).parameter_names()
    small = solution.Transformer(3, d_model=8, n_heads=2).names()
    asked, layers = shapes(3, 512, 8, 2048, 1), shapes(3, 8, 2, 2048, 6)
    others = [name for name in one_layer if name not in asked]
    expect(
        len(one_layer) <= len(asked),
        f"There are parameters that the statement does not list: {', '.join(others)[:200]}. Nothing else is learned.",
        public=True,
    )
    sizes = sorted(int(np.prod(shape)) for shape in one_layer.values())
    expect(
        sizes == sorted(int(np.prod(shape)) for shape in asked.values()),
        "Without other sizes, d_model is 512 and d_ff is 2048.",
        public=True,
    )
    expect(
        all(name in small for name in layers),
        "Without another number of layers, there are 6 in each stack.",
        public=True,
    )
    expect(
        all(small[name] == shape for name, shape in layers.items()),
        "Without another d_ff it is 2048, whatever d_model is.",
        public=True,
    )
    expect(
        not any(name.startswith(("encoder.6.", "decoder.6.")) for name in small),
        "There are only 6 layers a stack.",
        public=True,
    )
    count = 37_000 * 512 + 6 * (sum(sizes) - 3 * 512)
    expect(
        count == BASE, f"The base model with 37,000 words has {BASE:,} parameters; yours has {count:,}.", public=True
    )
    size = (5, 16, 8, 6, 1)
    state, tokens = random_state(rng, size), (random_tokens(rng, 5, 2, 4), random_tokens(rng, 5, 2, 3))
    eight_heads = solution.Transformer(5, d_model=16, d_ff=6, n_layers=1)
    eight_heads.load(state)
    eight_heads.eval()
    close(eight_heads(*tokens), Oracle(state, size)(*tokens))
