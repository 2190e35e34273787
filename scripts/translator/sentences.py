"""English sentences and their Hindi translations: a few templates, filled in, and pairs checked by hand.

Words are tokens. Hindi puts the verb last; it agrees with the subject's gender, and an animate object takes को and, if
it is a masculine noun in ा, the oblique ending े. The sentences use the present habitual alone, which has no ergative.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import permutations, product


@dataclass(frozen=True, slots=True)
class Noun:
    english: str
    plural: str
    hindi: str
    oblique: str
    hindi_plural: str
    feminine: bool


@dataclass(frozen=True, slots=True)
class Verb:
    """`stem` takes ता for a masculine subject and ती for a feminine one."""

    base: str
    english: str
    stem: str


@dataclass(frozen=True, slots=True)
class Pair:
    """`group` names what is said: its variants are held out together. A pair without one is learnt by heart."""

    english: str
    hindi: str
    group: str = ""


ANIMATE = (
    Noun("dog", "dogs", "कुत्ता", "कुत्ते", "कुत्ते", False),
    Noun("cat", "cats", "बिल्ली", "बिल्ली", "बिल्लियाँ", True),
    Noun("man", "men", "आदमी", "आदमी", "आदमी", False),
    Noun("woman", "women", "औरत", "औरत", "औरतें", True),
    Noun("boy", "boys", "लड़का", "लड़के", "लड़के", False),
    Noun("girl", "girls", "लड़की", "लड़की", "लड़कियाँ", True),
    Noun("horse", "horses", "घोड़ा", "घोड़े", "घोड़े", False),
    Noun("cow", "cows", "गाय", "गाय", "गायें", True),
)
THINGS = (
    Noun("book", "books", "किताब", "किताब", "किताबें", True),
    Noun("apple", "apples", "सेब", "सेब", "सेब", False),
    Noun("house", "houses", "घर", "घर", "घर", False),
    Noun("flower", "flowers", "फूल", "फूल", "फूल", False),
)
VERBS = (Verb("bite", "bites", "काट"), Verb("see", "sees", "देख"), Verb("call", "calls", "बुला"))
PEOPLE = ANIMATE[2:6]
ACTIONS = (
    (Verb("read", "reads", "पढ़"), "book", "किताब"),
    (Verb("read", "reads", "पढ़"), "letter", "चिट्ठी"),
    (Verb("write", "writes", "लिख"), "book", "किताब"),
    (Verb("write", "writes", "लिख"), "letter", "चिट्ठी"),
    (Verb("eat", "eats", "खा"), "apple", "सेब"),
    (Verb("see", "sees", "देख"), "house", "घर"),
    (Verb("see", "sees", "देख"), "flower", "फूल"),
)
NUMBERS = {
    "two": "दो",
    "three": "तीन",
    "four": "चार",
    "five": "पाँच",
    "six": "छह",
    "seven": "सात",
    "eight": "आठ",
    "nine": "नौ",
    "ten": "दस",
}
NAMES = {"ravi": "रवि", "meera": "मीरा", "kabir": "कबीर", "anita": "अनीता"}
BY_HAND = {
    "hello": "नमस्ते",
    "thank you": "धन्यवाद",
    "good morning": "सुप्रभात",
    "good night": "शुभ रात्रि",
    "welcome": "स्वागत है",
    "how are you": "आप कैसे हैं",
    "i am fine": "मैं ठीक हूँ",
    "what is this": "यह क्या है",
    "where is the house": "घर कहाँ है",
    "yes": "हाँ",
    "no": "नहीं",
    "one": "एक",
}


def pairs() -> list[Pair]:
    """All of them, each English sentence once."""
    return [*_statements(), *_actions(), *_counted(), *_named(), *_by_hand()]


def _statements() -> Iterator[Pair]:
    for (subject, target), verb in product(permutations(ANIMATE, 2), VERBS):
        group = f"{subject.english} {verb.english} {target.english}"
        hindi = f"{subject.hindi} {target.oblique} को"
        form = _form(verb, subject)
        yield Pair(group, f"{hindi} {form} है", group)
        yield Pair(f"the {subject.english} {verb.english} the {target.english}", f"{hindi} {form} है", group)
        negated = f"the {subject.english} does not {verb.base} the {target.english}"
        yield Pair(negated, f"{hindi} नहीं {form}", group)


def _actions() -> Iterator[Pair]:
    for subject, (verb, thing, hindi) in product(PEOPLE, ACTIONS):
        group = f"{subject.english} {verb.english} {thing}"
        form = _form(verb, subject)
        yield Pair(f"the {subject.english} {verb.english} the {thing}", f"{subject.hindi} {hindi} {form} है", group)
        yield Pair(
            f"the {subject.english} does not {verb.base} the {thing}", f"{subject.hindi} {hindi} नहीं {form}", group
        )


def _counted() -> Iterator[Pair]:
    for (english, hindi), noun in product(NUMBERS.items(), ANIMATE + THINGS):
        yield Pair(f"{english} {noun.plural}", f"{hindi} {noun.hindi_plural}", f"{english} {noun.english}")
    for noun in ANIMATE + THINGS:
        yield Pair(f"one {noun.english}", f"एक {noun.hindi}", f"one {noun.english}")


def _named() -> Iterator[Pair]:
    for english, hindi in NAMES.items():
        yield Pair(f"my name is {english}", f"मेरा नाम {hindi} है")
        yield Pair(f"hello {english}", f"नमस्ते {hindi}")


def _by_hand() -> Iterator[Pair]:
    for english, hindi in {**BY_HAND, **NUMBERS}.items():
        yield Pair(english, hindi)


def _form(verb: Verb, subject: Noun) -> str:
    return f"{verb.stem}{'ती' if subject.feminine else 'ता'}"
