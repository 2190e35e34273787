"""What is too large is refused before it is read: by every address, and by the real server."""

from __future__ import annotations

import contextlib
import os
import socket
import threading
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import psutil
import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from config import processes
from courses.models import Item
from grader.models import Submission
from scripts.serve import web_server
from tests.conftest import SignIn
from tests.services import wait_until

KEY = "7b1d3a52-9d0c-4f0e-8d0a-7d5f2c0a1e11"
MB = 1024 * 1024


def send(client: Client, path: str, size: int, **headers: str) -> tuple[int, str]:
    response = client.post(path, b"x" * size, content_type="application/x-www-form-urlencoded", headers=headers)
    return response.status_code, response.content.decode()


@pytest.mark.parametrize(
    "path, limit, said",
    [
        ("/sign-in/", 64 * 1024, "64 KB"),
        ("/join/", 64 * 1024, "64 KB"),
        ("/nothing/is/here/", 64 * 1024, "64 KB"),
        ("/healthz", 64 * 1024, "64 KB"),
        ("/admin/login/", 64 * 1024, "64 KB"),
        ("/admin/courses/lesson/add/", 2 * MB, "2 MB"),
    ],
)
@pytest.mark.parametrize("headers", [{}, {"HX-Request": "true"}])
@pytest.mark.django_db
def test_every_address_has_a_limit_that_its_page_says(
    client: Client, path: str, limit: int, said: str, headers: dict[str, str]
) -> None:
    status, page = send(client, path, limit + 1, **headers)
    assert status == 413
    assert f"at most {said} in all," in page
    assert send(client, path, limit, **headers)[0] != 413


@pytest.mark.django_db
def test_a_submission_of_the_largest_size_still_comes_with_what_stood_in_the_editor(
    exercise_item: Item, learner: User, sign_in: SignIn
) -> None:
    """Where each is sent as a form sends it; a larger one gets its own sentence, and a giant the general page."""
    client, url = sign_in(learner), reverse("grader:submit", args=[exercise_item.pk])

    def hand_in(size: int) -> tuple[int, str]:
        text = "#" * size
        file = SimpleUploadedFile("solution.py", text.encode())
        response = client.post(url, {"key": KEY, "kind": "submission", "source": text, "file": file})
        return response.status_code, response.content.decode()

    status, page = hand_in(300 * 1024)
    assert (status, "256" in page) == (422, True)
    assert hand_in(600 * 1024)[0] == 413
    assert not Submission.objects.exists()
    assert hand_in(256 * 1024)[0] == 302
    assert Submission.objects.get().source == "#" * 256 * 1024


def test_django_itself_stops_at_the_largest_limit() -> None:
    assert max(settings.BODY_LIMITS.values()) == settings.DATA_UPLOAD_MAX_MEMORY_SIZE


@dataclass(frozen=True, slots=True)
class Server:
    """The web server as `make run` starts it, and its one worker."""

    port: int
    worker: psutil.Process
    temporary: Path

    def answer(self, *pieces: bytes) -> bytes:
        """What it says to these bytes; it may stop to listen at any of them."""
        said = b""
        with socket.create_connection(("127.0.0.1", self.port), timeout=30) as connection:
            with contextlib.suppress(ConnectionResetError, BrokenPipeError):
                for piece in pieces:
                    connection.sendall(piece)
                connection.shutdown(socket.SHUT_WR)
            with contextlib.suppress(ConnectionResetError):
                while piece := connection.recv(65536):
                    said += piece
        return said


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("web")
    temporary = folder / "temporary"
    temporary.mkdir()
    environment = {"PATH": os.environ["PATH"], "GRADUS_VAR": str(folder), "TMPDIR": str(temporary)}
    with socket.create_server(("127.0.0.1", 0)) as listener, (folder / "log").open("wb") as log:
        port = listener.getsockname()[1]
        command = web_server(listener.fileno())
        process = processes.start(command, environment=environment, output=log, pass_fds=[listener.fileno()])
    try:
        wait_until(lambda: opens(f"http://127.0.0.1:{port}/sign-in/"), seconds=60, what="pages answer")
        [worker] = psutil.Process(process.pid).children()
        yield Server(port, worker, temporary)
    finally:
        processes.stop(process, patience=10)


def opens(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=5):
            return True
    except OSError:
        return False


def used(folder: Path) -> int:
    """Bytes of uploads that Django keeps there for the time of a request."""
    return sum(path.stat().st_size for path in folder.rglob("*.upload*"))


def head(*lines: str, kind: str = "application/x-www-form-urlencoded") -> bytes:
    fixed = ["POST /sign-in/ HTTP/1.1", "Host: localhost", f"Content-Type: {kind}"]
    return "\r\n".join([*fixed, *lines, "", ""]).encode()


def test_a_browser_that_sends_five_megabytes_reads_the_page(server: Server) -> None:
    said = server.answer(head(f"Content-Length: {5 * MB}"), b"x" * 5 * MB)
    assert said.startswith(b"HTTP/1.1 413 ")
    assert b"That is too large" in said


def test_a_body_in_chunks_is_refused_unread(server: Server) -> None:
    said = server.answer(head("Transfer-Encoding: chunked"), b"3\r\na=b\r\n0\r\n\r\n")
    assert said.startswith(b"HTTP/1.1 411 ")
    assert b"That is too large" not in said
    assert b"at most 64 KB" in said


def test_a_request_that_lies_about_its_length_brings_no_more_than_it_says(server: Server) -> None:
    before = server.worker.memory_info().rss
    said = server.answer(head("Content-Length: 3"), b"a=b", *[b"x" * MB] * 64)
    assert said.startswith(b"HTTP/1.1 403 ")  # the three bytes carry no token against forgery
    assert server.worker.memory_info().rss - before < 16 * MB


BEGIN = b"--part\r\nContent-Disposition: form-data; name=f; filename=f\r\nContent-Type: text/plain\r\n\r\n"
CHUNK = b"100000\r\n" + b"x" * MB + b"\r\n"


@pytest.mark.parametrize(
    "how, pieces",
    [
        ("Content-Length: 734003200", [BEGIN, *[b"x" * MB] * 700]),
        ("Transfer-Encoding: chunked", [b"%x\r\n%b\r\n" % (len(BEGIN), BEGIN), *[CHUNK] * 700]),
    ],
)
def test_three_giants_at_once_take_neither_memory_nor_disk(server: Server, how: str, pieces: list[bytes]) -> None:
    """Files in a form, from somebody who is not signed in but has a token against forgery, so that Django reads on."""
    before = server.worker.memory_info().rss
    memory, disk, over = [before], [0], threading.Event()
    token = "t" * 32
    request = head(how, f"Cookie: csrftoken={token}", kind="multipart/form-data; boundary=part")
    said: list[bytes] = []

    def watch() -> None:
        while True:
            memory.append(server.worker.memory_info().rss)
            disk.append(used(server.temporary))
            if over.wait(0.005):
                return

    senders = [threading.Thread(target=lambda: said.append(server.answer(request, *pieces))) for _ in range(3)]
    watcher = threading.Thread(target=watch)
    for thread in (watcher, *senders):
        thread.start()
    for thread in senders:
        thread.join()
    over.set()
    watcher.join()
    assert len(said) == 3
    assert max(memory) - before < 48 * MB
    assert max(disk) == 0
    assert server.answer(b"GET /sign-in/ HTTP/1.1\r\nHost: localhost\r\n\r\n").startswith(b"HTTP/1.1 200")


def test_who_stops_in_the_middle_of_a_giant_keeps_no_thread(server: Server) -> None:
    """As many as there are threads: the ninth would wait for ever."""
    with contextlib.ExitStack() as stack:
        for _ in range(8):
            stalled = stack.enter_context(socket.create_connection(("127.0.0.1", server.port)))
            stalled.sendall(head(f"Content-Length: {700 * MB}") + b"x" * 1000)
        assert server.answer(b"GET /sign-in/ HTTP/1.1\r\nHost: localhost\r\n\r\n").startswith(b"HTTP/1.1 200")
