"""Frames between processes that do not trust each other: bounded before they are read, and never awaited for long."""

from __future__ import annotations

import os
import select
import socket
import struct
import threading
import time
import tracemalloc
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.sandbox.wire import (
    NO_CALL,
    BadFrame,
    Channel,
    Closed,
    Expired,
    Frame,
    FrameTooLarge,
    Kind,
    forever,
    until,
)

CALL = b"12345678"


def soon() -> float:
    return time.monotonic() + 5.0


def frame(
    kind: int = Kind.REPLY, payload: bytes = b"abc", *, magic: bytes = b"GRD1", length: int | None = None
) -> bytes:
    return struct.pack("<4sB8sQ", magic, kind, CALL, len(payload) if length is None else length) + payload


class Ends:
    """A channel and the raw socket of its peer."""

    def __init__(self) -> None:
        ours, self.peer = socket.socketpair()
        self.channel = Channel(ours.detach())

    def close(self) -> None:
        self.channel.close()
        self.peer.close()


@pytest.fixture
def ends() -> Iterator[Ends]:
    ends = Ends()
    yield ends
    ends.close()


def received(data: bytes, cap: int = 1000) -> Frame:
    """What a channel makes of these bytes when its peer then hangs up."""
    ends = Ends()
    try:
        ends.peer.sendall(data)
        ends.peer.close()
        return ends.channel.receive(cap, until(soon()))
    finally:
        ends.close()


@pytest.mark.parametrize("kind", list(Kind))
def test_a_frame_arrives_as_it_was_sent(ends: Ends, kind: Kind) -> None:
    other = Channel(ends.peer.detach())
    for payload in (b"", b"x", bytes(range(256)) * 100):
        ends.channel.send(kind, payload, until(soon()), CALL)
        assert other.receive(1 << 20, until(soon())) == Frame(kind, CALL, payload)
    ends.channel.send(kind, b"", forever)
    assert other.receive(0, forever).call == NO_CALL
    other.close()


def test_frames_that_come_together_are_told_apart(ends: Ends) -> None:
    ends.peer.sendall(frame(Kind.PROGRESS, b"1") + frame(Kind.REPORT, b"22"))
    kinds = [ends.channel.receive(10, until(soon())) for _ in range(2)]
    assert [(one.kind, one.payload) for one in kinds] == [(Kind.PROGRESS, b"1"), (Kind.REPORT, b"22")]


def test_a_frame_that_comes_byte_by_byte_is_put_together(ends: Ends) -> None:
    def trickle() -> None:
        for byte in frame(payload=b"slow"):
            ends.peer.sendall(bytes([byte]))
            time.sleep(0.001)

    sender = threading.Thread(target=trickle)
    sender.start()
    assert ends.channel.receive(10, until(soon())).payload == b"slow"
    sender.join()


def test_a_frame_larger_than_the_socket_crosses_while_both_work(ends: Ends) -> None:
    other, payload = Channel(ends.peer.detach()), os.urandom(4 << 20)
    sender = threading.Thread(target=lambda: other.send(Kind.REPLY, payload, until(soon())))
    sender.start()
    assert ends.channel.receive(len(payload), until(soon())).payload == payload
    sender.join()
    other.close()


def test_the_cap_is_exact() -> None:
    assert received(frame(payload=b"x" * 10), cap=10).payload == b"x" * 10
    with pytest.raises(FrameTooLarge, match="11 bytes where at most 10"):
        received(frame(payload=b"x" * 11), cap=10)


@pytest.mark.parametrize("length", [1001, 2**32, 2**63, 2**64 - 1])
def test_a_claim_beyond_the_cap_is_refused_before_its_payload(ends: Ends, length: int) -> None:
    ends.peer.sendall(frame(payload=b"", length=length))
    with pytest.raises(FrameTooLarge):
        ends.channel.receive(1000, until(soon()))


def test_a_claim_within_the_cap_allocates_only_what_arrives(ends: Ends) -> None:
    ends.peer.sendall(frame(payload=b"only this", length=1 << 30))
    tracemalloc.start()
    try:
        with pytest.raises(Expired):
            ends.channel.receive(1 << 30, until(time.monotonic() + 0.05))
        assert tracemalloc.get_traced_memory()[1] < 1 << 20
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    "data",
    [
        frame(magic=b"GRD2"),
        frame(kind=0),
        frame(kind=11),
        frame(kind=255),
        b"HTTP/1.1 200 OK\r\n\r\n....",
        bytes(21),
        b"\xff" * 64,
    ],
)
def test_garbage_is_no_frame(data: bytes) -> None:
    with pytest.raises(BadFrame):
        received(data)


@pytest.mark.parametrize("cut", [0, 1, 20, 21, 23])
def test_a_peer_that_hangs_up_is_closed_wherever_the_frame_stood(cut: int) -> None:
    with pytest.raises(Closed):
        received(frame()[:cut])


def test_a_peer_that_hung_up_with_unread_bytes_is_closed(ends: Ends) -> None:
    ends.channel.send(Kind.REQUEST, b"never read", until(soon()))
    ends.peer.close()
    with pytest.raises(Closed):
        ends.channel.receive(10, until(soon()))


def test_sending_to_a_peer_that_hung_up_is_closed(ends: Ends) -> None:
    ends.peer.close()
    with pytest.raises(Closed):
        ends.channel.send(Kind.REQUEST, b"x", until(soon()))


@pytest.mark.parametrize("begun", [b"", frame()[:10], frame()[:22]], ids=["silent", "in the header", "in the payload"])
def test_receiving_ends_at_the_deadline(ends: Ends, begun: bytes) -> None:
    ends.peer.sendall(begun)
    started = time.monotonic()
    with pytest.raises(Expired):
        ends.channel.receive(1000, until(started + 0.05))
    assert time.monotonic() - started >= 0.05


def test_sending_ends_at_the_deadline(ends: Ends) -> None:
    with pytest.raises(Expired):
        ends.channel.send(Kind.REQUEST, bytes(8 << 20), until(time.monotonic() + 0.05))


def test_a_peer_that_trickles_does_not_outlast_the_deadline(ends: Ends) -> None:
    """One deadline covers the whole frame: a byte now and then must not renew it."""
    stop = threading.Event()

    def trickle() -> None:
        for byte in frame(payload=bytes(10_000)):
            if stop.wait(0.01):
                return
            ends.peer.sendall(bytes([byte]))

    sender = threading.Thread(target=trickle)
    sender.start()
    with pytest.raises(Expired):
        ends.channel.receive(100_000, until(time.monotonic() + 0.2))
    stop.set()
    sender.join()


def test_a_passed_deadline_waits_for_nothing(ends: Ends) -> None:
    ends.peer.sendall(b"x")
    with pytest.raises(Expired):
        until(time.monotonic() - 1)(ends.channel.fd, select.POLLIN)


def test_closing_twice_is_closing_once(ends: Ends) -> None:
    ends.channel.close()
    ends.channel.close()
    assert ends.channel.fd == -1


@st.composite
def damaged(draw: st.DrawFn) -> bytes:
    data = bytearray(frame(draw(st.sampled_from(list(Kind))), draw(st.binary(max_size=40))))
    for _ in range(draw(st.integers(1, 3))):
        where = draw(st.integers(0, len(data)))
        match draw(st.sampled_from(["flip", "cut", "insert", "length"])):
            case "flip" if where < len(data):
                data[where] ^= 1 << draw(st.integers(0, 7))
            case "cut":
                del data[where:]
            case "insert":
                data[where:where] = draw(st.binary(min_size=1, max_size=5))
            case _:
                data[13:21] = struct.pack("<Q", draw(st.integers(0, 2**64 - 1) | st.integers(0, 2000)))
    return bytes(data)


@given(damaged())
@settings(max_examples=300, deadline=None)
def test_damaged_frames_are_frames_within_the_cap_or_refused(data: bytes) -> None:
    try:
        found = received(data, cap=30)
    except (BadFrame, Closed):
        return
    assert len(found.payload) <= 30
    assert data.startswith(b"GRD1")
    assert found.payload == data[21 : 21 + len(found.payload)]
