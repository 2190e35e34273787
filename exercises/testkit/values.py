"""The values that cross between a test and a learner's code, as bytes.

One canonical, non-executable encoding: a tag, then plain data. Nothing is pickled, no object is rebuilt by name, and
only exact types are taken, so that a subclass that lies about itself never reaches a comparison. Decoding trusts
nothing: every length is checked against what is left before it is used.
"""

from __future__ import annotations

import math
import struct
from collections import Counter, OrderedDict
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
_ITEM_SIZES = {name: (2 if name == "bfloat16" else _NUMPY[name].itemsize) for name in _DTYPES}


_INT, _FLOAT, _COMPLEX = struct.Struct("<q"), struct.Struct("<d"), struct.Struct("<dd")
_COUNT, _NUMBER = struct.Struct("<I"), struct.Struct("<Q")


class Unsupported(TypeError):
    """This value cannot cross; the message names its kind and says what to return instead."""


class TooLarge(ValueError):
    """The encoded value would exceed the cap."""


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
    value = reader.read(0)
    if reader.position != len(reader.data):
        raise Malformed("bytes follow the value")
    return value


class _Writer:
    def __init__(self, cap: int) -> None:
        self.parts: list[bytes] = []
        self.left = cap
        self.items = 0

    def put(self, data: bytes) -> None:
        self.reserve(len(data))
        self.parts.append(data)

    def reserve(self, size: int) -> None:
        self.left -= size
        if self.left < 0:
            raise TooLarge("the value is larger than the cap")

    def write(self, value: Any, depth: int) -> None:
        self.items += 1
        if depth > MAX_DEPTH:
            raise Unsupported(f"a value nested more than {MAX_DEPTH} deep")
        if self.items > MAX_ITEMS:
            raise TooLarge(f"more than {MAX_ITEMS} values in one reply")
        kind = type(value)
        if value is None:
            self.put(b"N")
        elif kind is bool:
            self.put(b"T" if value else b"F")
        elif kind is int:
            self._write_int(value)
        elif kind is float:
            self.put(b"f" + _FLOAT.pack(value))
        elif kind is complex:
            self.put(b"c" + _COMPLEX.pack(value.real, value.imag))
        elif kind is str:
            self._write_bytes(b"s", value.encode("utf-8", "surrogatepass"))
        elif kind is bytes:
            self._write_bytes(b"b", value)
        elif kind is Handle:
            self.put(b"h" + _NUMBER.pack(value.number))
            self._write_bytes(b"s", value.type_name.encode())
        elif kind is np.ndarray:
            self._write_array(value)
        elif issubclass(kind, np.generic):
            self._write_numpy_scalar(value)
        elif kind is torch.Tensor or kind is torch.nn.Parameter:
            self._write_tensor(value)
        elif kind is list or kind is tuple or kind is torch.Size or _is_named_tuple(kind):
            self._write_sequence(b"l" if kind is list else b"t", value, depth)
        elif kind is dict or kind is OrderedDict:
            self._write_dict(value, depth)
        else:
            raise Unsupported(describe(value))

    def _write_bytes(self, tag: bytes, data: bytes) -> None:
        self.put(tag + _COUNT.pack(len(data)) + data)

    def _write_int(self, value: int) -> None:
        if -(1 << 63) <= value < 1 << 63:
            self.put(b"i" + _INT.pack(value))
            return
        size = value.bit_length() // 8 + 1
        if size > MAX_INT_BYTES:
            raise Unsupported(f"an integer of {value.bit_length()} bits")
        self._write_bytes(b"I", value.to_bytes(size, "little", signed=True))

    def _write_sequence(self, tag: bytes, value: Any, depth: int) -> None:
        self.put(tag + _COUNT.pack(len(value)))
        for item in value:
            self.write(item, depth + 1)

    def _write_dict(self, value: dict[Any, Any], depth: int) -> None:
        self.put(b"d" + _COUNT.pack(len(value)))
        for key, item in value.items():
            if type(key) not in _KEY_TYPES:
                raise Unsupported(f"a dictionary whose keys are {describe(key)}")
            self.write(key, depth + 1)
            self.write(item, depth + 1)

    def _write_block(self, tag: bytes, name: str, shape: tuple[int, ...], size: int) -> None:
        if len(shape) > MAX_NDIM:
            raise Unsupported(f"an array of {len(shape)} dimensions")
        if not _is_sane(shape):
            raise Unsupported(f"an empty array of shape {shape}")
        self.items += ARRAY_ITEMS
        self.put(tag + struct.pack(f"<BB{len(shape)}Q", _CODES[name], len(shape), *shape))
        self.reserve(size)

    def _write_array(self, value: np.ndarray[Any, Any]) -> None:
        name = value.dtype.name
        if name not in _NUMPY or not value.dtype.isnative or value.dtype.fields is not None:
            raise Unsupported(f"a numpy array of dtype {value.dtype.str if name in _NUMPY else value.dtype}")
        self._write_block(b"a", name, value.shape, value.size * value.itemsize)
        self.parts.append(np.ndarray.tobytes(value))

    def _write_numpy_scalar(self, value: np.generic) -> None:
        name = value.dtype.name
        if name not in _NUMPY or type(value) is not _NUMPY[name].type:
            raise Unsupported(describe(value))
        self._write_block(b"g", name, (), value.itemsize)
        self.parts.append(value.tobytes())

    def _write_tensor(self, value: torch.Tensor) -> None:
        name = _TORCH_NAMES.get(value.dtype)
        if name is None or value.layout is not torch.strided or value.device.type != "cpu" or value.is_quantized:
            raise Unsupported(
                f"a tensor of dtype {value.dtype}, layout {value.layout}, on device {value.device}".replace(
                    "torch.", ""
                )
            )
        if value.is_nested:
            raise Unsupported("a nested tensor")
        self._write_block(b"x", name, tuple(value.shape), value.numel() * value.element_size())
        plain = torch.Tensor.detach(value).resolve_conj().resolve_neg().contiguous()
        if name == "bfloat16":
            plain = plain.view(torch.int16)
        self.parts.append(np.ndarray.tobytes(plain.numpy()))


class _Reader:
    def __init__(self, data: bytes) -> None:
        self.data = data
        self.position = 0
        self.items = 0

    def advance(self, size: int) -> int:
        """Step over `size` bytes that must be there; return where they begin."""
        start = self.position
        if size > len(self.data) - start:
            raise Malformed("the value ends too early")
        self.position = start + size
        return start

    def take(self, size: int) -> bytes:
        start = self.advance(size)
        return self.data[start : start + size]

    def unpack(self, layout: struct.Struct) -> Any:
        return layout.unpack_from(self.data, self.advance(layout.size))

    def read(self, depth: int) -> Any:
        self.items += 1
        if depth > MAX_DEPTH or self.items > MAX_ITEMS:
            raise Malformed("too deep, or too many values")
        method = self._METHODS.get(self.data[self.advance(1)])
        if method is None:
            raise Malformed("an unknown tag")
        return method(self, depth)

    def _count(self) -> int:
        (count,) = _COUNT.unpack_from(self.data, self.advance(_COUNT.size))
        if count > len(self.data) - self.position:
            raise Malformed("more items than bytes")
        return int(count)

    def _read_none(self, depth: int) -> None:
        return None

    def _read_true(self, depth: int) -> bool:
        return True

    def _read_false(self, depth: int) -> bool:
        return False

    def _read_int(self, depth: int) -> Any:
        return self.unpack(_INT)[0]

    def _read_big_int(self, depth: int) -> int:
        data = self._read_bytes(depth)
        if len(data) > MAX_INT_BYTES:
            raise Malformed("an integer too long")
        return int.from_bytes(data, "little", signed=True)

    def _read_float(self, depth: int) -> Any:
        return self.unpack(_FLOAT)[0]

    def _read_complex(self, depth: int) -> complex:
        return complex(*self.unpack(_COMPLEX))

    def _read_bytes(self, depth: int) -> bytes:
        return self.take(self._count())

    def _read_str(self, depth: int) -> str:
        try:
            return self._read_bytes(depth).decode("utf-8", "surrogatepass")
        except UnicodeDecodeError:
            raise Malformed("text that is not UTF-8") from None

    def _read_handle(self, depth: int) -> Handle:
        (number,) = self.unpack(_NUMBER)
        if self.take(1) != b"s":
            raise Malformed("a handle without a type name")
        return Handle(number, self._read_str(depth))

    def _read_list(self, depth: int) -> list[Any]:
        return [self.read(depth + 1) for _ in range(self._count())]

    def _read_tuple(self, depth: int) -> tuple[Any, ...]:
        return tuple(self._read_list(depth))

    def _read_dict(self, depth: int) -> dict[Any, Any]:
        result: dict[Any, Any] = {}
        hashes: Counter[int] = Counter()
        for _ in range(self._count()):
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
        code, ndim = self.take(2)
        if code >= len(_DTYPES) or ndim > MAX_NDIM:
            raise Malformed("an unknown dtype, or too many dimensions")
        shape = struct.unpack(f"<{ndim}Q", self.take(8 * ndim))
        if not _is_sane(shape):
            raise Malformed("an empty array with impossible dimensions")
        count = math.prod(shape)
        name = _DTYPES[code]
        return name, shape, _checked(name, bytearray(self.take(count * _ITEM_SIZES[name])))

    def _read_array(self, depth: int) -> np.ndarray[Any, Any]:
        name, shape, data = self._block()
        if name not in _NUMPY:
            raise Malformed(f"numpy has no {name}")
        return np.frombuffer(data, dtype=_NUMPY[name]).reshape(shape)

    def _read_numpy_scalar(self, depth: int) -> Any:
        value = self._read_array(depth)
        if value.shape:
            raise Malformed("a scalar with a shape")
        return value[()]

    def _read_tensor(self, depth: int) -> torch.Tensor:
        name, shape, data = self._block()
        if not data:  # torch refuses an empty buffer
            return torch.empty(shape, dtype=_TORCH[name])
        return torch.frombuffer(data, dtype=_TORCH[name]).reshape(shape)

    _METHODS = {
        ord("N"): _read_none,
        ord("T"): _read_true,
        ord("F"): _read_false,
        ord("i"): _read_int,
        ord("I"): _read_big_int,
        ord("f"): _read_float,
        ord("c"): _read_complex,
        ord("s"): _read_str,
        ord("b"): _read_bytes,
        ord("h"): _read_handle,
        ord("l"): _read_list,
        ord("t"): _read_tuple,
        ord("d"): _read_dict,
        ord("a"): _read_array,
        ord("g"): _read_numpy_scalar,
        ord("x"): _read_tensor,
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


def _is_named_tuple(kind: type) -> bool:
    """Of `collections`, or one that torch returns (`torch.return_types.max`)."""
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
