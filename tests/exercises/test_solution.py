"""What a test author sees of a learner's module: functions, instances, parameters, gradients, and typed errors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from exercises.testkit import values
from exercises.testkit.failures import Failure
from exercises.testkit.solution import (
    Instance,
    InvalidSource,
    LearnerError,
    MalformedReply,
    RemoteCallable,
    ReplyTooLarge,
    Solution,
    support_of,
)

FUNCTIONS = '''
import random
import numpy as np
import torch

def twice(x): return 2 * x
def keywords(a, /, b, *rest, c=3, **more): return [a, b, rest, c, more]
def nothing(): pass
def draw(): return [random.random(), np.random.rand(), torch.rand(()).item()]
def add_in_place(x): x += 1; return x
def appends(items): items.append(0)
def returns_set(): return {1}
def returns_much(): return np.zeros(3 << 20)
def returns_many(): return [0] * 100_001
def returns_many_arrays(): return [np.zeros(1)] * 5_001
def pair(): return 1, np.ones(2)
def strides_of(x): return x.stride() if torch.is_tensor(x) else tuple(step // x.itemsize for step in x.strides)

class Counter:
    """Not a torch module."""
    def __init__(self, start=0): self.count, self.inner = start, {"a": [1, 2]}
    def up(self, by=1): self.count += by; return self.count
    def __call__(self, x): return x + self.count
    def copy(self): return Counter(self.count)
    def same(self, other): return other is self
    def join(self, others, named): return [one.count for one in others] + [named["last"].count]
'''

MODULES = """
import torch
from torch import nn

class Layer(nn.Module):
    def __init__(self, n=2):
        super().__init__()
        self.linear = nn.Linear(n, n, bias=False)
        self.unused = nn.Parameter(torch.ones(3))
        self.register_buffer("steps", torch.zeros((), dtype=torch.int64))
        self.drop = nn.Dropout(0.5)
    def forward(self, x, scale=1.0): return self.linear(x) * scale
    def training_now(self): return [self.training, self.drop.training]
    def dropped(self, x): return self.drop(x)
    def give_linear(self): return self.linear

class Tied(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(2, 2, bias=False)
        self.second = nn.Linear(2, 2, bias=False)
        self.second.weight = self.first.weight
    def forward(self, x): return self.second(self.first(x))

def cube_sum(x, y, n=1): return (x ** 3).sum() * n + 0 * y.detach().sum()
def detached(x): return (x * 2).detach()
def without_grad(x):
    with torch.no_grad():
        return x * 2
def integers(index, x): return x[index]
def as_numpy(x): return x.detach().numpy()
def nothing(x): x * 2
def transposed(x): return x.T
def of_complex(z): return (z * z.conj()).real
def ignores(x, y): return x * 2
def in_float64(x): return x.double() * 2
"""


@pytest.fixture(scope="module")
def functions() -> Solution:
    return Solution.local(FUNCTIONS)


@pytest.fixture(scope="module")
def modules() -> Solution:
    return Solution.local(MODULES)


def assert_equal(found: torch.Tensor | None, expected: Any) -> None:
    assert found is not None
    torch.testing.assert_close(found, torch.as_tensor(expected, dtype=found.dtype))


# Calling


def test_a_function_is_called_by_its_name(functions: Solution) -> None:
    assert functions.twice(2.5) == 5.0
    np.testing.assert_array_equal(functions.twice(np.arange(3)), [0, 2, 4])
    assert functions.nothing() is None


def test_arguments_arrive_by_position_and_by_name(functions: Solution) -> None:
    assert functions.keywords(1, 2, 4, 5, c=6, d=[7]) == [1, 2, (4, 5), 6, {"d": [7]}]


def test_results_are_plain_copies(functions: Solution) -> None:
    given = np.zeros(2)
    functions.add_in_place(given)
    assert given.sum() == 0


def test_a_name_that_is_not_there_is_the_learners_error(functions: Solution) -> None:
    with pytest.raises(LearnerError, match="has no attribute 'thrice'"):
        functions.thrice(1)


def test_asking_for_a_name_asks_nothing_of_the_learner(functions: Solution) -> None:
    assert isinstance(functions.thrice, RemoteCallable)
    with pytest.raises(AttributeError):
        functions.__wrapped__  # noqa: B018 - what inspection tools ask every object for


def test_a_seeded_call_repeats_itself_and_others_go_on(functions: Solution) -> None:
    first = functions.draw.seeded(7)
    assert functions.draw() != first
    assert functions.draw.seeded(7) == first
    assert functions.draw.seeded(8) != first


@pytest.mark.parametrize("value", [np.zeros(2), torch.zeros(2), [1.0]], ids=["array", "tensor", "list"])
def test_a_changed_argument_is_noticed(functions: Solution, value: Any) -> None:
    changes = functions.appends if type(value) is list else functions.add_in_place
    assert changes.watched(value)[1] is True
    assert functions.pair.watched()[1] is False


def test_a_watched_call_has_its_value_too(functions: Solution) -> None:
    value, mutated = functions.twice.watched(np.ones(2))
    assert value.tolist() == [2.0, 2.0]
    assert mutated is False


@pytest.mark.parametrize("value", [np.arange(24.0).reshape(2, 3, 4), torch.arange(24.0).reshape(1, 2, 3, 4)], ids=type)
def test_a_call_of_views_gets_the_same_values_in_another_order_of_memory(functions: Solution, value: Any) -> None:
    strides = functions.strides_of.of_views(value)
    assert functions.twice.of_views(value).tolist() == (2 * value).tolist()
    assert strides[-3:] == (4, 8, 1) != functions.strides_of(value)[-3:] == (12, 4, 1)


def test_a_call_of_views_leaves_all_else_as_it_is(functions: Solution) -> None:
    assert functions.keywords.of_views(1, b=[2.0]) == functions.keywords(1, b=[2.0])
    assert functions.strides_of.of_views(torch.zeros(3, 4)) == (4, 1)


@pytest.mark.parametrize("reply", [{"mutated": False}, {"value": 1}, {"value": 1, "mutated": 0}], ids=str)
def test_a_watched_call_that_says_too_little_is_refused(reply: Any) -> None:
    with pytest.raises(MalformedReply):
        Solution(_Liar(reply)).f.watched(1)


def test_a_named_tuple_of_the_learner_is_a_tuple() -> None:
    solution = Solution.local(
        "from collections import namedtuple\n"
        "from typing import NamedTuple\n"
        "Pair = namedtuple('Pair', 'out weights')\n"
        "class Typed(NamedTuple):\n"
        "    out: float\n"
        "def pair(): return Pair(1.0, 2.0)\n"
        "def typed(): return Typed(1.0)\n"
    )
    assert (solution.pair(), solution.typed()) == ((1.0, 2.0), (1.0,))


def test_a_copy_changed_is_no_argument_changed(functions: Solution) -> None:
    assert functions.twice.watched(np.zeros(2))[1] is False
    assert functions.keywords.watched(1, b=np.zeros(2))[1] is False


def test_objects_within_lists_do_not_hinder_watching_for_mutation() -> None:
    solution = Solution.local(
        "import torch\n"
        "class Layer(torch.nn.Module): ...\n"
        "def runs(layers, x): return x + len(layers['all'])\n"
        "def grows(layers, x): x += len(layers['all'])\n"
    )
    layers = {"all": [solution.Layer(), (solution.Layer(), 1.0)]}
    assert solution.runs.watched(layers, np.zeros(2))[1] is False
    assert solution.grows.watched(layers, np.zeros(2))[1] is True


def test_a_value_that_cannot_cross_is_a_wrong_answer_that_names_it(functions: Solution) -> None:
    with pytest.raises(Failure, match="returned a set") as caught:
        functions.returns_set()
    assert caught.value.kind == "unsupported"


def test_a_reply_beyond_the_cap_is_told_apart(functions: Solution) -> None:
    with pytest.raises(ReplyTooLarge) as caught:
        functions.returns_much()
    assert not caught.value.too_many
    assert functions.twice(1) == 2


@pytest.mark.parametrize("name", ["returns_many", "returns_many_arrays"])
def test_a_reply_of_too_many_values_is_not_called_too_large(functions: Solution, name: str) -> None:
    with pytest.raises(ReplyTooLarge) as caught:
        getattr(functions, name)()
    assert caught.value.too_many


def test_what_no_test_may_swallow_is_no_exception() -> None:
    assert not issubclass(ReplyTooLarge, Exception)
    assert not issubclass(MalformedReply, Exception)


def test_an_author_who_sends_what_cannot_cross_is_told_so(functions: Solution) -> None:
    with pytest.raises(values.Unsupported, match="a set"):
        functions.twice({1})


# Instances


def test_an_instance_stays_and_keeps_its_state(functions: Solution) -> None:
    counter = functions.Counter(5)
    assert isinstance(counter, Instance)
    assert counter.type_name == "Counter"
    assert [counter.up(), counter.up(by=2)] == [6, 8]
    assert counter(100) == 108
    assert functions.Counter().up() == 1


def test_an_attribute_is_read_by_its_path(functions: Solution, modules: Solution) -> None:
    counter = functions.Counter(5)
    assert counter.attribute("count") == 5
    assert counter.attribute("inner") == {"a": [1, 2]}
    layer = modules.Layer()
    assert_equal(layer.attribute("linear.weight"), layer.read()["linear.weight"])
    assert layer.attribute("linear").parameter_names() == {"weight": (2, 2)}
    with pytest.raises(LearnerError, match="AttributeError"):
        counter.attribute("inner.nothing")


def test_a_method_may_return_another_instance(functions: Solution) -> None:
    counter = functions.Counter(5)
    copy = counter.copy()
    counter.up()
    assert [counter.attribute("count"), copy.attribute("count")] == [6, 5]


def test_instances_are_passed_back_as_themselves(functions: Solution) -> None:
    one, other = functions.Counter(1), functions.Counter(2)
    assert one.same(one) is True
    assert one.same(other) is False
    assert one.join([one, other], named={"last": other}) == [1, 2, 2]


def test_loading_forgets_the_instances(functions: Solution) -> None:
    solution = Solution.local(FUNCTIONS)
    counter = solution.Counter()
    solution.load_source(FUNCTIONS, seed=0)
    with pytest.raises(LearnerError):
        counter.up()


# The support module


def test_a_function_of_the_support_module_takes_the_learners_instances() -> None:
    support = "import torch\ndef twice(layer, x): return 2 * layer(x)\nclass Probe:\n    def seen(self): return 3\n"
    solution = Solution.local(MODULES, support=support)
    layer = solution.Layer()
    layer.load({"linear.weight": torch.eye(2)}, strict=False)
    beside = support_of(solution)
    assert_equal(beside.twice(layer, torch.tensor([1.0, 2.0])), [2, 4])
    assert beside.Probe().seen() == 3
    assert_equal(layer(torch.tensor([1.0, 2.0])), [1, 2])


def test_the_support_module_is_the_one_that_the_learner_imports() -> None:
    solution = Solution.local("import support\nsupport.f = lambda: 'mine'\n", support="def f(): return 'ours'\n")
    assert support_of(solution).f() == "mine"
    solution.load_source("", seed=0, support="def f(): return 'ours'\n")
    solution.begin(0)
    assert support_of(solution).f() == "ours"


def test_without_a_support_module_there_is_nothing_to_ask(functions: Solution) -> None:
    with pytest.raises(LearnerError):
        support_of(functions).f()


# Modules with parameters


def test_names_and_shapes_of_state_and_parameters(modules: Solution) -> None:
    layer = modules.Layer(3)
    assert layer.names() == {"linear.weight": (3, 3), "unused": (3,), "steps": ()}
    assert layer.parameter_names() == {"linear.weight": (3, 3), "unused": (3,)}
    assert modules.Tied().parameter_names() == {"first.weight": (2, 2)}


def test_parameters_are_loaded_and_read(modules: Solution) -> None:
    layer = modules.Layer()
    layer.load({"linear.weight": np.array([[0.0, 1.0], [2.0, 3.0]])}, strict=False)
    assert_equal(layer.read("linear.weight")["linear.weight"], [[0, 1], [2, 3]])
    assert_equal(layer(torch.tensor([1.0, 10.0])), [10, 32])
    assert set(layer.read()) == {"linear.weight", "unused", "steps"}
    assert layer.read()["steps"].dtype is torch.int64


def test_loading_says_what_does_not_fit(modules: Solution) -> None:
    layer = modules.Layer()
    with pytest.raises(Failure, match="Your Layer has parameters that nobody asked for: unused. Remove them."):
        layer.load({"linear.weight": torch.zeros(2, 2)})
    with pytest.raises(Failure, match=r"In linear.weight: the shape should be \(3, 3\), but yours is \(2, 2\)."):
        layer.load({"linear.weight": torch.zeros(3, 3)}, strict=False)
    with pytest.raises(Failure, match="Your Layer lacks these parameters: other, third. It has: .*linear.weight"):
        layer.load({"other": torch.zeros(2), "third": torch.zeros(2)}, strict=False)
    with pytest.raises(Failure, match="lacks these parameters: linear.bias. Only biases are missing"):
        layer.load({"linear.bias": torch.zeros(2)}, strict=False)


def test_a_buffer_need_not_be_loaded_nor_a_shared_parameter_twice(modules: Solution) -> None:
    modules.Layer().load({"linear.weight": torch.zeros(2, 2), "unused": torch.zeros(3)})
    modules.Tied().load({"second.weight": torch.eye(2)})


def test_train_and_eval_reach_the_submodules(modules: Solution) -> None:
    layer = modules.Layer()
    assert layer.training_now() == [True, True]
    layer.eval()
    assert layer.training_now() == [False, False]
    assert_equal(layer.dropped(torch.ones(100)), torch.ones(100))
    layer.train()
    assert set(layer.dropped(torch.ones(100)).tolist()) == {0.0, 2.0}
    layer.train(False)
    assert layer.training_now() == [False, False]


def test_an_object_without_parameters_says_so(functions: Solution) -> None:
    counter: Instance = functions.Counter()
    for ask in (counter.names, counter.parameter_names, counter.read, counter.eval):
        with pytest.raises(Failure, match=r"Your Counter is no torch module\. Write `class Counter\("):
            ask()


# Gradients


def test_gradients_of_a_function_by_its_inputs(modules: Solution) -> None:
    found = modules.cube_sum.gradients(torch.tensor([1.0, 2.0]), torch.ones(2), n=2, cotangent=torch.tensor(10.0))
    assert_equal(found.output, 18.0)
    assert_equal(found.inputs[0], [60, 240])
    assert found.inputs[1:] == [None, None]
    assert found.parameters == {}


def test_gradients_of_a_module_by_inputs_and_parameters(modules: Solution) -> None:
    layer = modules.Layer()
    layer.load({"linear.weight": torch.tensor([[1.0, 2.0], [3.0, 4.0]])}, strict=False)
    found = layer.gradients(torch.tensor([[1.0, 1.0]]), scale=2.0, cotangent=torch.tensor([[1.0, 10.0]]))
    assert_equal(found.output, [[6, 14]])
    assert_equal(found.inputs[0], [[62, 84]])
    assert_equal(found.parameters["linear.weight"], [[2, 2], [20, 20]])
    assert found.parameters["unused"] is None
    assert_equal(layer.read("linear.weight")["linear.weight"], [[1, 2], [3, 4]])


def test_gradients_of_a_method_have_its_modules_parameters(modules: Solution) -> None:
    layer = modules.Layer()
    found = layer.forward.gradients(torch.tensor([[1.0, 5.0]]), cotangent=torch.tensor([[1.0, 10.0]]))
    assert_equal(found.parameters["linear.weight"], [[1, 5], [10, 50]])


def test_gradients_do_not_add_up_from_call_to_call(modules: Solution) -> None:
    layer = modules.Layer()
    first, second = (layer.gradients(torch.ones(1, 2), cotangent=torch.ones(1, 2)) for _ in range(2))
    assert_equal(first.parameters["linear.weight"], second.parameters["linear.weight"])


def test_a_sparse_gradient_crosses_as_a_dense_one() -> None:
    source = "import torch\ndef Table(): return torch.nn.Embedding(3, 2, sparse=True)\n"
    table = Solution.local(source).Table()
    found = table.gradients(torch.tensor([1, 1]), cotangent=torch.ones(2, 2))
    assert_equal(found.parameters["weight"], torch.tensor([[0.0, 0.0], [2.0, 2.0], [0.0, 0.0]]))


def test_a_shared_parameter_has_one_gradient(modules: Solution) -> None:
    tied = modules.Tied()
    tied.load({name: torch.eye(2) for name in ("first.weight", "second.weight")})
    found = tied.gradients(torch.tensor([[1.0, 2.0]]), cotangent=torch.ones(1, 2))
    assert_equal(found.parameters["first.weight"], [[2, 4], [2, 4]])
    assert list(found.parameters) == ["first.weight"]


@pytest.mark.parametrize("name", ["detached", "without_grad"])
def test_without_a_path_there_is_no_gradient(modules: Solution, name: str) -> None:
    found = getattr(modules, name).gradients(torch.ones(2), cotangent=torch.ones(2))
    assert_equal(found.output, [2, 2])
    assert found.inputs == [None]


def test_an_input_that_is_not_used_or_not_floating_has_no_gradient(modules: Solution) -> None:
    unused = modules.ignores.gradients(torch.ones(2), torch.ones(2), cotangent=torch.ones(2))
    assert unused.inputs[1] is None
    indexed = modules.integers.gradients(torch.tensor([1, 1]), torch.zeros(3), cotangent=torch.ones(2))
    assert indexed.inputs[0] is None
    assert_equal(indexed.inputs[1], [0, 2, 0])


def test_gradients_by_complex_inputs(modules: Solution) -> None:
    z = torch.tensor([1 + 2j])
    found = modules.of_complex.gradients(z, cotangent=torch.ones(1))
    assert_equal(found.inputs[0], [2 + 4j])


def test_an_output_of_another_width_has_gradients_too(modules: Solution) -> None:
    found = modules.in_float64.gradients(torch.ones(2), cotangent=torch.ones(2))
    assert found.output.dtype is torch.float64
    assert_equal(found.inputs[0], [2, 2])


def test_an_output_of_the_wrong_shape_is_a_wrong_answer(modules: Solution) -> None:
    with pytest.raises(Failure) as caught:
        modules.transposed.gradients(torch.ones(2, 3), cotangent=torch.ones(2, 3))
    assert caught.value.details["expected"] == [2, 3]
    assert caught.value.details["got"] == [3, 2]


def test_an_output_that_is_no_tensor_is_a_wrong_answer(modules: Solution) -> None:
    with pytest.raises(Failure, match=r"a numpy array of shape \(2,\); a torch tensor is asked for"):
        modules.as_numpy.gradients(torch.ones(2), cotangent=torch.ones(2))
    with pytest.raises(Failure, match="Did you forget `return`"):
        modules.nothing.gradients(torch.ones(2), cotangent=torch.ones(2))


# Replies that no honest workbench gives


class _Liar:
    """A transport that answers whatever it was told to."""

    def __init__(self, reply: Any) -> None:
        self.reply = reply if type(reply) is bytes else values.encode(reply)

    def exchange(self, request: bytes) -> bytes:
        return self.reply


@pytest.mark.parametrize("reply", [b"", b"garbage", [], None, {}, {"values": 1}, {"error": 3}, {1: 2}], ids=repr)
def test_a_reply_that_is_none_is_refused(reply: Any) -> None:
    with pytest.raises(MalformedReply):
        Solution(_Liar(reply)).f()


@pytest.mark.parametrize(
    "value",
    [
        None,
        3,
        {"output": torch.ones(2), "inputs": None, "parameters": {}},
        {"output": torch.ones(2), "inputs": [1.0], "parameters": {}},
        {"output": torch.ones(2), "inputs": [], "parameters": {}},
        {"output": torch.ones(2), "inputs": [None, None], "parameters": {}},
        {"output": torch.ones(2), "inputs": [None], "parameters": None},
        {"output": torch.ones(2), "inputs": [None], "parameters": {"w": np.ones(2)}},
    ],
    ids=str,
)
def test_gradients_of_the_wrong_form_are_refused(value: Any) -> None:
    with pytest.raises(MalformedReply):
        Solution(_Liar({"value": value})).f.gradients(torch.ones(2), cotangent=torch.ones(2))


@pytest.mark.parametrize(
    "value",
    [None, [], {"w": [2]}, {"w": (2.0,)}, {"w": 2}, {"w": (1,) * 9}, {"w": (-1,)}, {"w": (1 << 63,)}, {1: (2,)}],
    ids=repr,
)
def test_shapes_of_the_wrong_form_are_refused(value: Any) -> None:
    layer = Instance(Solution(_Liar({"value": value})), values.Handle(1, "Layer"))
    with pytest.raises(MalformedReply):
        layer.names()
    with pytest.raises(MalformedReply):
        layer.parameter_names()


def test_a_forged_error_is_cut_and_cleaned() -> None:
    told = {"type": "E" * 500, "message": "\x00\ud800" + "m" * 5000, "traceback": "t" * 50_000, "line": 0}
    with pytest.raises(LearnerError) as caught:
        Solution(_Liar({"error": told})).f()
    error = caught.value
    assert (len(error.type_name), len(error.message), len(error.traceback_text), error.line) == (100, 2000, 8000, 0)
    assert error.message.isprintable() or "\N{REPLACEMENT CHARACTER}" in error.message
    assert "\x00" not in error.message
    error.message.encode()


def test_what_a_forged_refusal_says_is_cut_and_cleaned() -> None:
    with pytest.raises(Failure) as caught:
        Solution(_Liar({"unsupported": "\x00\ud800" + "m" * 5000})).f()
    assert len(caught.value.message) < 400
    assert "\x00" not in caught.value.message
    caught.value.message.encode()


@pytest.mark.parametrize("why", ["syntax", "nonsense"])
def test_a_forged_invalid_source_is_still_one(why: str) -> None:
    with pytest.raises(InvalidSource):
        Solution(_Liar({"invalid": {"why": why, "line": 3}})).load_source("", seed=0)


SLOW_TO_PRINT = torch.zeros((1000, 1, 1, 1, 1, 1, 1, 1), dtype=torch.bool)


@pytest.mark.parametrize(
    "reply",
    [
        *({"error": {name: SLOW_TO_PRINT}} for name in ("type", "message", "traceback", "line")),
        {"error": {"line": 10**30}},
        {"error": {("type",): "E"}},
        {"unsupported": SLOW_TO_PRINT},
        {"not_module": SLOW_TO_PRINT},
        {"lazy": SLOW_TO_PRINT},
        {"invalid": {"why": SLOW_TO_PRINT}},
        {"invalid": {"why": "syntax", "line": -1}},
        {"invalid": {"why": "syntax", "message": [SLOW_TO_PRINT] * 1000}},
    ],
    ids=range(12),
)
def test_no_text_is_made_of_what_should_be_one(reply: Any) -> None:
    """Printing what a hostile process sends in the place of a text could take minutes."""
    with pytest.raises(MalformedReply):
        Solution(_Liar(reply)).load_source("", seed=0)
