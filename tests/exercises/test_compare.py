"""`close` and `equal`: the verdict of numpy and torch where they have one, and a refusal where they are too kind."""

from __future__ import annotations

import json
import tracemalloc
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from exercises.testkit import Failure, close, equal, tolerances
from exercises.testkit.failures import HEADLINES, SENTENCES

RTOL, ATOL = 1e-3, 1e-4
MB = 1 << 20
FLOATS = hnp.floating_dtypes(endianness="=", sizes=(16, 32, 64))
SHAPES = hnp.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=4)
TORCH_FLOATS = st.sampled_from([torch.bfloat16, torch.float16, torch.float32, torch.float64])


def accepts(actual: Any, expected: Any, **options: Any) -> bool:
    """The verdict of `close`, with every warning an error."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            close(actual, expected, **options)
        except Failure as found:
            return check_form(found)
    return True


def check_form(found: Failure) -> bool:
    """Every failure can be shown: a known kind, a short message, details that JSON holds. Returns False."""
    assert found.kind in SENTENCES
    assert found.headline == HEADLINES[found.kind]
    json.dumps(found.details, allow_nan=False)
    assert len(found.message) < 600
    return False


def failure(actual: Any, expected: Any, **options: Any) -> Failure:
    with pytest.raises(Failure) as caught:
        close(actual, expected, **options)
    return caught.value


@st.composite
def neighbours(draw: st.DrawFn) -> tuple[Any, Any]:
    """Two arrays of one shape and perhaps two widths: equal, a little apart, or far apart."""
    shape = draw(SHAPES)
    numbers = st.floats(-1000, 1000, width=16)
    expected = draw(hnp.arrays(draw(FLOATS), shape, elements=numbers))
    off = draw(hnp.arrays(np.float64, shape, elements=st.sampled_from([0.0, 0.0, 0.2, 0.9, 1.1, 3.0, 1e4])))
    tolerance = ATOL + RTOL * np.abs(expected.astype(np.float64))
    with np.errstate(all="ignore"):
        return (expected.astype(np.float64) + off * tolerance).astype(draw(FLOATS)), expected


def on_the_edge(actual: Any, expected: Any) -> bool:
    """An error so near the tolerance that the libraries' rounding decides."""
    actual, expected = actual.astype(np.float64), expected.astype(np.float64)
    with np.errstate(all="ignore"):
        excess = np.abs(actual - expected) / (ATOL + RTOL * np.abs(expected))
    return bool(np.any(np.abs(excess - 1) < 1e-2))


def numpy_accepts(actual: Any, expected: Any) -> bool:
    try:
        np.testing.assert_allclose(actual, expected, rtol=RTOL, atol=ATOL)
    except AssertionError:
        return False
    return True


@settings(deadline=None)
@given(neighbours())
def test_verdict_is_numpys_for_finite_arrays(pair: tuple[Any, Any]) -> None:
    actual, expected = pair
    # Compared in float64, where numpy would compare two half-precision arrays in half precision.
    assume(np.all(np.isfinite(actual)) and not on_the_edge(actual, expected))
    wide = actual.astype(np.float64), expected.astype(np.float64)
    assert accepts(actual, expected, rtol=RTOL, atol=ATOL) == numpy_accepts(*wide)


@settings(deadline=None)
@given(neighbours(), TORCH_FLOATS, TORCH_FLOATS)
def test_verdict_is_torchs_for_finite_tensors(pair: tuple[Any, Any], first: torch.dtype, second: torch.dtype) -> None:
    actual, expected = (torch.from_numpy(np.asarray(x)).to(d) for x, d in zip(pair, (first, second), strict=True))
    assume(bool(torch.isfinite(actual).all()))
    assume(not on_the_edge(actual.double().numpy(), expected.double().numpy()))
    try:
        torch.testing.assert_close(actual.double(), expected.double(), rtol=RTOL, atol=ATOL)
        right = True
    except AssertionError:
        right = False
    assert accepts(actual, expected, rtol=RTOL, atol=ATOL) == right


@settings(deadline=None)
@given(
    hnp.arrays(np.float64, (3, 2), elements=st.sampled_from([0.0, 1.0, np.nan, np.inf, -np.inf])),
    hnp.arrays(np.float64, (3, 2), elements=st.sampled_from([0.0, 1.0, np.nan, np.inf, -np.inf])),
)
def test_allowed_nan_and_infinity_stand_exactly_where_numpy_wants_them(actual: Any, expected: Any) -> None:
    assert accepts(actual, expected, allow_nonfinite=True) == numpy_accepts(actual, expected)
    assert accepts(actual, expected) == (numpy_accepts(actual, expected) and bool(np.isfinite(actual).all()))


@settings(deadline=None)
@given(hnp.arrays(hnp.complex_number_dtypes(endianness="=", sizes=(64, 128)), 3, elements=st.just(0j)), st.data())
def test_verdict_is_numpys_for_complex_arrays(shaped: Any, data: st.DataObject) -> None:
    parts = st.complex_numbers(max_magnitude=100, allow_nan=False, width=64)
    expected = data.draw(hnp.arrays(shaped.dtype, 3, elements=parts))
    actual = (expected * data.draw(st.sampled_from([1, 1 + 1e-5, 1.1, -1, 1j]))).astype(shaped.dtype)
    assert accepts(actual, expected, rtol=RTOL, atol=ATOL) == numpy_accepts(actual, expected)


@settings(deadline=None)
@given(
    hnp.arrays(hnp.integer_dtypes(endianness="=") | hnp.unsigned_integer_dtypes(endianness="="), hnp.array_shapes()),
    st.data(),
)
def test_whole_numbers_are_compared_exactly(expected: Any, data: st.DataObject) -> None:
    assert accepts(expected.copy(), expected)
    changed = expected.copy()
    index = tuple(data.draw(st.integers(0, extent - 1)) for extent in expected.shape)
    changed[index] ^= 1
    assert not accepts(changed, expected)
    with pytest.raises(Failure):
        equal(changed, expected)


def test_whole_numbers_differ_by_one_beyond_what_float64_can_tell() -> None:
    for dtype in (np.int64, np.uint64):
        high = np.array([np.iinfo(dtype).max], dtype=dtype)
        assert not accepts(high - dtype(1), high)
        assert not accepts(high - dtype(1), high, rtol=0, atol=0)
        assert accepts(high - dtype(1), high, rtol=0, atol=1)
    assert not accepts(np.array([2**63 - 1]), np.array([2**63], dtype=np.uint64))
    assert not accepts(2**80 + 1, 2**80)
    assert accepts(2**80, 2**80)


PLAIN = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.complex_numbers()
    | st.text(max_size=5)
    | st.binary(max_size=5)
    | hnp.arrays(hnp.scalar_dtypes(), hnp.array_shapes(min_dims=0, max_dims=8, min_side=0, max_side=2))
    | hnp.arrays(hnp.floating_dtypes(endianness="="), SHAPES)
    | hnp.from_dtype(np.dtype(np.float32)).map(np.float32)
    | hnp.arrays(np.float32, SHAPES).map(torch.from_numpy)
    | st.sampled_from([torch.bfloat16, torch.int8, torch.bool, torch.complex64]).map(
        lambda d: torch.zeros(2, 2, dtype=d)
    )
)
KEYS = st.text(max_size=3) | st.integers() | st.floats() | st.tuples(st.integers())
NESTED = st.recursive(
    PLAIN,
    lambda inner: (
        st.lists(inner, max_size=3) | st.lists(inner, max_size=3).map(tuple) | st.dictionaries(KEYS, inner, max_size=3)
    ),
    max_leaves=5,
)
EXPECTED: list[Any] = [
    np.arange(4.0).reshape(2, 2),
    np.zeros((0, 3)),
    np.float64(2.0),
    [[1.0, 2.0], [3.0, 4.0]],
    [1, 2, 3],
    torch.ones(2, 2),
    torch.ones(3, dtype=torch.int64),
    3,
    2.5,
    1j,
    True,
    None,
    "text",
    (np.ones(2), 1.0),
    [np.ones(2), torch.ones(1)],
    {"a": np.ones(2), 1: (2, 3)},
]


@settings(max_examples=300, deadline=None)
@given(NESTED, st.sampled_from(EXPECTED), st.booleans())
@example([], [], False)
@example(float("nan"), 2.5, False)
@example(10**400, 3, False)
@example(-(10**400), 2.5, True)
@example(np.float64(1e308), np.array(-1e308), False)
@example({float("nan"): 1}, {"a": 1}, False)
@example(torch.sparse_coo_tensor(torch.tensor([[0]]), torch.ones(1), (2,), check_invariants=True), torch.ones(2), False)
@example(torch.empty(2, 2, device="meta"), torch.ones(2, 2), False)
@example(np.array([object()]), np.ones(1), False)
@example(np.zeros(2, dtype="M8[s]"), np.ones(2), False)
@example(np.zeros(2, dtype=[("a", float)]), np.ones(2), False)
def test_whatever_arrives_the_answer_is_a_verdict(actual: Any, expected: Any, nonfinite: bool) -> None:
    accepts(actual, expected, allow_nonfinite=nonfinite)


@settings(deadline=None)
@given(NESTED)
def test_every_plain_value_equals_itself_and_not_another(value: Any) -> None:
    try:
        equal(value, value)
    except TypeError:
        return  # of a dtype that is no number; authors may not compare with it
    except Failure as found:
        assert found.kind == "dtype"  # noqa: PT017 - a number is asked for
    with pytest.raises(Failure):
        equal(value, ("another", value))


class Subclass(np.ndarray):
    def __eq__(self, other: object) -> Any:
        return True

    def __array_function__(self, *args: Any) -> Any:
        return True

    def __array_ufunc__(self, *args: Any, **kwargs: Any) -> Any:
        return np.zeros(())


class TensorSubclass(torch.Tensor):
    pass


@pytest.mark.parametrize(
    "actual",
    [
        np.full((2, 3), np.nan),
        np.full((2, 3), np.inf),
        np.zeros((0, 3)),
        np.zeros((1, 3)),
        np.zeros((3,)),
        np.zeros(()),
        0.0,
        np.zeros((2, 3)).view(Subclass),
        np.ma.array(np.zeros((2, 3)), mask=True),
        np.zeros((2, 3), dtype=object),
        np.zeros((2, 3), dtype=bool),
        np.zeros((2, 3), dtype=int),
        np.zeros((2, 3), dtype=complex),
        [[0.0] * 3] * 2,
        torch.zeros(2, 3),
        torch.zeros(2, 3).as_subclass(TensorSubclass),
        None,
        (np.zeros((2, 3)),),
    ],
    ids=lambda value: f"{type(value).__name__}-{getattr(value, 'dtype', '')}-{getattr(value, 'shape', '')}",
)
def test_what_is_only_almost_an_array_of_zeros_is_rejected(actual: Any) -> None:
    assert not accepts(actual, np.zeros((2, 3)))


@pytest.mark.parametrize("one", [1.0, 1, np.float32(1), np.float64(1), np.int64(1), np.array(1.0), torch.tensor(1.0)])
def test_a_single_number_may_come_in_any_form(one: Any) -> None:
    assert accepts(one, 1.0)
    assert accepts(one, 1)


@pytest.mark.parametrize("other", [True, "1", None, [1.0], np.ones(1), torch.ones(1), 1.0 + 0j, float("nan")])
def test_what_is_no_single_number_is_rejected(other: Any) -> None:
    assert not accepts(other, 1.0)


def test_an_array_without_shape_may_be_a_number_but_a_tensor_may_not() -> None:
    assert accepts(np.float64(2), np.array(2.0))
    assert accepts(2.0, np.array(2.0))
    assert not accepts(2.0, torch.tensor(2.0))


def test_lists_of_plain_numbers_stand_for_arrays() -> None:
    assert accepts(np.array([[0.0, 1.0]]), [[0, 1]])
    assert accepts(np.array([[0, 1]]), [[0, 1]])
    assert not accepts(np.array([[0, 1]]), [[0.0, 1.0]])
    assert not accepts([[0, 1]], [[0, 1]])
    assert accepts([np.ones(1), 2], [np.ones(1), 2])
    assert accepts(np.array([True, False]), [True, False])


def test_equal_takes_lists_as_lists() -> None:
    equal([3, 1, 2], [3, 1, 2])
    for other in ([3, 1], [3, 1, 2.0], (3, 1, 2), np.array([3, 1, 2])):
        with pytest.raises(Failure):
            equal(other, [3, 1, 2])


def test_widths_are_the_statements_business() -> None:
    half = np.ones(2, dtype=np.float16)
    assert accepts(half, np.ones(2))
    assert not accepts(half, np.ones(2), dtypes=("float32", "float64"))
    assert not accepts(half, np.ones(2), dtypes="same")
    assert accepts(torch.ones(2, dtype=torch.bfloat16), torch.ones(2, dtype=torch.bfloat16), dtypes="same")
    assert not accepts(torch.ones(2, dtype=torch.bfloat16), torch.ones(2, dtype=torch.float16), dtypes="same")


def test_views_conjugates_and_required_gradients_are_numbers_like_any_other() -> None:
    base = np.arange(12.0).reshape(3, 4)
    assert accepts(base.T[::-1], np.ascontiguousarray(base.T[::-1]))
    base.flags.writeable = False
    assert accepts(base, base.copy())
    z = torch.tensor([1 + 2j])
    assert accepts(z.conj(), torch.tensor([1 - 2j]))
    assert accepts(torch.ones(2, requires_grad=True), torch.ones(2))
    assert accepts(torch.ones(2, requires_grad=True).bfloat16(), torch.ones(2))


def test_tolerances_come_from_the_context_and_may_be_overridden() -> None:
    with tolerances(0.0, 0.5):
        assert accepts(np.array([1.4]), np.array([1.0]))
        assert not accepts(np.array([1.4]), np.array([1.0]), atol=0.1)
        with tolerances(0.0, 0.1):
            assert not accepts(np.array([1.4]), np.array([1.0]))
        assert accepts(np.array([1.4]), np.array([1.0]))
    assert not accepts(np.array([1.4]), np.array([1.0]))


@pytest.mark.parametrize("bad", [-1.0, float("nan"), float("inf")])
def test_a_tolerance_that_would_accept_anything_is_the_authors_error(bad: float) -> None:
    with pytest.raises(ValueError, match="must be finite and not negative"):
        close(1.0, 1.0, rtol=bad)


def test_what_no_author_may_compare_with_is_the_authors_error() -> None:
    with pytest.raises(TypeError, match="Compare with an array, tensor or number"):
        close(1.0, {1, 2})


def test_expected_values_made_from_nan_do_not_let_nan_pass() -> None:
    found = np.full(3, np.nan)
    assert failure(found, found.copy()).kind == "expectation"


def test_nested_results_say_which_part_is_meant() -> None:
    expected = (np.zeros(2), {"weights": [np.zeros(2), np.zeros(3)]})
    wrong = (np.zeros(2), {"weights": [np.zeros(2), np.zeros(4)]})
    assert failure(wrong, expected).message.startswith("In result[1]['weights'][1]: the shape should be (3,)")
    assert failure((np.zeros(2), {"weights": 1}), expected).details["within"] == "result[1]['weights']"


def test_details_are_small_and_hold_a_thinned_heat_map() -> None:
    rng = np.random.default_rng(0)
    expected = rng.normal(size=(3, 200, 100))
    actual = expected.copy()
    actual[1, 77, 33] += 1
    details = failure(actual, expected).details
    heat = details["heatmap"]
    assert details["index"] == [1, 77, 33]
    assert heat["slice"] == [1]
    assert 77 in heat["rows"]
    assert 33 in heat["columns"]
    assert np.shape(heat["got"]) == np.shape(heat["expected"]) == (32, 32)
    assert heat["rows"] == sorted(set(heat["rows"]))
    at = heat["rows"].index(77), heat["columns"].index(33)
    assert heat["got"][at[0]][at[1]] == pytest.approx(actual[1, 77, 33], rel=1e-4)
    assert len(json.dumps(details)) < 40_000


def test_a_large_array_is_compared_without_a_large_detour() -> None:
    expected = np.zeros((1500, 1000), dtype=np.float32)
    actual = expected + 1
    assert failure(actual, expected).details["wrong"] == 1_500_000


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf")])
def test_a_number_that_is_not_finite_equals_itself_only_where_that_is_asked_for(value: float) -> None:
    equal([1.0, value], [1.0, value])
    close((value,), (value,), allow_nonfinite=True)
    with pytest.raises(Failure):
        close((value,), (value,))
    with pytest.raises(Failure):
        equal([value], [1.0])


def test_equal_plain_values_still_answer_for_their_dtype() -> None:
    with pytest.raises(Failure, match="float32"):
        close((1.0,), (1.0,), dtypes=("float32",))


def test_a_shape_is_compared_before_a_number_is_touched() -> None:
    actual = np.zeros(16 << 20, dtype=np.int8)
    assert peak_of(lambda: failure(actual, np.zeros((2, 3)))) < MB
    assert peak_of(lambda: failure(actual.reshape(4, -1), np.broadcast_to(np.int8(0), (4 << 20, 4)))) < MB


def test_comparing_two_large_answers_costs_little_more_than_they_do() -> None:
    first = np.zeros(16 << 20, dtype=np.int8)
    second = first.copy()
    assert peak_of(lambda: equal(second, first)) < 96 * MB
    second[-1] = 1
    assert peak_of(lambda: failure(second, first)) < 96 * MB
    assert failure(second, first).details["index"] == [second.size - 1]


def test_the_furthest_off_is_found_in_whichever_block_it_is() -> None:
    expected = np.ones((1000, 1000))
    actual = expected.copy()
    actual[0, 1], actual[900, 3], actual[950, 7] = 2.0, -5.0, 4.0
    details = failure(actual, expected).details
    assert (details["wrong"], details["index"]) == (3, [900, 3])
    assert (details["expected"], details["got"], details["max_abs"], details["max_rel"]) == (1.0, -5.0, 6.0, 6.0)


def peak_of(compare: Callable[[], object]) -> int:
    """The most bytes that it holds at once."""
    tracemalloc.start()
    try:
        compare()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
