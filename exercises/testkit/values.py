"""The values that cross between a test and a learner's code, as bytes.

One canonical, non-executable encoding: a tag, then plain data. Nothing is pickled, no object is rebuilt by name, and
only exact types are taken, so that a subclass that lies about itself never reaches a comparison. Decoding trusts
nothing: every length is checked against what is left before it is used.
"""

from __future__ import annotations

import math
import struct
from collections import Counter, OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

MAX_DEPTH = 16
MAX_NDIM = 8
MAX_ITEMS = 100_000
ARRAY_ITEMS = 20  # what an array counts for among these: comparing one costs as much as many plain values
MAX_INT_BYTES = 512
MAX_EMPTY_EXTENT = 1 << 40
MAX_EQUAL_HASHES = 64
DEFAULT_CAP = 16 << 20

_DTYPES: tuple[str, ...] = (
    "bool",
    "int8",
    "int16",
    "int32",
    "int64",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "float16",
    "float32",
    "float64",
    "complex64",
    "complex128",
    "bfloat16",
)
_CODES = {name: code for code, name in enumerate(_DTYPES)}
_NUMPY = {name: np.dtype(name) for name in _DTYPES if name != "bfloat16"}
_TORCH: dict[str, torch.dtype] = {name: getattr(torch, name) for name in _DTYPES}
_TORCH_NAMES = {dtype: name for name, dtype in _TORCH.items()}
_KEY_TYPES = (str, int, bool, float, tuple, type(None))
_SCALARS = frozenset(np.dtype(code).type for code in "?" + np.typecodes["AllInteger"] + "efdFD")
_ITEM_SIZES = {name: (2 if name == "bfloat16" else _NUMPY[name].itemsize) for name in _DTYPES}


# Each begins with the tag.
_INT, _FLOAT, _COMPLEX = struct.Struct("<cq"), struct.Struct("<cd"), struct.Struct("<cdd")
_COUNT, _NUMBER = struct.Struct("<cI"), struct.Struct("<cQ")
_SHAPES = [struct.Struct(f"<cBB{ndim}Q") for ndim in range(MAX_NDIM + 1)]


class Unsupported(TypeError):
    """This value cannot cross; the message names its kind and says what to return instead."""


class TooLarge(ValueError):
    """The encoded value would exceed the cap."""


class TooMany(TooLarge):
    """The value holds more than `MAX_ITEMS` others, whatever their size."""


class Malformed(ValueError):
    """These bytes are not the encoding of a value."""


@dataclass(frozen=True, slots=True)
class Handle:
    """Stands for an object that stays in the learner's process, until the test ends."""

    number: int
    type_name: str


def encode(value: Any, cap: int = DEFAULT_CAP) -> bytes:
    """Encode `value`; raise `Unsupported` for a kind that cannot cross and `TooLarge` beyond `cap` bytes."""
    writer = _Writer(cap)
    writer.write(value, 0)
    return b"".join(writer.parts)


def decode(data: bytes | bytearray | memoryview, cap: int = DEFAULT_CAP) -> Any:
    """Decode what `encode` made; raise `Malformed` for anything else."""
    if len(data) > cap:
        raise Malformed(f"{len(data)} bytes where at most {cap} are allowed")
    reader = _Reader(bytes(data))
    try:
        value = reader.read(0)
    except (struct.error, IndexError):
        raise Malformed("the value ends too early") from None
    if reader.position != len(reader.data):
        raise Malformed("bytes follow the value")
    return value


class _Writer:
    """Collects parts of at most `left` bytes. Most values are names and small numbers: each takes one table lookup."""

    def __init__(self, cap: int) -> None:
        self.parts: list[bytes] = []
        self.left = cap
        self.items = 1

    def put(self, data: bytes) -> None:
        self.left -= len(data)
        if self.left < 0:
            raise TooLarge("the value is larger than the cap")
        self.parts.append(data)

    def write(self, value: Any, depth: int) -> None:
        writer = _WRITERS.get(type(value))
        if writer is None:
            writer = _writer_of_kind(type(value))
            if writer is None:
                raise Unsupported(describe(value))
        writer(self, value, depth)

    def count(self, items: int, depth: int) -> None:
        """Take note of this many values within another one at `depth`."""
        self.items += items
        if items and depth >= MAX_DEPTH:
            raise Unsupported(f"a value nested more than {MAX_DEPTH} deep")
        if self.items > MAX_ITEMS:
            raise TooMany(f"more than {MAX_ITEMS} values in one reply")

    def write_none(self, value: None, depth: int) -> None:
        self.put(b"N")

    def write_bool(self, value: bool, depth: int) -> None:
        self.put(b"T" if value else b"F")

    def write_int(self, value: int, depth: int) -> None:
        if -(1 << 63) <= value < 1 << 63:
            self.put(_INT.pack(b"i", value))
            return
        size = value.bit_length() // 8 + 1
        if size > MAX_INT_BYTES:
            raise Unsupported(f"an integer of {value.bit_length()} bits")
        self.put(_COUNT.pack(b"I", size) + value.to_bytes(size, "little", signed=True))

    def write_float(self, value: float, depth: int) -> None:
        self.put(_FLOAT.pack(b"f", value))

    def write_complex(self, value: complex, depth: int) -> None:
        self.put(_COMPLEX.pack(b"c", value.real, value.imag))

    def write_str(self, value: str, depth: int) -> None:
        data = value.encode("utf-8", "surrogatepass")
        self.put(_COUNT.pack(b"s", len(data)) + data)

    def write_bytes(self, value: bytes, depth: int) -> None:
        self.put(_COUNT.pack(b"b", len(value)) + value)

    def write_handle(self, value: Handle, depth: int) -> None:
        self.put(_NUMBER.pack(b"h", value.number))
        self.write_str(value.type_name, depth)

    def write_list(self, value: list[Any], depth: int) -> None:
        self._sequence(b"l", value, depth)

    def write_tuple(self, value: tuple[Any, ...], depth: int) -> None:
        self._sequence(b"t", value, depth)

    def _sequence(self, tag: bytes, value: Any, depth: int) -> None:
        self.count(len(value), depth)
        self.put(_COUNT.pack(tag, len(value)))
        for item in value:
            self.write(item, depth + 1)

    def write_dict(self, value: dict[Any, Any], depth: int) -> None:
        self.count(2 * len(value), depth)
        self.put(_COUNT.pack(b"d", len(value)))
        for key, item in value.items():
            if type(key) not in _KEY_TYPES:
                raise Unsupported(f"a dictionary whose keys are {describe(key)}")
            self.write(key, depth + 1)
            self.write(item, depth + 1)

    def _block(self, tag: bytes, name: str, shape: tuple[int, ...], size: int) -> None:
        if len(shape) > MAX_NDIM:
            raise Unsupported(f"an array of {len(shape)} dimensions")
        if not _is_sane(shape):
            raise Unsupported(f"an empty array of shape {shape}")
        self.items += ARRAY_ITEMS
        if self.items > MAX_ITEMS:
            raise TooMany(f"more than {MAX_ITEMS // ARRAY_ITEMS} arrays in one reply")
        if self.left < size:
            raise TooLarge("the value is larger than the cap")
        self.put(_SHAPES[len(shape)].pack(tag, _CODES[name], len(shape), *shape))

    def write_array(self, value: np.ndarray[Any, Any], depth: int) -> None:
        name = value.dtype.name
        if name not in _NUMPY or not value.dtype.isnative or value.dtype.fields is not None:
            raise Unsupported(f"a numpy array of dtype {value.dtype.str if name in _NUMPY else value.dtype}")
        self._block(b"a", name, value.shape, value.size * value.itemsize)
        self.put(np.ndarray.tobytes(value))

    def write_numpy_scalar(self, value: np.generic, depth: int) -> None:
        name = value.dtype.name
        if name not in _NUMPY or type(value) not in _SCALARS:
            raise Unsupported(describe(value))
        self._block(b"g", name, (), value.itemsize)
        self.put(value.tobytes())

    def write_tensor(self, value: torch.Tensor, depth: int) -> None:
        name = _TORCH_NAMES.get(value.dtype)
        if name is None or value.layout is not torch.strided or value.device.type != "cpu" or value.is_quantized:
            raise Unsupported(
                f"a tensor of dtype {value.dtype}, layout {value.layout}, on device {value.device}".replace(
                    "torch.", ""
                )
            )
        if value.is_nested:
            raise Unsupported("a nested tensor")
        self._block(b"x", name, tuple(value.shape), value.numel() * value.element_size())
        plain = torch.Tensor.detach(value).resolve_conj().resolve_neg().contiguous()
        if name == "bfloat16":
            plain = plain.view(torch.int16)
        self.put(np.ndarray.tobytes(plain.numpy()))


_Writes = Callable[[_Writer, Any, int], None]
_WRITERS: dict[type, _Writes] = {
    type(None): _Writer.write_none,
    bool: _Writer.write_bool,
    int: _Writer.write_int,
    float: _Writer.write_float,
    complex: _Writer.write_complex,
    str: _Writer.write_str,
    bytes: _Writer.write_bytes,
    Handle: _Writer.write_handle,
    list: _Writer.write_list,
    tuple: _Writer.write_tuple,
    torch.Size: _Writer.write_tuple,
    dict: _Writer.write_dict,
    OrderedDict: _Writer.write_dict,
    np.ndarray: _Writer.write_array,
    torch.Tensor: _Writer.write_tensor,
    torch.nn.Parameter: _Writer.write_tensor,
}


def _writer_of_kind(kind: type) -> _Writes | None:
    """Of the kinds that are too many to list."""
    if issubclass(kind, np.generic):
        return _Writer.write_numpy_scalar
    return _Writer.write_tuple if is_named_tuple(kind) else None


class _Reader:
    """Reads from `data` on; what it runs past the end of, `decode` turns into `Malformed`."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.position = 0
        self.items = 1

    def read(self, depth: int) -> Any:
        reader = _READERS.get(self.data[self.position])
        if reader is None:
            raise Malformed("an unknown tag")
        return reader(self, depth)

    def unpack(self, layout: struct.Struct) -> tuple[Any, ...]:
        """The fields of `layout` after its tag."""
        fields = layout.unpack_from(self.data, self.position)
        self.position += layout.size
        return fields[1:]

    def count(self, each: int, depth: int) -> int:
        """How many values follow, `each` for every one that is announced; none may be announced that cannot follow."""
        (found,) = self.unpack(_COUNT)
        if found > len(self.data) - self.position:
            raise Malformed("more items than bytes")
        self.items += each * found
        if (found and depth >= MAX_DEPTH) or self.items > MAX_ITEMS:
            raise Malformed("too deep, or too many values")
        return int(found)

    def take(self, size: int) -> bytes:
        start, self.position = self.position, self.position + size
        if self.position > len(self.data):
            raise Malformed("the value ends too early")
        return self.data[start : self.position]

    def read_none(self, depth: int) -> None:
        self.position += 1

    def read_true(self, depth: int) -> bool:
        self.position += 1
        return True

    def read_false(self, depth: int) -> bool:
        self.position += 1
        return False

    def read_int(self, depth: int) -> Any:
        return self.unpack(_INT)[0]

    def read_big_int(self, depth: int) -> int:
        data = self.read_bytes(depth)
        if len(data) > MAX_INT_BYTES:
            raise Malformed("an integer too long")
        return int.from_bytes(data, "little", signed=True)

    def read_float(self, depth: int) -> Any:
        return self.unpack(_FLOAT)[0]

    def read_complex(self, depth: int) -> complex:
        return complex(*self.unpack(_COMPLEX))

    def read_bytes(self, depth: int) -> bytes:
        return self.take(self.unpack(_COUNT)[0])

    def read_str(self, depth: int) -> str:
        try:
            return self.read_bytes(depth).decode("utf-8", "surrogatepass")
        except UnicodeDecodeError:
            raise Malformed("text that is not UTF-8") from None

    def read_handle(self, depth: int) -> Handle:
        (number,) = self.unpack(_NUMBER)
        if self.data[self.position] != ord("s"):
            raise Malformed("a handle without a type name")
        return Handle(number, self.read_str(depth))

    def read_list(self, depth: int) -> list[Any]:
        return [self.read(depth + 1) for _ in range(self.count(1, depth))]

    def read_tuple(self, depth: int) -> tuple[Any, ...]:
        return tuple(self.read_list(depth))

    def read_dict(self, depth: int) -> dict[Any, Any]:
        result: dict[Any, Any] = {}
        hashes: Counter[int] = Counter()
        for _ in range(self.count(2, depth)):
            key = self.read(depth + 1)
            number = _hash_of_key(key)
            hashes[number] += 1
            # Keys chosen to collide would make each insertion walk over all the earlier ones.
            if key in result or hashes[number] > MAX_EQUAL_HASHES:
                raise Malformed("dictionary keys that are equal, or made to collide")
            result[key] = self.read(depth + 1)
        return result

    def _block(self) -> tuple[str, tuple[int, ...], bytearray]:
        """(dtype, shape, the raw values as a buffer of their own)."""
        self.items += ARRAY_ITEMS
        if self.items > MAX_ITEMS:
            raise Malformed("too many arrays")
        code, ndim = self.data[self.position + 1], self.data[self.position + 2]
        if code >= len(_DTYPES) or ndim > MAX_NDIM:
            raise Malformed("an unknown dtype, or too many dimensions")
        shape = self.unpack(_SHAPES[ndim])[2:]
        if not _is_sane(shape):
            raise Malformed("an empty array with impossible dimensions")
        name = _DTYPES[code]
        return name, shape, _checked(name, bytearray(self.take(math.prod(shape) * _ITEM_SIZES[name])))

    def read_array(self, depth: int) -> np.ndarray[Any, Any]:
        name, shape, data = self._block()
        if name not in _NUMPY:
            raise Malformed(f"numpy has no {name}")
        return np.ndarray(shape, _NUMPY[name], data)

    def read_numpy_scalar(self, depth: int) -> Any:
        value = self.read_array(depth)
        if value.shape:
            raise Malformed("a scalar with a shape")
        return value[()]

    def read_tensor(self, depth: int) -> torch.Tensor:
        name, shape, data = self._block()
        if name == "bfloat16":  # numpy has none
            return torch.from_numpy(np.ndarray(shape, np.int16, data)).view(torch.bfloat16)
        return torch.from_numpy(np.ndarray(shape, _NUMPY[name], data))


_READERS: dict[int, Callable[[_Reader, int], Any]] = {
    ord("N"): _Reader.read_none,
    ord("T"): _Reader.read_true,
    ord("F"): _Reader.read_false,
    ord("i"): _Reader.read_int,
    ord("I"): _Reader.read_big_int,
    ord("f"): _Reader.read_float,
    ord("c"): _Reader.read_complex,
    ord("s"): _Reader.read_str,
    ord("b"): _Reader.read_bytes,
    ord("h"): _Reader.read_handle,
    ord("l"): _Reader.read_list,
    ord("t"): _Reader.read_tuple,
    ord("d"): _Reader.read_dict,
    ord("a"): _Reader.read_array,
    ord("g"): _Reader.read_numpy_scalar,
    ord("x"): _Reader.read_tensor,
}


def _checked(name: str, data: bytearray) -> bytearray:
    """Refuse a boolean byte that is neither 0 nor 1: comparing such a value is undefined behaviour."""
    if name == "bool" and data.translate(None, b"\x00\x01"):
        raise Malformed("a boolean that is neither true nor false")
    return data


def _is_sane(shape: tuple[int, ...]) -> bool:
    """Nobody could hold the strides of an empty array of shape (2**60, 2**60, 0); others are bounded by their data."""
    return 0 not in shape or math.prod(extent for extent in shape if extent) <= MAX_EMPTY_EXTENT


def _hash_of_key(key: Any) -> int:
    if type(key) not in _KEY_TYPES:
        raise Malformed("a dictionary key of a kind that is none")
    try:
        return hash(key)
    except TypeError:
        raise Malformed("a dictionary key that cannot be one") from None


def is_named_tuple(kind: type) -> bool:
    """Whether it crosses as a tuple: one of `collections`, or one that torch returns (`torch.return_types.max`)."""
    return kind.__bases__ == (tuple,) and (hasattr(kind, "_fields") or hasattr(kind, "n_fields"))


def describe(value: object) -> str:
    """Name the kind of a value for a learner: "a set", "a numpy array of dtype object", "a tensor subclass (Mine)"."""
    kind = type(value)
    name = kind.__name__
    if isinstance(value, np.ndarray):
        return f"a numpy array of dtype {value.dtype}" if kind is np.ndarray else f"a numpy array subclass ({name})"
    if issubclass(kind, torch.Tensor):
        return "a tensor" if kind is torch.Tensor else f"a tensor subclass ({name})"
    article = "an" if name[:1].lower() in "aeiou" else "a"
    return f"{article} {name}"
