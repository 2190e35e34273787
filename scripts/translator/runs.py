"""Translate the sentences that the lesson offers, and note which English words each Hindi word looked at.

    .venv/bin/python -m scripts.translator.runs             seconds; writes the lesson's translations.json

What runs is the reference of the exercise `translator` with the trained weights, asked as the exercise's own tests ask
a learner's code. The notes say what there is to see; whoever trains anew reads them again beside the new maps.
"""

from __future__ import annotations

import json
import types
from typing import Any

import torch

from courses.translations import FILE
from exercises.package import by_slug
from exercises.testkit.solution import Solution, support_of

NOTES = {
    "dog bites man": (
        "kāṭtā, “bites”, stands near the end of the Hindi and looks at the middle of the English. ko, which marks "
        "who is bitten, has no English word of its own."
    ),
    "man bites dog": (
        "The same three words, and another story: now the first Hindi word looks at “man”. The dog, once he is "
        "bitten, is no kuttā but a kutte."
    ),
    "my name is meera": (
        "Learnt by heart, and oddly: merā, “my”, looks at “name”, and nām, “name”, at “my”. What always comes "
        "together can be found at either word. A map says where the model looked, not what it thought."
    ),
    "woman bites man": (
        "kāṭtī, not kāṭtā: the Hindi verb agrees with whoever bites. Yet it looks at “bites” alone; that a woman "
        "bites, the decoder can read in the word that it has written already, aurat."
    ),
    "the horse bites the girl": (
        "Hindi has no word for “the”. What needs little from the English, as ko and hai, rests much of its look there."
    ),
    "the dog does not see the man": (
        "nahīn looks at “not”, and dekhtā at “see”. In English both stand before “the man”, in Hindi both after "
        "ādmī. No Hindi word looks mainly at “does”."
    ),
    "the boy reads the letter": (
        "A letter is a thing, so no ko marks it. chiṭṭhī looks at “letter”, and a little at the “the” before it."
    ),
    "the boy does not eat the apple": (
        "The verb at the very end again: khātā looks at “eat” more than at any other word, but with less than half "
        "of its weight. The model is less sure here where to look, and right all the same."
    ),
    "three horses": "Where both languages take one order, the map is a diagonal.",
}
ROMAN = {
    "आदमी": "ādmī",
    "औरत": "aurat",
    "काटता": "kāṭtā",
    "काटती": "kāṭtī",
    "कुत्ता": "kuttā",
    "कुत्ते": "kutte",
    "को": "ko",
    "खाता": "khātā",
    "घोड़ा": "ghoṛā",
    "घोड़े": "ghoṛe",
    "चिट्ठी": "chiṭṭhī",
    "तीन": "tīn",
    "देखता": "dekhtā",
    "नहीं": "nahīn",
    "नाम": "nām",
    "पढ़ता": "paṛhtā",
    "मीरा": "mīrā",
    "मेरा": "merā",
    "लड़का": "laṛkā",
    "लड़की": "laṛkī",
    "सेब": "seb",
    "है": "hai",
}


def main() -> None:
    torch.set_num_threads(1)
    found = runs()
    lines = ",\n ".join(json.dumps(run, ensure_ascii=False) for run in found)
    FILE.write_text(f"[\n {lines}\n]\n", encoding="utf-8")
    for run in found:
        print(run["english"], "→", run["hindi"], "(held out)" if run["held_out"] else "")


def runs() -> list[dict[str, Any]]:
    """By sentence: the translation, whether its training never saw it, and the weights (Hindi words, English words)."""
    package = by_slug("translator")
    tests = types.ModuleType("tests")
    exec(compile(package.tests, "tests.py", "exec"), tests.__dict__)
    book = tests.__dict__["Book"](package.assets)
    solution = Solution.local(package.reference, support=package.support)
    model, held_out = book.model(solution), {english for english, _ in book.held_out}
    result = []
    for english, note in NOTES.items():
        (tokens,) = book.translations(solution, [english], model)
        hindi = book.text(tokens)
        weights = book.looks(support_of(solution), model, english, hindi)
        result.append(
            {
                "english": english,
                "hindi": hindi,
                "roman": " ".join(ROMAN[word] for word in hindi.split()),
                "held_out": english in held_out,
                "note": note,
                "weights": [[round(weight, 6) for weight in row] for row in weights.tolist()],
            }
        )
    return result


if __name__ == "__main__":
    main()
