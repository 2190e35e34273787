"""What a value is: its kind, its dtype, a name for it that a learner understands, and its plain numbers."""

from __future__ import annotations

import math
from typing import Any, Literal

import numpy as np
import torch

Kind = Literal["nothing", "truth", "number", "text", "array", "tensor", "list", "tuple", "dict", "other"]
Class = Literal["bool", "int", "float", "complex", "other"]
Array = np.ndarray[Any, np.dtype[Any]]

CLASS_NAMES: dict[str, str] = {
    "bool": "booleans",
    "int": "whole numbers",
    "float": "floating-point numbers",
    "complex": "complex numbers",
    "other": "not numbers",
}
_KINDS: dict[type, Kind] = {
    type(None): "nothing",
    bool: "truth",
    int: "number",
    float: "number",
    complex: "number",
    str: "text",
    bytes: "text",
    np.ndarray: "array",
    torch.Tensor: "tensor",
    list: "list",
    tuple: "tuple",
    dict: "dict",
}
_WIDE: dict[str, np.dtype[Any]] = {
    "b": np.dtype(np.bool_),
    "i": np.dtype(np.longdouble),
    "u": np.dtype(np.longdouble),
    "f": np.dtype(np.float64),
    "c": np.dtype(np.complex128),
}
_NUMPY_CLASSES: dict[str, Class] = {"b": "bool", "i": "int", "u": "int", "f": "float", "c": "complex"}


def kind_of(value: object) -> Kind:
    """By exact type: a subclass may lie about everything, so it is "other"."""
    if type(value) is torch.Tensor and not _is_dense(value):
        return "other"
    if isinstance(value, np.generic):
        return {"bool": "truth", "other": "other"}.get(class_of(value), "number")  # type: ignore[return-value]
    return _KINDS.get(type(value), "other")


def _is_dense(value: torch.Tensor) -> bool:
    return (
        value.layout is torch.strided and value.device.type == "cpu" and not value.is_quantized and not value.is_nested
    )


def class_of(value: object) -> Class:
    """The class of a number, an array's or a tensor's dtype."""
    if isinstance(value, torch.Tensor):
        if value.dtype is torch.bool:
            return "bool"
        if value.is_complex():
            return "complex"
        return "float" if value.is_floating_point() else "int"
    if isinstance(value, (np.ndarray, np.generic)):
        return _NUMPY_CLASSES.get(value.dtype.kind, "other")
    named: dict[type, Class] = {bool: "bool", int: "int", float: "float", complex: "complex"}
    return named.get(type(value), "other")


def dtype_name(value: object) -> str:
    """`float32`, `int64`, …; a plain Python number has the dtype that numpy would give it."""
    if isinstance(value, torch.Tensor):
        return str(value.dtype).removeprefix("torch.")
    if isinstance(value, (np.ndarray, np.generic)):
        return value.dtype.name
    return {"bool": "bool", "int": "int64", "float": "float64", "complex": "complex128"}.get(class_of(value), "object")


def shape_of(value: Any) -> tuple[int, ...]:
    """Of an array or tensor; a number has the shape ()."""
    return tuple(value.shape) if isinstance(value, (np.ndarray, torch.Tensor)) else ()


def describe(value: object, depth: int = 0) -> str:
    """A noun for the value: "a numpy array of shape (3, 4)", "a tuple of 2 values (…)"."""
    match kind_of(value):
        case "nothing":
            return "None"
        case "truth":
            return f"the truth value {brief(value)}"
        case "number":
            return f"the single value {brief(value)}"
        case "text":
            return f"the text {brief(value)}" if isinstance(value, str) else "bytes"
        case "array":
            return f"a numpy array of shape {shape_of(value)}"
        case "tensor":
            return f"a torch tensor of shape {shape_of(value)}"
        case "list" | "tuple" as kind:
            return _describe_sequence(kind, value, depth)
        case "dict":
            return "a dictionary"
        case _:
            return _describe_other(value)


def _describe_sequence(kind: str, items: Any, depth: int) -> str:
    noun = f"a {kind} of {len(items)} value{'' if len(items) == 1 else 's'}"
    if kind == "list" or depth or not items:
        return noun
    return f"{noun} ({', '.join(describe(item, depth + 1) for item in items[:3])}{', …' if len(items) > 3 else ''})"


def _describe_other(value: object) -> str:
    if isinstance(value, np.ndarray):
        return f"a numpy array subclass ({type(value).__name__})"
    if isinstance(value, torch.Tensor):
        special = type(value) is torch.Tensor
        return (
            "a tensor that is not an ordinary dense one"
            if special
            else f"a subclass of Tensor ({type(value).__name__})"
        )
    name = getattr(value, "type_name", None)
    return f"an object of class {brief(name if type(name) is str else type(value).__name__)[1:-1]}"


def brief(value: object, limit: int = 60) -> str:
    """The value as Python writes it, cut to `limit` characters; numbers with six digits."""
    if isinstance(value, (bool, np.bool_)):
        return str(bool(value))
    if isinstance(value, (complex, np.complexfloating)):
        return f"{complex(value):.6g}"
    if isinstance(value, (float, np.floating)):
        return f"{float(value):.6g}"
    if isinstance(value, (int, np.integer)):
        number = int(value)
        return str(number) if number.bit_length() < 200 else f"a whole number of {number.bit_length()} bits"
    text = repr(value) if isinstance(value, (str, bytes)) else str(value)
    text = text.encode("utf-8", "replace").decode()
    return text if len(text) <= limit else f"{text[: limit - 1]}…"


def plain_of(value: Any) -> Array:
    """The plain numbers of an array, tensor or number, as narrow as they are where numpy has their dtype."""
    if isinstance(value, torch.Tensor):
        plain = torch.Tensor.detach(value).resolve_conj().resolve_neg()
        if plain.dtype in (torch.bfloat16, torch.float16):
            plain = plain.to(torch.float32)
        return np.asarray(plain.numpy())
    if type(value) is int and value.bit_length() > 63:
        return np.asarray(_as_float(value), dtype=np.longdouble)
    return np.asarray(value)


def widened(numbers: Array) -> Array:
    """The same numbers in the widest dtype of their class, never warning: sixteen times as many bytes at most.

    Whole numbers become longdouble, which holds every 64-bit integer exactly and subtracts without wrapping.
    """
    kind = numbers.dtype.kind
    wide = _WIDE[kind]
    if numbers.dtype == wide or (kind == "f" and numbers.itemsize > wide.itemsize and not numbers.shape):
        return numbers  # as wide as can be, or a whole number beyond 64 bits
    with np.errstate(all="ignore"):
        return numbers.astype(wide)


def numbers_of(value: Any) -> Array:
    """The plain numbers of an array, tensor or number, widened."""
    return widened(plain_of(value))


def rounded(number: float, digits: int) -> float | None:
    """To so many digits; None for NaN and infinity. What rounding would take to infinity stays as it is."""
    if not math.isfinite(number):
        return None
    short = float(f"{number:.{digits}g}")
    return short if math.isfinite(short) else number


def _as_float(value: int) -> float:
    try:
        return float(value)
    except OverflowError:
        return float("inf") if value > 0 else float("-inf")
