"""A real browser against a real server. The course is the one that people get; its exercises count as proven."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from playwright.sync_api import Browser, BrowserContext, Page
from pytest_django.live_server_helper import LiveServer

from courses import people
from courses.models import Course, Item, Lesson, Role
from exercises.package import Package, by_slug, slugs
from exercises.services import load_package, publish, store_proof
from tests.services import embedded_broker

__all__ = ["embedded_broker"]

# Playwright runs an event loop in this thread; Django would refuse its database there, though nothing is concurrent.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"

PASSWORD = "a long enough pass phrase"
OpenAs = Callable[..., Page]


@pytest.fixture(scope="session")
def browser_type_launch_args() -> dict[str, Any]:
    quiet = ["--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"]
    program = os.environ.get("CHROMIUM", "/usr/bin/chromium")
    return {"executable_path": program, "args": ["--no-sandbox", "--disable-gpu", *quiet]}


@pytest.fixture
def site(live_server: LiveServer) -> str:
    return str(live_server.url)


@pytest.fixture(scope="session")
def bank() -> list[Package]:
    """All exercises, read once: they are some two thousand files."""
    return [by_slug(slug) for slug in slugs()]


@pytest.fixture
def generative_ai(transactional_db: None, bank: list[Package]) -> Course:
    for package in bank:
        revision = load_package(package=package)
        store_proof(digest=revision.digest, extent="full", ok=True, report={})
        publish(revision=revision)
    call_command("load_course", verbosity=0)
    course = Course.objects.get(slug="generative-ai")
    for name, role in (("learner", Role.LEARNER), ("instructor", Role.INSTRUCTOR)):
        people.enrol(user=User.objects.create_user(name, password=PASSWORD), course=course, role=role)
    User.objects.create_superuser("admin", password=PASSWORD)
    return course


@pytest.fixture
def lesson(generative_ai: Course) -> Lesson:
    return Lesson.objects.get(number=20)


@pytest.fixture
def quiz_item(generative_ai: Course) -> Item:
    return Item.objects.get(kind=Item.Kind.QUIZ)


@pytest.fixture
def exercise_item(generative_ai: Course) -> Item:
    return Item.objects.get(exercise__slug="positional-encoding")


@pytest.fixture
def open_as(browser: Browser, site: str, generative_ai: Course) -> Iterator[OpenAs]:
    """A page of somebody who has signed in by the form. What the browser complains about fails the test."""
    contexts: list[BrowserContext] = []
    complaints: list[str] = []

    def opened(name: str, *, quiet: bool = True, **options: Any) -> Page:
        context = browser.new_context(base_url=site, **options)
        contexts.append(context)
        page = context.new_page()
        if quiet:  # else failed requests are what the test is about, and the browser logs them
            page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto("/")
        page.get_by_label("Username").fill(name)
        page.get_by_label("Password").fill(PASSWORD)
        page.get_by_role("button", name="Sign in").click()
        return page

    yield opened
    for context in contexts:
        context.close()
    # A refusal (422, 403) is an answer that pages show; the browser logs it all the same.
    assert [text for text in complaints if "422" not in text and "403" not in text] == []
