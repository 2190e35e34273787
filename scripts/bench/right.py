"""Was a reply right? Told from the bytes on the wire, without the framing and the comparison that are under test."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from exercises.testkit import values
from grader.sandbox.wire import Kind
from scripts.bench.mutations import HEADER, MAGIC
from scripts.bench.small_job import REPLY_MB

REPLY_CAP = int(REPLY_MB * (1 << 20))
FRAME_CAP = REPLY_CAP + 8192
_REFUSING = ("error", "too_large", "unsupported", "not_module", "lazy", "invalid")


@dataclass(frozen=True, slots=True)
class Asked:
    """One request as the peer read it, and what an honest learner answers."""

    stream: bytearray  # all that was written to the checker on this connection, READY included
    number: int  # of the request on this connection
    call: bytes
    request: bytes
    honest: bytes

    def received(self) -> bytes | None:
        """The payload that stands where this request's reply must stand; None unless it is a proper reply to it."""
        position = 0
        for _ in range(self.number + 2):  # READY stands before all replies
            if position + HEADER.size > len(self.stream):
                return None
            magic, kind, call, length = HEADER.unpack_from(self.stream, position)
            position += HEADER.size + length
            if magic != MAGIC or length > FRAME_CAP or position > len(self.stream):
                return None
        return bytes(self.stream[position - length : position]) if (kind, call) == (Kind.REPLY, self.call) else None

    @property
    def right(self) -> bool:
        payload = self.received()
        if payload is None:
            return False
        if payload == self.honest:
            return True
        try:
            reply = values.decode(payload, REPLY_CAP + 4096)
        except values.Malformed:
            return False
        return type(reply) is dict and _right(values.decode(self.request), reply, values.decode(self.honest))


def _right(request: dict[str, Any], reply: dict[str, Any], honest: dict[str, Any]) -> bool:
    if "error" in honest:
        error = reply.get("error")
        return type(error) is dict and error.get("type") == honest["error"]["type"]
    if any(word in reply for word in _REFUSING):
        return request["do"] != "load" and not any(word in reply for word in _REFUSING[:-1])
    if request["do"] in ("load", "begin"):  # they answer nothing that a test compares
        return True
    if request.get("watch"):
        return reply.get("mutated") is False and reply.get("value") is not None
    if request["do"] == "gradients":
        return alike(_looked_at(reply.get("value"), honest["value"]), honest["value"])
    return "value" in reply and (request["do"] == "train" or alike(reply["value"], honest["value"]))


def _looked_at(value: Any, honest: dict[str, Any]) -> Any:
    """Of gradients a test looks at those that it asked for, by place or name; more of them decide nothing."""
    inputs, parameters = (value.get(part) if type(value) is dict else None for part in ("inputs", "parameters"))
    if type(inputs) is not list or type(parameters) is not dict:
        return value
    named = {name: one for name, one in parameters.items() if name in honest["parameters"]}
    return {"output": value.get("output"), "inputs": inputs[: len(honest["inputs"])], "parameters": named}


def alike(value: Any, right: Any) -> bool:
    """Whether a value is the right one up to rounding; written without the comparison of the test kit."""
    if type(right) in (np.ndarray, torch.Tensor):
        if type(value) is not type(right) or tuple(value.shape) != tuple(right.shape):
            return False
        found, wanted = (
            np.asarray(one.to(torch.complex128) if type(one) is torch.Tensor else one) for one in (value, right)
        )
        return _near(found, wanted)
    if isinstance(right, (int, float, complex, np.generic)) and not isinstance(right, bool):
        plain = isinstance(value, (int, float, complex, np.generic)) or getattr(value, "shape", None) == ()
        return plain and _near(np.asarray(value), np.asarray(right))
    if type(value) is not type(right):
        return False
    if isinstance(right, (list, tuple)):
        return len(value) == len(right) and all(map(alike, value, right))
    if isinstance(right, dict):
        return value.keys() == right.keys() and all(alike(value[key], one) for key, one in right.items())
    return isinstance(right, values.Handle) or bool(value == right)


def _near(found: Any, wanted: Any) -> bool:
    with np.errstate(all="ignore"):
        if found.dtype == object or wanted.dtype == object:
            return bool(found == wanted)
        difference = np.abs(found.astype(np.clongdouble) - wanted.astype(np.clongdouble))
        return bool(np.all(difference <= 1e-8 + 1.01e-5 * np.abs(wanted.astype(np.clongdouble))))
