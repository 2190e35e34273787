"""The learner's side: runs requests on one module of source and answers with plain values.

The same code serves the sandboxed learner, the reference inside the checker, and a local pytest run; only the transport
between differs. Everything here may be patched by hostile source in its own process: no verdict rests on it.
"""

from __future__ import annotations

import ast
import linecache
import re
import sys
import types
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from io import StringIO
from typing import Any

import numpy as np
import torch
from torch.nn.parameter import is_lazy

from exercises.testkit import values
from exercises.testkit.forbidden import find_forbidden, trap_forbidden
from exercises.testkit.state import USUAL, Modes, seed_generators
from exercises.testkit.traces import describe_exception
from exercises.testkit.values import Handle

MODULE = "solution"
FILENAME = "solution.py"
SUPPORT = Handle(0, "support")
"""The module support.py, to those who hold objects of this process."""

Request = Mapping[str, Any]
_UNSEEN = re.compile(r"invalid non-printable character U\+([0-9A-F]+)")
Reply = dict[str, Any]


class Workbench:
    """Holds the module, the objects that tests hold handles to, and executes one request at a time."""

    def __init__(self, reply_cap: int = values.DEFAULT_CAP) -> None:
        self.reply_cap = reply_cap
        self._module = types.ModuleType(MODULE)
        self._objects: dict[int, Any] = {}
        self._support: types.ModuleType | None = None
        self._modes = USUAL
        self._restore: Callable[[], None] = lambda: None
        self._streams = {"stdout": (1, sys.stdout), "stderr": (2, sys.stderr)}

    def exchange(self, request: bytes) -> bytes:
        """Answer one encoded request. Never raises for what learner code does."""
        try:
            reply = self.answer(values.decode(request, cap=len(request)))
            return values.encode(reply, self.reply_cap)
        except NotAModule as error:
            return values.encode({"not_module": str(error)})
        except NoWidthYet as error:
            return values.encode({"lazy": str(error)})
        except values.Unsupported as error:
            return values.encode({"unsupported": str(error)})
        except values.TooLarge as error:
            return values.encode({"too_many" if isinstance(error, values.TooMany) else "too_large": True})
        except BaseException as error:  # noqa: BLE001 - SystemExit and KeyboardInterrupt are answers, too
            return values.encode({"error": describe_exception(error)})

    def answer(self, request: Request) -> Reply:
        """Answer one request, letting the learner's exceptions pass."""
        operation = getattr(self, f"_do_{request['do']}")
        reply: Reply = operation(request)
        return reply

    # Loading

    def _do_load(self, request: Request) -> Reply:
        """Import the source afresh. Replies `{}` or `{"invalid": {...}}`; an exception on import is an error.

        Nothing of a source loaded before is left but what it did to other modules.
        """
        source: str = request["source"]
        self._restore()
        self._modes = USUAL
        self._begin(request["seed"])
        try:
            code = self._compile(source, tuple(request["forbidden"]))
        except SyntaxError as error:
            return {"invalid": _syntax_facts(source, error)}
        except (RecursionError, MemoryError):
            return {"invalid": {"why": "depth"}}
        except _ForbiddenName as error:
            return {"invalid": {"why": "forbidden", "name": error.name, "line": error.line}}
        self._load_support(request.get("support"))
        self._module = module = sys.modules[MODULE] = types.ModuleType(MODULE)
        module.__file__ = FILENAME
        self._restore = trap_forbidden(request["forbidden"])
        exec(code, module.__dict__)  # noqa: S102 - running the learner's code is the purpose
        self._modes = Modes.now()
        return self._missing(request["entries"])

    def _do_begin(self, request: Request) -> Reply:
        """Begin a test on the module as it is: modes as loading left them, generators seeded, all handles dropped."""
        self._begin(request["seed"])
        return {}

    def _begin(self, seed: int) -> None:
        self._modes.restore()
        seed_generators(seed)
        self._reset_streams()
        # Where several share a process, each test's own are in place, for what is imported late.
        sys.modules[MODULE] = self._module
        self._objects = {}
        if self._support is not None:
            sys.modules["support"] = self._objects[SUPPORT.number] = self._support

    def _compile(self, source: str, forbidden: tuple[str, ...]) -> types.CodeType:
        if "\0" in source:  # Python before 3.11.4 says so with a ValueError
            raise SyntaxError("source code cannot contain null bytes")
        code = compile(source, FILENAME, "exec", dont_inherit=True)
        for name, line in find_forbidden(ast.parse(source, FILENAME), forbidden) if forbidden else ():
            raise _ForbiddenName(name, line)
        linecache.cache[FILENAME] = (len(source), None, StringIO(source, None).readlines(), FILENAME)
        return code

    def _reset_streams(self) -> None:
        """Give every test working streams, whatever the one before did to them."""
        for name, (fd, stream) in self._streams.items():
            if stream is None or stream.closed:
                stream = open(fd, "w", 1, closefd=False, errors="backslashreplace")  # noqa: SIM115 - for the process' life
                self._streams[name] = (fd, stream)
            setattr(sys, name, stream)

    def _load_support(self, source: str | None) -> None:
        self._support = None
        if source is None:
            return
        self._support = support = types.ModuleType("support")
        sys.modules["support"] = support
        exec(compile(source, "support.py", "exec", dont_inherit=True), support.__dict__)  # noqa: S102

    def _missing(self, entries: list[Mapping[str, str]]) -> Reply:
        for entry in entries:
            found = getattr(self._module, entry["name"], None)
            right = isinstance(found, type) if entry["kind"] == "class" else callable(found)
            if not right:
                return {"invalid": {"why": "missing", **entry}}
        return {}

    # Calling

    def _do_call(self, request: Request) -> Reply:
        target = self._target(request)
        if request.get("seed") is not None:
            seed_generators(request["seed"])
        args, kwargs = self._arguments(request)
        before = _snapshot(args, kwargs) if request.get("watch") else None
        result = target(*args, **kwargs)
        mutated = {} if before is None else {"mutated": before != _snapshot(args, kwargs)}
        return {"value": self._outgoing(result), **mutated}

    def _target(self, request: Request) -> Any:
        """The thing to call: a name in the module, an object, or a (dotted) attribute of an object."""
        owner = request["target"]
        found = self._objects[owner.number] if isinstance(owner, Handle) else getattr(self._module, owner)
        for part in filter(None, (request.get("method") or "").split(".")):
            found = getattr(found, part)
        return found

    def _arguments(self, request: Request) -> tuple[list[Any], dict[str, Any]]:
        args, kwargs = self._incoming(request["args"]), self._incoming(request["kwargs"])
        if request.get("views"):
            return [_view(value) for value in args], {key: _view(value) for key, value in kwargs.items()}
        return args, kwargs

    def _incoming(self, value: Any) -> Any:
        if isinstance(value, Handle):
            return self._objects[value.number]
        if isinstance(value, (list, tuple)):
            return type(value)(self._incoming(item) for item in value)
        if isinstance(value, dict):
            return {key: self._incoming(item) for key, item in value.items()}
        return value

    def _outgoing(self, value: Any) -> Any:
        """Objects that tests go on using (modules, instances of learners' classes) stay here, behind a handle."""
        if _stays(value):
            number = len(self._objects) + 1
            self._objects[number] = value
            return Handle(number, type(value).__name__)
        return value

    # Attributes, parameters and gradients of modules

    def _do_read_attribute(self, request: Request) -> Reply:
        return {"value": self._outgoing(self._target(request))}

    def _do_names(self, request: Request) -> Reply:
        state = self._module_of(request).state_dict()
        return {"value": {name: tuple(tensor.shape) for name, tensor in state.items()}}

    def _do_parameter_names(self, request: Request) -> Reply:
        parameters = self._module_of(request).named_parameters()
        return {"value": {name: tuple(tensor.shape) for name, tensor in parameters}}

    def _do_read(self, request: Request) -> Reply:
        wanted = request.get("names")
        state = self._module_of(request).state_dict()
        return {"value": {name: tensor for name, tensor in state.items() if wanted is None or name in wanted}}

    def _do_load_parameters(self, request: Request) -> Reply:
        """Load what fits; say which names the module lacks, which shapes differ, and what was left as it was."""
        module = self._module_of(request)
        state = {name: torch.as_tensor(value) for name, value in request["state"].items()}
        own = module.state_dict()
        shapes = {name: tuple(own[name].shape) for name, new in state.items() if name in own}
        shapes = {name: shape for name, shape in shapes.items() if shape != state[name].shape}
        for name, value in state.items():
            if name in own and name not in shapes:
                own[name].copy_(value)  # the entry shares its memory with the parameter, and carries no history
        loaded = {id(one) for name, one in module.named_parameters(remove_duplicate=False) if name in state}
        return {
            "value": {
                "lacks": [name for name in state if name not in own],
                "has": list(own),
                "shapes": shapes,
                "extra": {name: tuple(one.shape) for name, one in module.named_parameters() if id(one) not in loaded},
            }
        }

    def _do_train(self, request: Request) -> Reply:
        self._module_of(request).train(request["mode"])
        return {"value": None}

    def _module_of(self, request: Request) -> torch.nn.Module:
        module = self._target(request)
        if not isinstance(module, torch.nn.Module):
            raise NotAModule(type(module).__name__)
        for name, parameter in module.named_parameters():
            if is_lazy(parameter):
                raise NoWidthYet(name)
        return module

    def _do_gradients(self, request: Request) -> Reply:
        """Gradients of sum(output * cotangent) by every floating-point tensor input and every parameter."""
        target = self._target(request)
        args, kwargs = self._arguments(request)
        args = [_differentiable(value) for value in args]
        kwargs = {key: _differentiable(value) for key, value in kwargs.items()}
        output = target(*args, **kwargs)
        cotangent = request["cotangent"]
        if not isinstance(output, torch.Tensor):
            return {"value": {"output": self._outgoing(output), "inputs": None, "parameters": None}}
        if output.shape != cotangent.shape:
            return {"value": {"output": output, "inputs": None, "parameters": None}}
        owner = getattr(target, "__self__", target)  # a method's module has the parameters
        parameters = dict(owner.named_parameters()) if isinstance(owner, torch.nn.Module) else {}
        inputs = [*args, *kwargs.values()]
        grads = _gradients(output, cotangent, [*inputs, *parameters.values()])
        return {
            "value": {
                "output": output,
                "inputs": grads[: len(inputs)],
                "parameters": dict(zip(parameters, grads[len(inputs) :], strict=True)),
            }
        }


class NotAModule(Exception):
    """What should have parameters is no `torch.nn.Module`; the message names its class."""


class NoWidthYet(Exception):
    """A parameter of a lazy layer, which the message names, has no shape before the layer's first call."""


class _ForbiddenName(Exception):
    def __init__(self, name: str, line: int) -> None:
        super().__init__(name)
        self.name, self.line = name, line


def _syntax_facts(source: str, error: SyntaxError) -> dict[str, Any]:
    number, message = error.lineno or 1, _syntax_message(error)
    unseen = _UNSEEN.search(message)
    if unseen is None:
        return {"why": "syntax", "line": number, "message": message}
    character = chr(int(unseen.group(1), 16))
    column = [*source.split("\n"), ""][number - 1].find(character) + 1
    name = f"U+{ord(character):04X} ({unicodedata.name(character, 'unnamed').lower()})"
    return {"why": "invisible", "line": number, "name": name, "column": str(max(1, column))}


def _syntax_message(error: SyntaxError) -> str:
    if (error.text or "").lstrip().startswith(("%", "!")):
        return "this is a notebook's command, not Python; remove it"
    return str(error.msg)


def _differentiable(value: Any) -> Any:
    if isinstance(value, torch.Tensor) and (value.is_floating_point() or value.is_complex()):
        return value.detach().clone().requires_grad_()
    return value


def _view(value: Any) -> Any:
    """The same values, in memory with the two axes before the last one exchanged, as after splitting heads."""
    if isinstance(value, torch.Tensor) and value.ndim > 2:
        return value.transpose(-3, -2).contiguous().transpose(-3, -2)
    if isinstance(value, np.ndarray) and value.ndim > 2:
        return np.swapaxes(np.ascontiguousarray(np.swapaxes(value, -3, -2)), -3, -2)
    return value


def _gradients(output: torch.Tensor, cotangent: torch.Tensor, by: list[Any]) -> list[torch.Tensor | None]:
    """One gradient for each of `by`, or None where the output does not depend on it (or it is no tensor)."""
    wanted = [index for index, value in enumerate(by) if isinstance(value, torch.Tensor) and value.requires_grad]
    result: list[torch.Tensor | None] = [None] * len(by)
    if output.requires_grad and wanted:
        found: Sequence[torch.Tensor | None] = torch.autograd.grad(
            output, [by[index] for index in wanted], cotangent, allow_unused=True
        )
        for index, gradient in zip(wanted, found, strict=True):
            # An embedding may be told to make sparse ones: they are as right, and cannot cross.
            result[index] = gradient.to_dense() if gradient is not None and gradient.is_sparse else gradient
    return result


def _snapshot(args: list[Any], kwargs: dict[str, Any]) -> bytes:
    return values.encode(_still([args, kwargs]), cap=1 << 30)


def _still(value: Any) -> Any:
    """The value with nothing in the place of every object that lives here: only plain values can be compared."""
    if type(value) in (list, tuple):
        return type(value)(_still(item) for item in value)
    if type(value) is dict:
        return {key: _still(item) for key, item in value.items()}
    return None if _stays(value) else value


def _stays(value: Any) -> bool:
    """Whether tests hold a handle to it instead of its value: a module, or an instance of a learner's class."""
    own = type(value).__module__ in (MODULE, "support") and not values.is_named_tuple(type(value))
    return own or isinstance(value, torch.nn.Module)
