import json

import pytest
import torch

from exercises.testkit import close, deterministic, equal, exhibit, expect, points, sample

MAX_LENGTH = 12
START = 1


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

    def source(self, sentences):
        """(batch, longest) tokens, filled up with PAD."""
        rows = [[self.words.index(word) for word in sentence.split()] for sentence in sentences]
        return torch.tensor([row + [0] * (max(map(len, rows)) - len(row)) for row in rows])

    def text(self, tokens):
        return " ".join(self.words[token] for token in tokens)

    def translations(self, solution, sentences, model=None, max_length=MAX_LENGTH):
        """What the learner's code makes of English sentences, as text."""
        found = solution.translate(model or self.model(solution), self.source(sentences), max_length)
        plain = isinstance(found, list) and all(isinstance(row, list) for row in found)
        plain = plain and all(type(token) is int and 0 <= token < len(self.words) for row in found for token in row)
        expect(plain, "translate should return a list with one list of words' numbers for every sentence.", public=True)
        return [self.text(row) for row in found]

    def looks(self, support, model, english, hindi):
        """(words of hindi, words of english): the cross-attention with which each word of hindi is chosen."""
        target = torch.tensor([[START, *(self.words.index(word) for word in hindi.split()[:-1])]])
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
    book, sentences = Book(assets), ["dog bites man", "man bites dog"]
    model = book.model(solution)
    found = book.translations(solution, sentences, model)
    for english, hindi in zip(sentences, found):
        if hindi:
            book.show(support, model, english, hindi)
    equal(found, ["कुत्ता आदमी को काटता है", "आदमी कुत्ते को काटता है"])


@points(3)
@pytest.mark.parametrize("part", [0, 1, 2], ids=["first", "second", "third"])
def test_held_out_sentences(solution, assets, part):
    """Sentences that the training never saw, many at once"""
    book = Book(assets)
    pairs = book.held_out[part::3]
    equal(book.translations(solution, [english for english, _ in pairs]), [hindi for _, hindi in pairs])


@points(2)
def test_one_by_one(solution, assets, rng):
    """The same translation alone as in a batch"""
    book = Book(assets)
    model = book.model(solution)
    for index in rng.choice(len(book.held_out), 3, replace=False):
        english, hindi = book.held_out[index]
        equal(book.translations(solution, [english], model), [hindi])


def test_max_length(solution, assets, rng):
    """No more than max_length words"""
    book = Book(assets)
    pairs = [book.held_out[index] for index in rng.choice(len(book.held_out), 4, replace=False)]
    model = book.model(solution)
    for max_length in (3, 1):
        found = book.translations(solution, [english for english, _ in pairs], model, max_length)
        equal(found, [" ".join(hindi.split()[:max_length]) for _, hindi in pairs])


@points(2)
def test_logits(solution, reference, assets, rng):
    """The scores of every word of a translation, with a mask and without"""
    book = Book(assets)
    ours, theirs = book.model(solution), book.model(reference)
    chosen = [book.held_out[index] for index in rng.choice(len(book.held_out), 4, replace=False)]
    source = book.source([english for english, _ in chosen])
    target = book.source([hindi for _, hindi in chosen])
    target = torch.cat([torch.full((len(target), 1), START), target], dim=1)
    for model in (ours, theirs):
        model.eval()
    close(ours(source, target, source != 0), theirs(source, target, source != 0))
    close(ours(source, target), theirs(source, target))


def test_again(solution, assets):
    """The same sentences give the same translations"""
    book = Book(assets)
    source = book.source([english for english, _ in book.held_out[:5]])
    found = deterministic(solution.translate, book.model(solution), source, MAX_LENGTH)
    equal([book.text(row) for row in found], [hindi for _, hindi in book.held_out[:5]])
