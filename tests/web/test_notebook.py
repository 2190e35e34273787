"""A notebook that is handed in is no submission yet: its cells are shown, and the chosen ones are handed in."""

from __future__ import annotations

import html
import re
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.urls import reverse

from courses.models import Item
from grader.models import Submission
from tests.conftest import SignIn
from tests.grader.test_notebook import notebook

TEXT = notebook("%matplotlib inline\nimport numpy as np", "def double(x):\n    return 2 * x", "print(double(3))")
HTMX = {"HX-Request": "true"}


def submitted(client: Any, item: Item, **form: Any) -> HttpResponse:
    headers = form.pop("headers", None)
    data = {"key": str(uuid4()), "kind": "submission", **form}
    answer: HttpResponse = client.post(reverse("grader:submit", args=[item.pk]), data, headers=headers)
    return answer


def hidden(page: str, name: str) -> str:
    found = re.search(rf'name="{name}" value="([^"]*)"', page)
    assert found, name
    return html.unescape(found[1])


@pytest.mark.parametrize("way", ["typed", "file", "htmx"])
def test_its_cells_are_shown_and_nothing_is_submitted(
    way: str, exercise_item: Item, learner: User, sign_in: SignIn
) -> None:
    form: dict[str, Any] = {"source": TEXT, "headers": HTMX if way == "htmx" else None}
    if way == "file":
        form = {"source": "", "file": SimpleUploadedFile("work.ipynb", TEXT.encode())}
    answer = submitted(sign_in(learner), exercise_item, **form)
    page = answer.content.decode()
    assert answer.status_code == 422
    assert re.findall(r'name="use" value="(\d)"( checked)?', page) == [("0", " checked"), ("1", " checked"), ("2", "")]
    assert "# %matplotlib inline" in page
    assert not Submission.objects.exists()


def test_the_chosen_cells_are_submitted(exercise_item: Item, learner: User, sign_in: SignIn) -> None:
    client = sign_in(learner)
    page = submitted(client, exercise_item, source=TEXT).content.decode()
    form = {name: hidden(page, name) for name in ("key", "kind", "cells")}
    answer = client.post(reverse("grader:submit", args=[exercise_item.pk]), {**form, "use": ["0", "1"]})
    made = Submission.objects.get()
    assert (answer.status_code, answer.headers["Location"]) == (302, reverse("grader:submission", args=[made.pk]))
    assert made.source == "# %matplotlib inline\nimport numpy as np\n\ndef double(x):\n    return 2 * x\n"


@pytest.mark.parametrize(
    "form",
    [
        {"cells": "[]"},
        {"cells": '["x = 1"]'},
        {"cells": "{", "use": "0"},
        {"cells": "[1]", "use": "0"},
        {"cells": '["x = 1"]', "use": "7"},
        {"cells": '["x = 1"]', "use": "-1"},
        {"cells": "[" * 100_000, "use": "0"},
    ],
)
def test_nothing_chosen_is_nothing_submitted(
    form: dict[str, Any], exercise_item: Item, learner: User, sign_in: SignIn
) -> None:
    answer = submitted(sign_in(learner), exercise_item, **form)
    assert answer.status_code == 422
    assert "The submission is empty." in answer.content.decode()
    assert not Submission.objects.exists()


def test_a_notebook_without_code_says_so(exercise_item: Item, learner: User, sign_in: SignIn) -> None:
    page = submitted(sign_in(learner), exercise_item, source=notebook()).content.decode()
    assert "It has no code, so nothing was submitted." in page
    assert "<form" not in page.partition('id="result"')[2].partition("</section>")[0]
