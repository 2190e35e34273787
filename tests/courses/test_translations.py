from __future__ import annotations

import json
import re

import numpy as np
import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client
from pytest_django.fixtures import DjangoAssertNumQueries

from courses import people, translations
from courses.models import Course, Item, Lesson, Role
from exercises.package import by_slug, slugs
from exercises.services import load_package
from scripts.translator import runs
from tests.conftest import SignIn
from tests.web.test_reading import LESSON_QUERIES


@pytest.fixture
def reader(db: None, sign_in: SignIn) -> Client:
    """Somebody enrolled in the course that people get."""
    for slug in slugs():
        load_package(package=by_slug(slug))
    call_command("load_course", verbosity=0)
    user = User.objects.create_user("reader")
    people.enrol(user=user, course=Course.objects.get(), role=Role.LEARNER)
    return sign_in(user)


def test_the_stored_runs_are_what_the_reference_gives_now() -> None:
    stored, now = json.loads(translations.FILE.read_text("utf-8")), runs.runs()
    assert [{**run, "weights": None} for run in stored] == [{**run, "weights": None} for run in now]
    for one, other in zip(stored, now, strict=True):
        np.testing.assert_allclose(one["weights"], other["weights"], rtol=0, atol=1e-5)


def test_sentences_are_of_both_sorts_and_their_translations_right() -> None:
    held_out = dict(json.loads(by_slug("translator").assets["translator.json"])["held_out"])
    offered = translations.runs()
    assert 8 <= len(offered) <= 12
    assert {run.held_out for run in offered} == {False, True}
    assert all(run.hindi == held_out[run.english] for run in offered if run.held_out)
    # The figure says so in words: first what was learnt, three sentences.
    assert [run.held_out for run in offered] == [False] * 3 + [True] * (len(offered) - 3)


def test_weights_add_up_to_one_and_shades_follow_them() -> None:
    for run in translations.runs():
        assert [len(word.looks) for word in run.words] == [len(run.columns)] * len(run.words)
        assert all(sum(look.weight for look in word.looks) == pytest.approx(1, abs=1e-5) for word in run.words)
    assert [translations.Look(weight).shade for weight in (0.0, 0.5, 1.0)] == [8, 12, 16]


def most(english: str, roman: str) -> str:
    """The English word that this Hindi word looked at most."""
    run = next(run for run in translations.runs() if run.english == english)
    word = next(word for word in run.words if word.roman == roman)
    weights = [look.weight for look in word.looks]
    return run.columns[weights.index(max(weights))]


@pytest.mark.parametrize(
    ("english", "roman", "looked_at"),
    [
        ("dog bites man", "kāṭtā", "bites"),
        ("man bites dog", "ādmī", "man"),
        ("my name is meera", "merā", "name"),
        ("my name is meera", "nām", "my"),
        ("woman bites man", "kāṭtī", "bites"),
        ("the dog does not see the man", "nahīn", "not"),
        ("the dog does not see the man", "dekhtā", "see"),
        ("the boy reads the letter", "chiṭṭhī", "letter"),
        ("the boy does not eat the apple", "khātā", "eat"),
        ("three horses", "tīn", "three"),
        ("three horses", "ghoṛe", "horses"),
    ],
)
def test_the_notes_say_what_the_maps_show(english: str, roman: str, looked_at: str) -> None:
    assert most(english, roman) == looked_at


def test_the_lesson_offers_them_without_a_script_and_in_few_queries(
    reader: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    url = Lesson.objects.get(number=20).get_absolute_url()
    with django_assert_max_num_queries(LESSON_QUERIES):
        page = reader.get(url).content.decode()
    assert page.count('type="radio" name="translation"') == len(translations.runs())
    assert page.count('name="translation"') == len(re.findall(r'<label for="translation-\d+">', page))
    for run in translations.runs():
        assert f'<span lang="hi">{run.hindi}</span>' in page
    assert " style=" not in page


def test_the_figure_leads_to_the_exercise(reader: Client) -> None:
    page = reader.get(Lesson.objects.get(number=20).get_absolute_url()).content.decode()
    item = Item.objects.get(exercise__slug="translator")
    assert f'<a href="{item.get_absolute_url()}">Your own code can do this</a>' in page
    Lesson.objects.update(body="[one](#exercise-rope) [other](#exercise-nothing) [x](#other)\n")
    page = reader.get(Lesson.objects.get(number=20).get_absolute_url()).content.decode()
    links = {text: url for url, text in re.findall(r'<a href="([^"]+)"[^>]*>(one|other|x)</a>', page)}
    rope = Item.objects.get(exercise__slug="rope").get_absolute_url()
    assert links == {"one": rope, "other": "#exercise-nothing", "x": "#other"}
