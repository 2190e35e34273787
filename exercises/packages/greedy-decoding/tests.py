import pytest
import torch

from exercises.testkit import deterministic, equal, expect, points, sample, unchanged
from exercises.testkit.solution import LearnerError

VOCABULARY = 30
FIRST_WORD = 5  # 0 to 2 are PAD, START and END; the model babbles with 3 and 4


def scripted(solution, script, vocab_size=VOCABULARY):
    """A model in the learner's process that translates as `script` says."""
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


def random_script(rng, lengths, *, sources=None):
    """Sentences of different lengths, each with a translation of one of `lengths`. The first token tells them apart."""
    sources = sources or [int(length) for length in rng.integers(1, 6, len(lengths))]
    return {
        (FIRST_WORD + index, *sentence(rng, source - 1)): sentence(rng, length)
        for index, (source, length) in enumerate(zip(sources, lengths))
    }


def batch(script):
    """The script's sentences, filled up with PAD."""
    width = max(map(len, script))
    return torch.tensor([[*source, *[0] * (width - len(source))] for source in script])


@sample
def test_example_of_the_statement(solution):
    """Two sentences, three words and one"""
    model = scripted(solution, {(5, 6): [10, 11, 12], (7, 8, 9): [13]}, 20)
    equal(solution.translate(model, torch.tensor([[5, 6, 0], [7, 8, 9]]), 10), [[10, 11, 12], [13]])


@sample
def test_length_cap_of_the_statement(solution):
    """The same sentences, cut after two words"""
    model = scripted(solution, {(5, 6): [10, 11, 12], (7, 8, 9): [13]}, 20)
    equal(solution.translate(model, torch.tensor([[5, 6, 0], [7, 8, 9]]), 2), [[10, 11], [13]])


def test_decoder_sees_all_that_is_written(solution, rng):
    """In every step the target is START and all tokens so far"""
    script = random_script(rng, [6, 4])
    model = scripted(solution, script)
    translations = solution.translate(model, batch(script), 9)
    widths = [shape[1] for shape in model.attribute("decoded")]
    equal(translations, list(script.values()))
    expect(
        all(width > step for step, width in enumerate(widths)),
        "The target should grow by one token in every step.",
        public=True,
    )


@points(2)
@pytest.mark.parametrize("length", [1, 6])
def test_one_sentence(solution, rng, length):
    """A batch of one"""
    script = random_script(rng, [length])
    equal(solution.translate(scripted(solution, script), batch(script), 9), list(script.values()))


@points(3)
@pytest.mark.parametrize("lengths", [(3, 3, 3), (1, 7, 4), (6, 2)], ids=["equal", "mixed", "falling"])
def test_translations_of_mixed_lengths(solution, rng, lengths):
    """Sentences of one length, whose translations end at different times"""
    script = random_script(rng, lengths, sources=[4] * len(lengths))
    equal(solution.translate(scripted(solution, script), batch(script), 12), list(script.values()))


@points(3)
def test_padded_sources(solution, rng):
    """Sentences of different lengths, filled up with padding"""
    script = random_script(rng, [5, 3, 4, 2], sources=[1, 6, 3, 4])
    equal(solution.translate(scripted(solution, script), batch(script), 12), list(script.values()))


@points(2)
def test_empty_translation(solution, rng):
    """A translation that ends before its first word, beside one that goes on"""
    script = random_script(rng, [0, 4, 0])
    equal(solution.translate(scripted(solution, script), batch(script), 8), [[], list(script.values())[1], []])


@points(2)
@pytest.mark.parametrize("max_length", [1, 4, 5, 6])
def test_length_cap(solution, rng, max_length):
    """No translation is longer than max_length, and one that just fits is whole"""
    script = random_script(rng, [5, 2, 9])
    expected = [translation[:max_length] for translation in script.values()]
    model = scripted(solution, script)
    equal(solution.translate(model, batch(script), max_length), expected)
    expect(
        len(model.attribute("decoded")) <= max_length,
        "The model was asked for more than max_length tokens. Do not ask for what you will not return.",
        public=True,
    )


def test_repeated_words(solution, rng):
    """A word that comes several times is kept every time"""
    word = int(rng.integers(FIRST_WORD, VOCABULARY))
    script = {(7, 8): [word, word, word, 9, word], (8, 7): [word]}
    equal(solution.translate(scripted(solution, script), batch(script), 8), list(script.values()))


def test_long_translation(solution, rng):
    """40 words"""
    script = random_script(rng, [40, 11])
    equal(solution.translate(scripted(solution, script), batch(script), 60), list(script.values()))


@points(2)
def test_source_is_read_once(solution, rng):
    """The encoder runs once, for the whole batch"""
    script = random_script(rng, [4, 2, 3])
    model = scripted(solution, script)
    equal(solution.translate(model, batch(script), 8), list(script.values()))
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
        equal(solution.translate(model, batch(script), 25), list(script.values()))
        calls = len(model.attribute("decoded"))
        expect(
            calls <= 5,
            "decode was called more often than needed. Ask for all sentences at once, and stop as soon as each of them "
            "has had its END.",
            public=True,
        )


def test_model_in_training_mode(solution, rng):
    """A model that comes from training is switched to evaluation"""
    script = random_script(rng, [3, 4])
    model = scripted(solution, script)
    model.train()
    equal(solution.translate(model, batch(script), 8), list(script.values()))


def test_calls_do_not_depend_on_each_other(solution, rng):
    """Equal calls give equal results, and other sentences theirs"""
    script = random_script(rng, [3, 5, 2])
    model = scripted(solution, script)
    equal(deterministic(solution.translate, model, batch(script), 9), list(script.values()))
    for source, translation in script.items():
        equal(solution.translate(model, torch.tensor([source]), 9), [translation])


def test_inputs_stay_unchanged(solution, rng):
    """The source is left as it was"""
    script = random_script(rng, [3, 5])
    unchanged(solution.translate, scripted(solution, script), batch(script), 9)
