import itertools
import zlib

import pytest
import torch

from exercises.testkit import deterministic, equal, expect, points, sample, unchanged
from exercises.testkit.solution import LearnerError

VOCABULARY = 30
START, END = 1, 2
FIRST_WORD = 5  # 0 is PAD; the model babbles with 3 and 4
STATEMENT = {(5, 6): 277585, (7, 8, 9): 323}


def scripted(solution, script, vocab_size=VOCABULARY):
    """A model in the learner's process that translates by the numbers of `script`."""
    try:
        return solution.ScriptedModel(script, vocab_size)
    except LearnerError as error:
        expect(
            error.type_name != "AttributeError",
            "Keep the starter's import of ScriptedModel from support: the tests make their models with it.",
            public=True,
        )
        raise


def sentence(rng, length, first=FIRST_WORD):
    return [int(token) for token in rng.integers(first, VOCABULARY, length)]


def translation(number, most=60, vocab_size=VOCABULARY):
    """What is right for a sentence of this number: computed here, as support.py says, and sent to nobody."""
    written, token, state = [], START, number
    while len(written) <= most:
        state = zlib.crc32(token.to_bytes(4, "little"), state)
        token = END if state % 16 == 0 else FIRST_WORD + state // 16 % (vocab_size - FIRST_WORD)
        if token == END:
            break
        written.append(token)
    return written[:most]


def translations(script, most=60):
    return [translation(number, most) for number in script.values()]


def number_of(rng, length):
    """A number by whose rule a translation has so many words."""
    numbers = itertools.count(int(rng.integers(1 << 30)))
    return next(number for number in numbers if len(translation(number, length + 1)) == length)


def random_script(rng, lengths, *, sources=None):
    """Sentences of different lengths, each with a translation of one of `lengths`. The first token tells them apart."""
    sources = sources or [int(length) for length in rng.integers(1, 6, len(lengths))]
    return {
        (FIRST_WORD + index, *sentence(rng, source - 1)): number_of(rng, length)
        for index, (source, length) in enumerate(zip(sources, lengths))
    }


def batch(script, more=0):
    """The script's sentences, filled up with PAD to the length of the longest, and `more`."""
    width = max(map(len, script)) + more
    return torch.tensor([[*source, *[0] * (width - len(source))] for source in script])


@sample
def test_example_of_the_statement(solution):
    """Two sentences, three words and one"""
    model = scripted(solution, STATEMENT, 20)
    equal(solution.translate(model, torch.tensor([[5, 6, 0], [7, 8, 9]]), 10), [[10, 11, 12], [13]])


@sample
def test_length_cap_of_the_statement(solution):
    """The same sentences, cut after two words"""
    model = scripted(solution, STATEMENT, 20)
    equal(solution.translate(model, torch.tensor([[5, 6, 0], [7, 8, 9]]), 2), [[10, 11], [13]])


def test_decoder_sees_all_that_is_written(solution, rng):
    """In every step the target is START and all tokens so far"""
    script = random_script(rng, [6, 4])
    model = scripted(solution, script)
    found = solution.translate(model, batch(script), 9)
    widths = [width for _, width in model.attribute("decoded")]
    expect(max(widths, default=0) > 1, "The target should grow by one token in every step.", public=True)
    equal(found, translations(script))


@points(2)
@pytest.mark.parametrize("length", [1, 6])
def test_one_sentence(solution, rng, length):
    """A batch of one, with padding"""
    script = random_script(rng, [length])
    equal(solution.translate(scripted(solution, script), batch(script, 2), 9), translations(script))


@points(3)
@pytest.mark.parametrize("lengths", [(3, 3, 3), (1, 7, 4), (6, 2)], ids=["equal", "mixed", "falling"])
def test_translations_of_mixed_lengths(solution, rng, lengths):
    """Sentences of one length, whose translations end at different times"""
    script = random_script(rng, lengths, sources=[4] * len(lengths))
    equal(solution.translate(scripted(solution, script), batch(script), 12), translations(script))


@points(3)
def test_padded_sources(solution, rng):
    """Sentences of different lengths, filled up with padding"""
    script = random_script(rng, [5, 3, 4, 2], sources=[1, 6, 3, 4])
    equal(solution.translate(scripted(solution, script), batch(script), 12), translations(script))


@points(2)
def test_empty_translation(solution, rng):
    """A translation that ends before its first word, beside one that goes on"""
    script = random_script(rng, [0, 4, 0])
    equal(solution.translate(scripted(solution, script), batch(script), 8), [[], translations(script)[1], []])


@points(2)
@pytest.mark.parametrize("max_length", [1, 4, 5, 6])
def test_length_cap(solution, rng, max_length):
    """No translation is longer than max_length, and one that just fits is whole"""
    script = random_script(rng, [5, 2, 9])
    model = scripted(solution, script)
    equal(solution.translate(model, batch(script), max_length), translations(script, max_length))
    calls = model.attribute("decoded")
    expect(
        max((width for _, width in calls), default=0) <= max_length,
        "The model was asked for more than max_length tokens. Do not ask for what you will not return.",
        public=True,
    )
    expect(
        len(calls) <= max_length,
        "decode was called more than max_length times. Ask for the next token of the whole batch at once, and for each "
        "token only once.",
        public=True,
    )


def test_repeated_words(solution, rng):
    """A word that comes several times is kept every time"""
    for number in itertools.count(int(rng.integers(1 << 30))):
        words = translation(number, 6, vocab_size=7)  # so there are two words
        if len(words) == 5 and len({*words[:3], words[4]}) == 1 and words[3] != words[0]:
            break
    model = scripted(solution, {(5, 6): number, (6, 5): number}, 7)
    equal(solution.translate(model, torch.tensor([[5, 6], [6, 5]]), 8), [words, words])


def test_long_translation(solution, rng):
    """70 words"""
    script = random_script(rng, [70, 11])
    equal(solution.translate(scripted(solution, script), batch(script), 90), translations(script, 90))


@points(2)
def test_source_is_read_once(solution, rng):
    """The encoder runs once, for the whole batch of ten"""
    script = random_script(rng, [4, 2, 3, 0, 1, 5, 2, 6, 3, 4])
    model = scripted(solution, script)
    equal(solution.translate(model, batch(script), 8), translations(script))
    calls = model.attribute("encoded")
    expect(
        calls == 1,
        f"encode was called {calls} times. The source does not change: encode the whole batch once.",
        public=True,
    )


@points(2)
def test_stops_when_all_have_ended(solution, rng):
    """After the last END the model is not asked again"""
    for lengths in ((4, 4), (4, 1, 3)):
        script = random_script(rng, lengths)
        model = scripted(solution, script)
        equal(solution.translate(model, batch(script), 25), translations(script))
        calls = len(model.attribute("decoded"))
        expect(
            calls <= 5,
            "decode was called more often than needed. Ask for all sentences at once, and stop as soon as each of them "
            "has had its END.",
            public=True,
        )


def test_model_in_training_mode(solution, rng):
    """A model that comes from training is switched to evaluation with all its parts, in every call"""
    script = random_script(rng, [3, 4])
    model = scripted(solution, script)
    for _ in range(2):
        model.train()
        equal(solution.translate(model, batch(script), 8), translations(script))


def test_calls_do_not_depend_on_each_other(solution, rng):
    """Equal calls give equal results; another cap, another model and other sentences give theirs"""
    script = random_script(rng, [3, 5, 2])
    model, source = scripted(solution, script), batch(script)
    equal(deterministic(solution.translate, model, source, 9), translations(script))
    equal(solution.translate(model, source, 2), translations(script, 2))
    other = dict(zip(script, random_script(rng, [4, 1, 3]).values()))
    equal(solution.translate(scripted(solution, other), source, 9), translations(other))
    sentence, number = list(script.items())[1]
    equal(solution.translate(model, torch.tensor([sentence]), 9), [translation(number)])


def test_inputs_stay_unchanged(solution, rng):
    """The source is left as it was, in a batch of one or two"""
    for lengths in ([3, 5], [4]):
        script = random_script(rng, lengths)
        unchanged(solution.translate, scripted(solution, script), batch(script, 1), 9)
