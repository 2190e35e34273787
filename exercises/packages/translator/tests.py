import json

import numpy as np
import pytest
import torch
from torch import nn

from exercises.testkit import close, deterministic, equal, exhibit, expect, points, sample, unchanged

MAX_LENGTH = 12
START = 1
BITES = {"dog bites man": "कुत्ता आदमी को काटता है", "man bites dog": "आदमी कुत्ते को काटता है"}


class Book:
    """The trained weights, the words by token, and sentences that the training never saw with their translations."""

    def __init__(self, assets):
        facts = json.loads(assets["translator.json"])
        self.words, self.held_out = facts["words"], facts["held_out"]
        sizes = facts["sizes"]
        self.sizes = (len(self.words), sizes["d_model"], sizes["n_heads"], sizes["d_ff"], sizes["n_layers"])
        self.weights = read_safetensors(assets["weights.safetensors"])

    def model(self, solution):
        """A transformer with the trained weights, in training mode, with a dropout that spoils every translation."""
        model = solution.Transformer(*self.sizes, 0.5)
        model.load(self.weights)
        return model

    def source(self, sentences, more=0):
        """(batch, longest + more) tokens, filled up with PAD."""
        rows = [self.tokens(sentence) for sentence in sentences]
        width = max(map(len, rows)) + more
        return torch.tensor([row + [0] * (width - len(row)) for row in rows])

    def tokens(self, sentence):
        return [self.words.index(word) for word in sentence.split()]

    def text(self, tokens):
        return " ".join(self.words[token] for token in tokens)

    def translations(self, solution, sentences, model=None, max_length=MAX_LENGTH):
        """What the learner's code makes of English sentences, as tokens."""
        return self.read(solution.translate(model or self.model(solution), self.source(sentences), max_length))

    def read(self, found):
        """What `translate` returned, if it is tokens of words."""
        plain = isinstance(found, list) and all(isinstance(row, list) for row in found)
        plain = plain and all(whole(token) and 0 <= token < len(self.words) for row in found for token in row)
        expect(plain, "translate should return a list with one list of words' numbers for every sentence.", public=True)
        return found

    def looks(self, support, model, english, hindi):
        """(words of hindi, words of english): the cross-attention with which each word of hindi is chosen."""
        target = torch.tensor([[START, *self.tokens(hindi)[:-1]]])
        return support.cross_attention(model, self.source([english]), target)

    def show(self, support, model, english, hindi):
        """Let the learner see a translation, and which words of the source each of its words looked at."""
        exhibit(
            english,
            lambda: self.looks(support, model, english, hindi).round(decimals=2),
            rows=hindi.split(),
            columns=english.split(),
            caption=f"“{english}”: how much each word that your code wrote looked at each English word",
            text=hindi,
            language="hi",
        )


class Oracle:
    """torch's own transformer with the trained weights, made without the norms that torch puts behind both stacks."""

    def __init__(self, weights, sizes):
        _, d_model, n_heads, d_ff, n_layers = sizes
        kinds = {"d_model": d_model, "nhead": n_heads, "dim_feedforward": d_ff, "batch_first": True}
        encoder = nn.TransformerEncoder(nn.TransformerEncoderLayer(**kinds), n_layers, enable_nested_tensor=False)
        decoder = nn.TransformerDecoder(nn.TransformerDecoderLayer(**kinds), n_layers)
        self.model = nn.Transformer(d_model, n_heads, custom_encoder=encoder, custom_decoder=decoder, batch_first=True)
        self.table = weights["embedding.weight"]
        self.model.load_state_dict(torch_state(weights))
        self.model.eval()

    def embed(self, tokens):
        """Scaled, with the position as a number on the unit circle for every pair of columns."""
        n, d_model = tokens.shape[1], self.table.shape[1]
        turns = np.exp(1j * np.arange(n)[:, None] * 10000.0 ** (-np.arange(0, d_model, 2) / d_model))
        positions = np.stack([turns.imag, turns.real], axis=-1).reshape(n, d_model)
        return self.table[tokens] * d_model**0.5 + torch.from_numpy(positions.astype(np.float32))

    @torch.no_grad()
    def __call__(self, source, target, source_mask=None):
        padding = None if source_mask is None else ~source_mask
        future = torch.ones(target.shape[1], target.shape[1], dtype=torch.bool).triu(1)
        hidden = self.model(
            self.embed(source),
            self.embed(target),
            tgt_mask=future,
            src_key_padding_mask=padding,
            memory_key_padding_mask=padding,
        )
        return hidden @ self.table.T


def torch_state(weights):
    """The trained weights by torch's names: it keeps three projections in one tensor."""
    state = {}
    for name, value in weights.items():
        if name == "embedding.weight":
            continue
        half, layer, *path = name.split(".")
        path = ".".join(path).replace("cross_attn", "multihead_attn").replace("feed_forward.", "")
        for projection in ("q_proj.", "k_proj.", "v_proj."):
            path = path.replace(projection, "in_proj_")
        state.setdefault(f"{half}.layers.{layer}.{path}", {})[name] = value
    # q, k, v stand in this order, which is not the alphabet's.
    order = {"q_proj": 0, "k_proj": 1, "v_proj": 2}
    return {
        name: torch.cat([parts[one] for one in sorted(parts, key=lambda one: order.get(one.split(".")[-2], 0))])
        for name, parts in state.items()
    }


def whole(token):
    """A whole number as `equal` takes it: Python's, numpy's, or a tensor without axes."""
    if isinstance(token, torch.Tensor):
        return token.shape == () and token.dtype in (torch.int64, torch.int32)
    return type(token) is int or isinstance(token, np.integer)


def read_safetensors(data):
    """float32 tensors by name: a header in JSON, its length in 8 bytes before it, the values behind it."""
    start = 8 + int.from_bytes(data[:8], "little")
    tensors = {}
    for name, facts in json.loads(data[8:start]).items():
        first, last = facts["data_offsets"]
        values = torch.frombuffer(bytearray(data[start + first : start + last]), dtype=torch.float32)
        tensors[name] = values.reshape(facts["shape"])
    return tensors


@sample
def test_weights_fit(solution, assets):
    """The trained weights have a place in your model"""
    Book(assets).model(solution)


@sample
@points(2)
def test_who_bites_whom(solution, support, assets):
    """dog bites man, man bites dog"""
    book, sentences = Book(assets), list(BITES)
    model = book.model(solution)
    found = [book.text(tokens) for tokens in book.translations(solution, sentences, model)]
    for english, hindi in zip(sentences, found):
        if hindi:
            book.show(support, model, english, hindi)
    equal(found, list(BITES.values()))


@points(3)
@pytest.mark.parametrize("part", [0, 1, 2], ids=["first", "second", "third"])
def test_held_out_sentences(solution, assets, part):
    """Sentences that the training never saw, many at once"""
    book = Book(assets)
    pairs = book.held_out[part::3]
    equal(book.translations(solution, [english for english, _ in pairs]), [book.tokens(hindi) for _, hindi in pairs])


@points(2)
def test_one_by_one(solution, assets, rng):
    """The same translation alone as in a batch, with padding or without"""
    book = Book(assets)
    model = book.model(solution)
    for more, index in enumerate(rng.choice(len(book.held_out), 3, replace=False)):
        english, hindi = book.held_out[index]
        found = solution.translate(model, book.source([english], more), MAX_LENGTH)
        equal(book.read(found), [book.tokens(hindi)])


def test_max_length(solution, assets, rng):
    """No more than max_length words"""
    book = Book(assets)
    pairs = [book.held_out[index] for index in rng.choice(len(book.held_out), 4, replace=False)]
    model = book.model(solution)
    for max_length in (3, 1):
        found = book.translations(solution, [english for english, _ in pairs], model, max_length)
        equal(found, [book.tokens(hindi)[:max_length] for _, hindi in pairs])


@points(2)
def test_logits(solution, assets, rng):
    """The scores of every next word, and of the first one alone, with a mask and without"""
    book = Book(assets)
    model, oracle = book.model(solution), Oracle(book.weights, book.sizes)
    # Two short sentences and two long ones: the other way round, their masks differ.
    by_length = sorted((english for english, _ in book.held_out), key=lambda english: len(english.split()))
    chosen = rng.choice(len(by_length) // 3, 4, replace=False) * [1, 1, -1, -1] - [0, 0, 1, 1]
    source = book.source([by_length[index] for index in chosen])
    # What the statement shows, as if it were the beginning of theirs: their own are what other tests ask for.
    shown = zip([*BITES.values()] * 2, rng.permutation([2, 3, 4, 5]))
    target = book.source([" ".join(hindi.split()[:length]) for hindi, length in shown])
    target = torch.cat([torch.full((len(target), 1), START), target], dim=1)
    model.eval()
    turned = source.flip(0)
    for given, written in ((source, target), (turned, target), (source, target[:, :1])):
        close(model(given, written, given != 0), oracle(given, written, given != 0))
    close(model(source, target), oracle(source, target))
    one = source[:1], target[:1]
    close(model(*one, one[0] != 0), oracle(*one, one[0] != 0))


def test_small_spread(solution, assets):
    """Other weights, with which values hardly differ: a norm's eps is torch's own"""
    book = Book(assets)
    last = [f"{half}.{book.sizes[-1] - 1}.norm{norm}.weight" for half, norm in (("encoder", 2), ("decoder", 3))]
    weights = {}
    for name, value in book.weights.items():
        silent = "out_proj" in name or "linear2" in name
        # Every norm but the first of each half sees values that differ by a few thousandths.
        weights[name] = 0.003 * value if "norm" in name and name not in last else 0 * value if silent else value
    model, oracle = solution.Transformer(*book.sizes, 0.5), Oracle(weights, book.sizes)
    model.load(weights)
    model.eval()
    source, target = book.source(BITES), torch.full((2, 1), START)
    close(model(source, target), oracle(source, target))


def test_again(solution, assets):
    """The same sentences give the same translations, in the other order, too, and are left as they were"""
    book = Book(assets)
    model = book.model(solution)
    source, expected = book.source([english for english, _ in book.held_out[:5]]), book.held_out[:5]
    found = deterministic(solution.translate, model, source, MAX_LENGTH)
    equal(book.read(found), [book.tokens(hindi) for _, hindi in expected])
    turned = unchanged(solution.translate, model, source.flip(0), MAX_LENGTH)
    equal(book.read(turned), [book.tokens(hindi) for _, hindi in reversed(expected)])
