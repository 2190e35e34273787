import numpy as np
import pytest
import torch

from exercises.testkit import FLOATS, close, deterministic, expect, points, sample, shape_is, unchanged

# (leading axes, tokens, d_k, d_v): in the square one, nothing but values can go wrong; the last has many heads.
SIZES = [((), 5, 4, 3), ((10,), 4, 3, 6), ((3,), 3, 3, 3), ((1,), 1, 2, 1), ((2, 9), 6, 5, 2)]


def inputs(rng, leading, n, d_k, d_v):
    """Of order 1, so that scores are, too, and a lost scale shows."""
    return [rng.normal(size=(*leading, n, width)) for width in (d_k, d_k, d_v)]


def attended(q, k, v):
    """torch's own attention in float64, without a mask."""
    tensors = (torch.from_numpy(np.ascontiguousarray(array)) for array in (q, k, v))
    return torch.nn.functional.scaled_dot_product_attention(*tensors).numpy()


def oracle(q, k, v, padding_mask=None):
    """Each query by itself with the keys it may see and no others; no mask is needed for that."""
    n = q.shape[-2]
    if padding_mask is None:
        steps = ((q[..., i : i + 1, :], k[..., : i + 1, :], v[..., : i + 1, :]) for i in range(n))
        return np.concatenate([attended(*step) for step in steps], axis=-2)
    output = np.zeros(v.shape)
    real = np.broadcast_to(padding_mask, (*q.shape[:-2], 1, n))
    for place in np.ndindex(q.shape[:-1]):
        lead, i = place[:-1], place[-1]
        seen = np.flatnonzero(real[lead][0, : i + 1])
        if len(seen):
            output[place] = attended(q[lead][i : i + 1], k[lead][seen], v[lead][seen])[0]
    return output


def padded(rng, where, batch, n):
    """(batch, 1, n), True for real tokens; every sequence has some, and they differ. `where` padding stands."""
    lengths = rng.permutation(np.arange(2, 2 + batch))[:, np.newaxis]
    places = np.arange(n)
    real = {
        "after": places < lengths,
        "between": (places == 0) | (rng.permuted(np.tile(places, (batch, 1)), axis=1) < n // 2),
        "before": places >= n - lengths,
    }[where]
    return real[:, np.newaxis]


def example():
    q = np.array([[2.0, 0.0, 0.0, 0.0]] * 3)
    k = np.array([[0.0, 0.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0], [2.0, 0.0, 0.0, 0.0]])
    return q, k, np.array([[10.0, 0.0], [0.0, 10.0], [5.0, 5.0]])


@sample
def test_example_of_the_statement(solution):
    """Three tokens, no padding"""
    expected = [[10.0, 0.0], [2.6894142, 7.3105858], [4.2265114, 5.7734886]]
    close(solution.causal_attention(*example()), expected, dtypes=FLOATS)


@sample
def test_example_with_padding(solution):
    """The same with token 0 as padding"""
    expected = [[0.0, 0.0], [0.0, 10.0], [3.6552929, 6.3447071]]
    close(solution.causal_attention(*example(), np.array([[False, True, True]])), expected, dtypes=FLOATS)


@points(2)
@pytest.mark.parametrize("leading, n, d_k, d_v", SIZES)
def test_every_value(solution, rng, leading, n, d_k, d_v):
    """Every value without padding, with and without leading axes"""
    x = inputs(rng, leading, n, d_k, d_v)
    close(solution.causal_attention(*x), oracle(*x), dtypes=FLOATS)


def test_any_length(solution, rng):
    """A sentence of some 70 tokens, whose number differs from submission to submission, with and without padding"""
    n = int(rng.integers(67, 76))
    (q, k, v), real = inputs(rng, (), n, 3, 2), np.arange(n) % 5 > 0
    close(solution.causal_attention(q, k, v), oracle(q, k, v))
    output = shape_is(solution.causal_attention(q, k, v, real[np.newaxis]), (n, 2), dtypes=FLOATS)
    close(output[-1:], attended(q[-1:], k[real], v[real]), of="the last row")


@points(2)
def test_nothing_leaks_from_the_future(solution, rng):
    """Changing a token changes nothing at the positions before it"""
    x = inputs(rng, (2,), 7, 4, 3)
    place = int(rng.integers(2, 6))
    before = solution.causal_attention(*x)
    close(before, oracle(*x), dtypes=FLOATS)
    for array in x:
        array[:, place:] += rng.normal(2.0, 1.0, array[:, place:].shape)
    after = shape_is(solution.causal_attention(*x), (2, 7, 3), dtypes=FLOATS)
    close(after[:, :place], before[:, :place])
    changed = np.abs(after[:, place:] - before[:, place:]).max(axis=-1)
    expect(np.all(changed > 1e-2), "A changed token, and all after it, should give another result.", public=True)


@points(2)
def test_beginning_of_a_sentence(solution, rng):
    """The first tokens alone give what they give in the whole sentence, and the first one its own value"""
    q, k, v = inputs(rng, (), 6, 5, 4)
    whole = solution.causal_attention(q, k, v)
    close(whole, oracle(q, k, v))
    close(whole[0], v[0], of="row 0")
    for n in (1, 3, 5):
        close(solution.causal_attention(q[:n], k[:n], v[:n]), whole[:n])


@points(2)
@pytest.mark.parametrize("where", ["after", "between"])
def test_padding(solution, rng, where):
    """Padding at the end, or in the middle, differing from sequence to sequence"""
    x, mask = inputs(rng, (3,), 6, 4, 3), padded(rng, where, 3, 6)
    close(solution.causal_attention(*x, mask), oracle(*x, mask), dtypes=FLOATS)


def test_padding_with_heads(solution, rng):
    """A padding mask of shape (batch, 1, 1, n) holds for all heads, each sequence with its own"""
    x, mask = inputs(rng, (10, 2), 11, 2, 3), padded(rng, "after", 10, 11)[:, np.newaxis]
    output = shape_is(solution.causal_attention(*x, mask), (10, 2, 11, 3), dtypes=FLOATS)
    close(output[7:], oracle(*(array[7:] for array in (*x, mask))), of="the last three sequences")


def test_one_padding_mask_for_all(solution, rng):
    """A padding mask of shape (1, n) holds for all sequences; here a single token is padding"""
    x, mask = inputs(rng, (3,), 6, 4, 3), np.arange(6)[np.newaxis] != int(rng.integers(1, 4))
    close(solution.causal_attention(*x, mask), oracle(*x, mask))


def test_what_padding_holds_does_not_matter(solution, rng):
    """Other keys and values in the place of padding change nothing"""
    (q, k, v), mask = inputs(rng, (3,), 6, 4, 3), padded(rng, "between", 3, 6)
    expected = oracle(q, k, v, mask)
    padding = ~mask[:, 0]
    k[padding] += 3.0
    v[padding] -= 50.0
    close(solution.causal_attention(q, k, v, mask), expected)


def test_no_padding(solution, rng):
    """A padding mask of True alone is as good as none"""
    x = inputs(rng, (2,), 5, 3, 4)
    close(solution.causal_attention(*x, np.ones((2, 1, 5), dtype=bool)), oracle(*x))


@points(2)
def test_large_scores(solution, rng):
    """Scores of tens of thousands, with and without padding"""
    # Among them are equal ones, which float32 tells apart if a factor is not a power of two.
    q, k = 4000.0 * rng.integers(-3, 4, (3, 6, 4)), 1.0 * rng.integers(-3, 4, (3, 6, 4))
    v, mask = rng.normal(size=(3, 6, 3)), padded(rng, "between", 3, 6)
    close(solution.causal_attention(q, k, v), oracle(q, k, v), atol=0.05)
    close(solution.causal_attention(q, k, v, mask), oracle(q, k, v, mask), atol=0.05)


def test_large_scores_in_the_future(solution, rng):
    """Tokens fit the ones after them, and padding, far better than themselves"""
    q, k = np.zeros((5, 4)), np.zeros((5, 4))
    # The scores are half of that: from −90000 to 90000. Each token fits better than all before it.
    q[:, 0], k[:, 0], v = 1.0, [-180000.0, -90000.0, 0.0, 178000.0, 180000.0], rng.normal(size=(5, 3))
    close(solution.causal_attention(q, k, v), v)
    mask = np.arange(5)[np.newaxis] == 0
    close(solution.causal_attention(q, k, v, mask), np.repeat(v[:1], 5, axis=0))


@points(2)
def test_nothing_to_attend_to(solution, rng):
    """Padding at the beginning: queries that may attend to nothing give zeros, the others what they should"""
    x, mask = inputs(rng, (3,), 7, 4, 3), padded(rng, "before", 3, 7)
    output = shape_is(solution.causal_attention(*x, mask), (3, 7, 3), dtypes=FLOATS)
    close(output, oracle(*x, mask))
    close(solution.causal_attention(*x, np.zeros((3, 1, 7), dtype=bool)), np.zeros((3, 7, 3)))
    close(solution.causal_attention(*inputs(rng, (), 1, 4, 3), np.array([[False]])), np.zeros((1, 3)))


def test_nothing_to_attend_to_with_heads(solution, rng):
    """The same with heads"""
    x, mask = inputs(rng, (3, 2), 5, 4, 3), padded(rng, "before", 3, 5)[:, np.newaxis]
    close(solution.causal_attention(*x, mask), oracle(*x, mask))


def test_inputs_stay_unchanged(solution, rng):
    """Queries, keys, values and the mask are left as they were, whatever the shape of the mask"""
    for leading, padding in (((), None), ((), (1, 6)), ((1,), (1, 1, 6)), ((3,), None), ((2, 3), (2, 1, 1, 6))):
        mask = () if padding is None else (np.broadcast_to(np.arange(6) > 1, padding).copy(),)
        unchanged(solution.causal_attention, *inputs(rng, leading, 6, 5, 2), *mask)
    unchanged(solution.causal_attention, *inputs(rng, (3,), 6, 5, 2), padded(rng, "after", 3, 6))


def test_calls_agree(solution, rng):
    """The same call gives the same result, also after calls of another size, with a mask, or with other numbers"""
    x, other, one = inputs(rng, (2,), 4, 5, 2), inputs(rng, (2,), 6, 3, 4), inputs(rng, (), 4, 3, 2)
    mask, row = padded(rng, "after", 2, 6), np.array([[False, True, False, True]])
    first = deterministic(solution.causal_attention, *x)
    for padding in (mask, ~mask):
        other = [array + 1.0 for array in other]
        close(solution.causal_attention(*other, padding), oracle(*other, padding))
    close(solution.causal_attention(*one, row), oracle(*one, row))
    close(solution.causal_attention(*one), oracle(*one))
    twin = inputs(rng, (2,), 4, 5, 2)
    close(solution.causal_attention(*twin), oracle(*twin))
    close(solution.causal_attention(*x), oracle(*x))
    close(first, oracle(*x))
