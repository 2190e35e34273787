"""What a test author holds: the learner's module as a remote object.

    solution.positional_encoding(50, 512)                  a function
    layer = solution.MultiHeadAttention(8, 2)              a class; the instance stays in the learner's process
    layer.load({...}); layer(q, k, v); layer.names()       its parameters, a call, names and shapes
    layer.gradients(q, k, v, cotangent=c)                  gradients of sum(output * c), in one request
    support.probe(layer, q)                                a function of support.py, beside the learner's code

Every value crosses encoded, in grading and in a local pytest run alike. There are no callbacks and remote tensors carry
no autograd history.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import torch

from exercises.testkit import values
from exercises.testkit.compare import check_kind
from exercises.testkit.failures import Failure
from exercises.testkit.values import Handle
from exercises.testkit.workbench import SUPPORT, Workbench
from exercises.visible import clean

MAX_LINE = 1_000_000
MAX_NAMES = 20
_CONVERT = "An array can be converted with `.astype(np.float64)`."


class LearnerError(Exception):
    """The learner's code raised: type name, message, the learner's own frames, and the line in their file (or 0).

    `reached`: "network" or "processes" if it came from trying to reach these.
    """

    def __init__(self, type_name: str, message: str, traceback_text: str, line: int = 0, reached: str = "") -> None:
        super().__init__(f"{type_name}: {message}" if message else type_name)
        self.type_name, self.message, self.traceback_text, self.line = type_name, message, traceback_text, line
        self.reached = reached


class InvalidSource(Exception):
    """The source could not be used at all: `why` is syntax, depth, forbidden or missing; `facts` say where."""

    def __init__(self, facts: Mapping[str, Any]) -> None:
        self.why = facts.get("why", "")
        self.facts = dict(facts)
        super().__init__(f"{self.why}: {self.facts}")


class ReplyTooLarge(BaseException):
    """The reply would exceed the exercise's cap, or (`too_many`) hold more values than can cross.

    Not an `Exception`: no test may swallow it.
    """

    def __init__(self, *, too_many: bool) -> None:
        self.too_many = too_many


class MalformedReply(BaseException):
    """The reply is not of the protocol. Not an `Exception`: no test may swallow it."""


class Transport(Protocol):
    """Carries one encoded request to the workbench and brings its encoded reply."""

    def exchange(self, request: bytes) -> bytes: ...


@dataclass(frozen=True, slots=True)
class Gradients:
    """Of sum(output * cotangent): `inputs` in argument order; `parameters` of the module, or of the method's module, by
    name; None without dependence."""

    output: torch.Tensor
    inputs: list[torch.Tensor | None]
    parameters: dict[str, torch.Tensor | None]


class Solution:
    """The module that a learner submitted (or the reference): attributes are its functions and classes."""

    def __init__(self, transport: Transport, *, reply_cap: int = values.DEFAULT_CAP) -> None:
        self._transport = transport
        self._reply_cap = reply_cap

    @classmethod
    def local(
        cls,
        source: str,
        *,
        seed: int = 0,
        entries: Sequence[Mapping[str, str]] = (),
        forbidden: Sequence[str] = (),
        support: str | None = None,
    ) -> Solution:
        """A solution in this process, with the same encoding of every value. Raises like `load_source`."""
        solution = cls(Workbench())
        solution.load_source(source, seed=seed, entries=entries, forbidden=forbidden, support=support)
        solution.begin(seed)
        return solution

    def load_source(
        self,
        source: str,
        *,
        seed: int,
        entries: Sequence[Mapping[str, str]] = (),
        forbidden: Sequence[str] = (),
        support: str | None = None,
    ) -> None:
        """Import the source afresh; raise `InvalidSource`, or `LearnerError` if importing it raised. Then `begin`."""
        request = {
            "do": "load",
            "source": source,
            "seed": seed,
            "entries": [dict(entry) for entry in entries],
            "forbidden": list(forbidden),
            "support": support,
        }
        reply = self._ask(request)
        if "invalid" in reply:
            raise InvalidSource(_facts(reply["invalid"]))

    def begin(self, seed: int) -> None:
        """Begin a test: drop all instances, seed every generator, and put modes back to what loading left.

        What the module itself has kept since it was loaded is its own.
        """
        self._ask({"do": "begin", "seed": seed})

    def __getattr__(self, name: str) -> RemoteCallable:
        if name.startswith("__"):
            raise AttributeError(name)
        return RemoteCallable(self, name, "")

    def _ask(self, request: Mapping[str, Any]) -> dict[str, Any]:
        data = self._transport.exchange(values.encode(dict(request), cap=1 << 30))
        try:
            reply = _mapping(values.decode(data, cap=self._reply_cap + 4096))
        except values.Malformed as error:
            raise MalformedReply(str(error)) from None
        if "error" in reply:
            raise _learner_error(_facts(reply["error"]))
        if "too_large" in reply or "too_many" in reply:
            raise ReplyTooLarge(too_many="too_many" in reply)
        if "not_module" in reply:
            raise Failure.of("not_module", module=clean(_text(reply["not_module"]), 100))
        if "lazy" in reply:
            raise Failure.of("lazy", name=clean(_text(reply["lazy"]), 100))
        if "unsupported" in reply:
            got = clean(_text(reply["unsupported"]), 200)
            raise Failure.of("unsupported", got=got, advice=_CONVERT if "of dtype" in got else "")
        return reply

    def _value(self, request: Mapping[str, Any]) -> Any:
        reply = self._ask(request)
        if "value" not in reply:
            raise MalformedReply("a reply without a value")
        return self._received(reply["value"])

    def _received(self, value: Any) -> Any:
        return Instance(self, value) if isinstance(value, Handle) else value


class RemoteCallable:
    """A function or class of the module, or a method of an instance; calling it is one request."""

    def __init__(self, solution: Solution, target: str | Handle, method: str) -> None:
        self._solution, self._target, self._method = solution, target, method

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._solution._value(self._request("call", args, kwargs))

    def seeded(self, seed: int, *args: Any, **kwargs: Any) -> Any:
        """Call with every random generator of the learner's process set to `seed` first."""
        return self._solution._value({**self._request("call", args, kwargs), "seed": seed})

    def watched(self, *args: Any, **kwargs: Any) -> tuple[Any, bool]:
        """Call; the value, and whether any argument was changed in the learner's process."""
        reply = self._solution._ask({**self._request("call", args, kwargs), "watch": True})
        if "value" not in reply or type(reply.get("mutated")) is not bool:
            raise MalformedReply("a watched call without a value, or without saying what became of its arguments")
        return self._solution._received(reply["value"]), reply["mutated"]

    def of_views(self, *args: Any, **kwargs: Any) -> Any:
        """Call with every array and tensor of three or more axes as a view, as it is after `transpose(1, 2)`."""
        return self._solution._value({**self._request("call", args, kwargs), "views": True})

    def gradients(self, *args: Any, cotangent: torch.Tensor, **kwargs: Any) -> Gradients:
        """Gradients of sum(output * cotangent); raise `Failure` when output and cotangent differ in shape."""
        reply = self._solution._value({**self._request("gradients", args, kwargs), "cotangent": cotangent})
        return _gradients(reply, cotangent, len(args) + len(kwargs))

    def _request(self, do: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> dict[str, Any]:
        return {
            "do": do,
            "target": self._target,
            "method": self._method,
            "args": [_sent(value) for value in args],
            "kwargs": {key: _sent(value) for key, value in kwargs.items()},
        }


class Instance(RemoteCallable):
    """An object in the learner's process. Attributes are its methods; calling it calls it."""

    def __init__(self, solution: Solution, handle: Handle) -> None:
        super().__init__(solution, handle, "")
        self._handle = handle

    @property
    def type_name(self) -> str:
        return self._handle.type_name

    def __getattr__(self, name: str) -> RemoteCallable:
        if name.startswith("__"):
            raise AttributeError(name)
        return RemoteCallable(self._solution, self._handle, name)

    def attribute(self, path: str) -> Any:
        """The value of a (dotted) attribute: a plain value, or another instance."""
        return self._solution._value({"do": "read_attribute", "target": self._handle, "method": path})

    def names(self) -> dict[str, tuple[int, ...]]:
        """Name and shape of every entry of its state (parameters and buffers)."""
        return _shapes(self._do("names"))

    def parameter_names(self) -> dict[str, tuple[int, ...]]:
        """Name and shape of every parameter; a shared one counts once."""
        return _shapes(self._do("parameter_names"))

    def read(self, *names: str) -> dict[str, torch.Tensor]:
        """The state's tensors by name; all of them without arguments."""
        value: dict[str, torch.Tensor] = _mapping(self._do("read", names=list(names) or None))
        return value

    def load(self, state: Mapping[str, Any], *, strict: bool = True) -> None:
        """Copy arrays or tensors into its state; raise `Failure` if it lacks one of the names, or a shape differs.

        Strictly, a parameter that `state` does not name is a failure, too; its buffers are its own affair.
        """
        found = _mapping(self._do("load_parameters", state=dict(state)))
        lacks, shapes = _names(found.get("lacks")), _shapes(found.get("shapes"))
        extra = _names(list(_shapes(found.get("extra"))))
        module = clean(self.type_name, 100)
        if lacks:
            differ = [
                f"{name} should have the shape {tuple(state[name].shape)}, but has {got}."
                for name, got in shapes.items()
                if name in state
            ]
            advice = _advice_on_names(lacks, _names(found.get("has")), differ)
            raise Failure.of("lacks", module=module, names=", ".join(sorted(lacks)), advice=advice)
        for name, got in shapes.items():
            if name in state:
                raise Failure.of("shape", expected=list(state[name].shape), got=list(got), within=name)
        if strict and extra:
            raise Failure.of("extra", module=module, names=", ".join(sorted(extra)))

    def train(self, mode: bool = True) -> None:
        self._do("train", mode=mode)

    def eval(self) -> None:
        self.train(False)

    def _do(self, do: str, **extra: Any) -> Any:
        return self._solution._value({"do": do, "target": self._handle, "method": "", **extra})


def _advice_on_names(lacks: list[str], has: list[str], differ: list[str]) -> str:
    """`differ` says of parameters that are there which shape they should have."""
    if not has:
        return (
            "It has none at all: only modules and parameters that are attributes of a module are its own, "
            "and those in a `torch.nn.ModuleList`, but not those in a plain list."
        )
    if all(name.endswith("bias") and f"{name.removesuffix('bias')}weight" in has for name in lacks):
        if differ:
            return f"Leave out `bias=False`. Shapes differ, too: {differ[0]}"
        return "Only biases are missing: leave out `bias=False`."
    return f"It has: {', '.join(has)}. Name its submodules as the statement does."


def support_of(solution: Solution) -> Instance:
    """The module support.py as the solution's process holds it: its functions take the solution's instances."""
    return Instance(solution, SUPPORT)


def _sent(value: Any) -> Any:
    if isinstance(value, Instance):
        return value._handle
    if type(value) in (list, tuple):
        return type(value)(_sent(item) for item in value)
    if type(value) is dict:
        return {key: _sent(item) for key, item in value.items()}
    return value


def _mapping(value: Any) -> dict[str, Any]:
    if type(value) is not dict:
        raise MalformedReply("a reply of the wrong kind")
    return value


def _text(value: Any) -> str:
    """Never a text *of* the value: what a hostile process sends may take minutes to print."""
    if type(value) is not str:
        raise MalformedReply("something else where a text belongs")
    return value


def _facts(value: Any) -> dict[str, Any]:
    """Texts by name; beside them a line number is allowed."""
    facts = _mapping(value)
    for name, fact in facts.items():
        if not (_text(name) == "line" and type(fact) is int and 0 <= fact < MAX_LINE):
            _text(fact)
    return facts


def _names(value: Any) -> list[str]:
    if type(value) is not list or not all(type(name) is str for name in value):
        raise MalformedReply("names of the wrong kind")
    return [clean(name, 100) for name in value[:MAX_NAMES]]


def _shapes(value: Any) -> dict[str, tuple[int, ...]]:
    shapes = _mapping(value)
    for name, shape in shapes.items():
        _text(name)
        if type(shape) is not tuple or len(shape) > values.MAX_NDIM or not all(_is_extent(one) for one in shape):
            raise MalformedReply("shapes of the wrong kind")
    return shapes


def _is_extent(value: Any) -> bool:
    return type(value) is int and 0 <= value < 1 << 63


def _learner_error(facts: Mapping[str, Any]) -> LearnerError:
    texts = {name: _text(facts.get(name, "")) for name in ("type", "message", "traceback", "reached")}
    line = facts.get("line", 0)
    return LearnerError(
        clean(texts["type"], 100),
        clean(texts["message"], 2_000),
        clean(texts["traceback"], 8_000),
        line if type(line) is int else 0,
        clean(texts["reached"], 20),
    )


def _gradients(reply: Any, cotangent: torch.Tensor, count: int) -> Gradients:
    facts = _mapping(reply)
    inputs, parameters = facts.get("inputs"), facts.get("parameters")
    output: Any = facts.get("output")
    check_kind(output, cotangent)
    if output.shape != cotangent.shape:
        raise Failure.of("shape", expected=list(cotangent.shape), got=list(output.shape))
    if type(inputs) is not list or len(inputs) != count or not all(_optional_tensor(value) for value in inputs):
        raise MalformedReply("gradients of the wrong kind")
    if not all(_optional_tensor(value) for value in _mapping(parameters).values()):
        raise MalformedReply("gradients of the wrong kind")
    return Gradients(output, inputs, _mapping(parameters))


def _optional_tensor(value: object) -> bool:
    return value is None or type(value) is torch.Tensor
