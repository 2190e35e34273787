"""Damage done to valid frames and valid encoded values: most of it deep inside, where a parser can still go wrong.

An encoded value is taken apart into tokens by a scanner of our own, one token is edited, and all are joined again; so a
mutant is wrong in one place and right everywhere else. Everything is drawn from the `Random` that is given.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random

from grader.sandbox.wire import Kind

HEADER = struct.Struct("<4sB8sQ")
MAGIC = b"GRD1"
_TAGS = b"NTFiIfcsbhltdagx"
_FIXED = {b"N": 0, b"T": 0, b"F": 0, b"i": 8, b"f": 8, b"c": 16}
_SIZES = (1, 1, 2, 4, 8, 1, 2, 4, 8, 2, 4, 8, 8, 16, 2)  # bytes of one item, by dtype code
_COUNTS = (0, 1, 2, 513, 600, 100_001, 1 << 31, (1 << 32) - 1)
_EXTENTS = (0, 0, 1, 2, 7, 1 << 20, 1 << 41, 1 << 63, (1 << 64) - 1)
_TEXTS = (b"\xff\xfe", b"\xed\xa0\x80", b"\xc0\x80", b"\x00", "ß𝄞".encode(), b"error", b"value")


@dataclass(slots=True)
class Encoded:
    """A valid encoding as tokens: (role, bytes). `spans` are the values in it, each as a range of tokens."""

    tokens: list[tuple[str, bytes]] = field(default_factory=list)
    spans: list[tuple[int, int]] = field(default_factory=list)
    """In the order in which the values end: the whole one is the last."""

    def joined(self) -> bytes:
        return b"".join(data for _, data in self.tokens)

    def of(self, role: str) -> list[int]:
        return [index for index, (found, _) in enumerate(self.tokens) if found == role]


def scan(data: bytes) -> Encoded:
    """Take a valid encoding apart; raise IndexError, KeyError or ValueError for most others."""
    scanner = _Scanner(data)
    scanner.value()
    if scanner.position != len(data):
        raise ValueError("bytes follow")
    return scanner.found


class _Scanner:
    def __init__(self, data: bytes) -> None:
        self.data, self.position, self.found = data, 0, Encoded()

    def put(self, role: str, size: int) -> bytes:
        part = self.data[self.position : self.position + size]
        if len(part) != size:
            raise IndexError("too short")
        self.position += size
        self.found.tokens.append((role, part))
        return part

    def value(self) -> None:
        start = len(self.found.tokens)
        tag = self.put("tag", 1)
        if tag in b"ltd":
            for _ in range(int.from_bytes(self.put("count", 4), "little") * (2 if tag == b"d" else 1)):
                self.value()
        elif tag in b"agx":
            self._block()
        elif tag in b"sbI":
            self.put("text", int.from_bytes(self.put("count", 4), "little"))
        elif tag == b"h":
            self.put("number", 8)
            self.value()
        else:
            self.put("number", _FIXED[tag])
        self.found.spans.append((start, len(self.found.tokens)))

    def _block(self) -> None:
        size = _SIZES[self.put("dtype", 1)[0]]
        for _ in range(self.put("ndim", 1)[0]):
            size *= int.from_bytes(self.put("extent", 8), "little")
        self.put("raw", size)


def mutate_value(data: bytes, random: Random, others: Sequence[bytes], room: int) -> bytes:
    """One to three edits of a valid encoding; `others` lend parts, and what grows does so to about `room` bytes."""
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        try:
            encoded = scan(data)
        except (IndexError, KeyError, ValueError, RecursionError):
            data = _bytes(data, random)  # an earlier edit has made it invalid
            continue
        edit = random.choice(_COMMON) if random.random() < 0.985 else random.choice(_RARE)
        data = edit(encoded, random, random.choice(others), room)
    return data


_Edit = Callable[[Encoded, Random, bytes, int], bytes]


def _replaced(role: str, choose: Callable[[bytes, Random], bytes]) -> _Edit:
    """Give one token of this role another content."""

    def edit(encoded: Encoded, random: Random, other: bytes, room: int) -> bytes:
        places = encoded.of(role)
        if not places:
            return _bytes(encoded.joined(), random)
        at = random.choice(places)
        encoded.tokens[at] = (role, choose(encoded.tokens[at][1], random))
        return encoded.joined()

    return edit


def _tag(old: bytes, random: Random) -> bytes:
    return bytes([random.choice(_TAGS) if random.random() < 0.9 else random.randrange(256)])


def _count(old: bytes, random: Random) -> bytes:
    number = int.from_bytes(old, "little")
    return random.choice((*_COUNTS, max(0, number - 1), number + 1, 2 * number)).to_bytes(4, "little")


def _extent(old: bytes, random: Random) -> bytes:
    number = int.from_bytes(old, "little")
    return random.choice((*_EXTENTS, max(0, number - 1), number + 1)).to_bytes(8, "little")


def _raw(old: bytes, random: Random) -> bytes:
    half = len(old) // 2
    return random.choice((old[:half], old + old, old[half:] + old[:half], b"\xff" * len(old), _flipped(old, random)))


def _impossible(encoded: Encoded, random: Random, other: bytes, room: int) -> bytes:
    """An empty array so large that nobody could hold its strides."""
    for at in encoded.of("extent"):
        encoded.tokens[at] = ("extent", random.choice((0, 1 << 60)).to_bytes(8, "little"))
    return encoded.joined()


def _spliced(encoded: Encoded, random: Random, other: bytes, room: int) -> bytes:
    """A value of this one replaced by a value of the other."""
    lender = scan(other)
    start, end = random.choice(encoded.spans)
    begin, stop = random.choice(lender.spans)
    encoded.tokens[start:end] = lender.tokens[begin:stop]
    return encoded.joined()


def _duplicated(encoded: Encoded, random: Random, other: bytes, room: int) -> bytes:
    """The first item of a list, or the first pair of a dictionary, twice, and counted twice."""
    containers = [
        at for at in encoded.of("count") if encoded.tokens[at - 1][1] in b"ltd" and any(encoded.tokens[at][1])
    ]
    if not containers:
        return _bytes(encoded.joined(), random)
    at = random.choice(containers)
    first = next(end for start, end in encoded.spans if start == at + 1)
    if encoded.tokens[at - 1][1] == b"d":
        first = next(end for start, end in encoded.spans if start == first)
    number = int.from_bytes(encoded.tokens[at][1], "little") + 1
    encoded.tokens[at : at + 1] = [("count", number.to_bytes(4, "little")), *encoded.tokens[at + 1 : first]]
    return encoded.joined()


def _swapped(encoded: Encoded, random: Random, other: bytes, room: int) -> bytes:
    first, second = sorted(random.choices(range(len(encoded.tokens)), k=2))
    encoded.tokens[first], encoded.tokens[second] = encoded.tokens[second], encoded.tokens[first]
    return encoded.joined()


def _wrapped(encoded: Encoded, random: Random, other: bytes, room: int) -> bytes:
    start, _ = random.choice(encoded.spans)
    encoded.tokens[start:start] = [("tag", random.choice((b"l", b"t")) + b"\1\0\0\0")] * random.randint(1, 20)
    return encoded.joined()


def _crowded(encoded: Encoded, random: Random, other: bytes, room: int) -> bytes:
    """More arrays in one list than a reply may hold."""
    return _in_place_of_one(encoded, random, b"l" + (5_001).to_bytes(4, "little") + b"a\0\0\1" * 5_001)


def _grown(encoded: Encoded, random: Random, other: bytes, room: int) -> bytes:
    size = room + random.randint(-64, 9_000)
    return _in_place_of_one(encoded, random, b"b" + size.to_bytes(4, "little") + bytes(size))


def _colliding(encoded: Encoded, random: Random, other: bytes, room: int) -> bytes:
    """A dictionary of whole numbers that Python hashes alike."""
    pairs = b"".join(
        b"I" + (16).to_bytes(4, "little") + (3 + n * ((1 << 61) - 1)).to_bytes(16, "little") + b"N"
        for n in range(1, 80)
    )
    return _in_place_of_one(encoded, random, b"d" + (79).to_bytes(4, "little") + pairs)


def _long(encoded: Encoded, random: Random, other: bytes, room: int) -> bytes:
    size = random.choice((511, 512, 513, 4_000))
    return _in_place_of_one(encoded, random, b"I" + size.to_bytes(4, "little") + random.randbytes(size))


def _in_place_of_one(encoded: Encoded, random: Random, data: bytes) -> bytes:
    start, end = random.choice(encoded.spans)
    encoded.tokens[start:end] = [("value", data)]
    return encoded.joined()


def _bytes(data: bytes, random: Random) -> bytes:
    """An edit that knows nothing of what the bytes mean."""
    at = random.randint(0, len(data))
    return random.choice(
        (_flipped(data, random), data[:at], data[:at] + random.randbytes(random.randint(1, 9)) + data[at:], data + data)
    )


def _flipped(data: bytes, random: Random) -> bytes:
    if not data:
        return b"\1"
    changed = bytearray(data)
    changed[random.randrange(len(data))] ^= 1 << random.randrange(8)
    return bytes(changed)


_COMMON: tuple[_Edit, ...] = (
    _replaced("tag", _tag),
    _replaced("tag", _tag),
    _replaced("count", _count),
    _replaced("dtype", lambda old, random: bytes([random.choice((*range(16), 255))])),
    _replaced("ndim", lambda old, random: bytes([random.choice((*range(10), 255))])),
    _replaced("extent", _extent),
    _replaced("raw", _raw),
    _replaced("number", _raw),
    _replaced("text", lambda old, random: random.choice((*_TEXTS, old + old, old[:-1], _flipped(old, random)))),
    _impossible,
    _spliced,
    _spliced,
    _duplicated,
    _swapped,
    _wrapped,
    lambda encoded, random, other, room: _bytes(encoded.joined(), random),
)
_RARE: tuple[_Edit, ...] = (_crowded, _grown, _grown, _grown, _colliding, _long, _long)


def frame(
    payload: bytes, call: bytes, kind: int = Kind.REPLY, *, magic: bytes = MAGIC, length: int | None = None
) -> bytes:
    return HEADER.pack(magic, kind, call, len(payload) if length is None else length) + payload


def mutate_frame(data: bytes, random: Random, other: bytes) -> bytes:
    """One edit of a valid frame, mostly of its header; `other` is another valid frame."""
    magic, kind, call, length = HEADER.unpack_from(data)
    payload = data[HEADER.size :]
    at = random.randint(0, len(data))
    lengths = (0, max(0, length - 1), length + 1, 2 * length + 1, random.randrange(1 << 16), 1 << 31, (1 << 64) - 1)
    return random.choice(
        (
            frame(payload, call, kind, magic=_flipped(magic, random)),
            frame(payload, call, random.choice((*range(12), 255))),
            frame(payload, random.choice((bytes(8), random.randbytes(8), _flipped(call, random))), kind),
            frame(payload, call, kind, length=random.choice(lengths)),
            _flipped(data[: HEADER.size], random) + payload,
            data[:at],
            data[:at] + random.randbytes(random.randint(1, 30)) + data[at:],
            data[:at] + other[at:],
            data + data[:at],
            data + other,
        )
    )
