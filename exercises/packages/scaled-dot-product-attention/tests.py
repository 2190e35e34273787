import numpy as np
import pytest
import torch

from exercises.testkit import FLOATS, close, deterministic, points, sample, unchanged

# (leading axes, queries, keys, d_k, d_v): lengths differ, but in the two square ones, where only values go wrong.
# There is a large batch, many heads, and a long and wide one.
SIZES = [
    ((), 3, 5, 4, 2),
    ((), 4, 4, 4, 4),
    ((10,), 4, 6, 5, 3),
    ((3,), 3, 3, 3, 3),
    ((1,), 1, 7, 1, 1),
    ((2, 3), 5, 2, 8, 4),
    ((2, 9), 6, 1, 2, 3),
    ((), 70, 66, 90, 3),
]
EXAMPLE = (
    np.array([[2.0, 0.0, 0.0, 0.0], [0.0, 0.0, 2.0, 2.0]]),
    np.array([[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 1.0]]),
    np.array([[10.0, 0.0], [0.0, 10.0], [5.0, 5.0]]),
)


def inputs(rng, leading, n_queries, n_keys, d_k, d_v):
    """Of order 1, so that scores are, too, and a lost scale shows."""
    return [rng.normal(size=(*leading, *rest)) for rest in ((n_queries, d_k), (n_keys, d_k), (n_keys, d_v))]


def oracle(q, k, v):
    """torch's own attention, in float64."""
    tensors = (torch.from_numpy(np.ascontiguousarray(array)) for array in (q, k, v))
    return torch.nn.functional.scaled_dot_product_attention(*tensors).numpy()


@sample
def test_example_of_the_statement(solution):
    """Two queries, three keys"""
    close(solution.attention(*EXAMPLE), [[6.8208766, 3.1791234], [5.0, 5.0]], dtypes=FLOATS)


@sample
def test_example_with_a_batch_and_heads(solution):
    """The same example as a batch of two sequences with one head; the second has its values doubled"""
    q, k, v = (np.stack([array, array])[:, np.newaxis] for array in EXAMPLE)
    v[1] *= 2.0
    expected = np.array([[[[6.8208766, 3.1791234], [5.0, 5.0]]], [[[13.6417533, 6.3582467], [10.0, 10.0]]]])
    close(solution.attention(q, k, v), expected, dtypes=FLOATS)


@points(2)
@pytest.mark.parametrize("leading, n_queries, n_keys, d_k, d_v", SIZES)
def test_every_value(solution, rng, leading, n_queries, n_keys, d_k, d_v):
    """Every value, with and without leading axes, at all kinds of sizes"""
    x = inputs(rng, leading, n_queries, n_keys, d_k, d_v)
    close(solution.attention(*x), oracle(*x), dtypes=FLOATS)


def test_published_values(solution):
    """Identity queries and keys, as in a well-known published example"""
    x = np.eye(2)
    v = np.array([[1.0, 2.0], [3.0, 4.0]])
    close(solution.attention(x, x, v), [[1.660477, 2.660477], [2.339523, 3.339523]], dtypes=FLOATS)


def test_weights_add_up_to_one(solution, rng):
    """If all values are equal, the output is that value"""
    q, k, v = inputs(rng, (2,), 4, 6, 5, 3)
    v[:] = v[:, :1]
    close(solution.attention(q, k, v), np.repeat(v[:, :1], 4, axis=1))


def test_query_of_zeros(solution, rng):
    """A query of zeros fits every key equally: its output is the mean of the values"""
    q, k, v = inputs(rng, (), 3, 6, 4, 5)
    q[1] = 0.0
    output = solution.attention(q, k, v)
    close(output, oracle(q, k, v), dtypes=FLOATS)
    close(output[1], v.mean(axis=0), of="row 1")


def test_order_of_the_keys(solution, rng):
    """Keys and values in another order, each with its partner, change nothing"""
    q, k, v = inputs(rng, (2,), 3, 7, 6, 2)
    order = rng.permutation(7)
    close(solution.attention(q, k[:, order], v[:, order]), oracle(q, k, v))


@points(2)
def test_large_scores(solution, rng):
    """Scores in the thousands"""
    q, k = 200.0 * rng.integers(-3, 4, (2, 5, 4)), 1.0 * rng.integers(-3, 4, (2, 6, 4))
    v = rng.normal(size=(2, 6, 3))
    # Among them are equal ones, which float32 tells apart if a factor is not a power of two.
    # The first query scores 6000 and 6001 with its two best keys.
    q[0, 0], k[0, 1], k[0, 4] = [4000.0, 1.0, 0.0, 0.0], [3.0, 0.0, 0.0, 0.0], [3.0, 2.0, 0.0, 0.0]
    k[0, [0, 2, 3, 5], 0] = -1.0
    close(solution.attention(q, k, v), oracle(q, k, v), atol=0.01)


def test_scores_far_apart(solution, rng):
    """One query scores thousands below another: both keep their own weights"""
    # e to the −743 is not yet 0, but has only a digit left.
    low = [np.array(rows) for rows in ([[1.0]], [[-743.0], [-743.75]], [[0.0], [1.0]])]
    close(solution.attention(*low), oracle(*low))
    q, k = 1.0 * rng.integers(-2, 3, (3, 4)), 1.0 * rng.integers(-2, 3, (5, 4))
    v = rng.normal(size=(5, 3))
    k[:, 0], q[:, 0] = 1.0, rng.permutation([-4000.0, 0.0, 4000.0])
    k[:, 1], q[:, 1] = np.arange(5.0), 2.0
    close(solution.attention(q, k, v), oracle(q, k, v), atol=0.01)


def test_sequences_and_heads_do_not_mix(solution, rng):
    """Each head of each sequence gives the same result alone as together, at sizes that differ every time"""
    sizes = (int(size) for size in rng.integers(2, 8, 4))
    q, k, v = inputs(rng, (2, 2), *sizes)
    expected = oracle(q, k, v)
    close(solution.attention(q, k, v), expected)
    close(solution.attention(q[1], k[1], v[1]), expected[1])
    close(solution.attention(q[0, 1], k[0, 1], v[0, 1]), expected[0, 1])


def test_inputs_stay_unchanged(solution, rng):
    """Queries, keys and values are left as they were, with and without leading axes"""
    for leading in (), (1,), (2,), (2, 3):
        unchanged(solution.attention, *inputs(rng, leading, 3, 4, 5, 2))


def test_calls_agree(solution, rng):
    """The same call gives the same result, also after calls of another size, or of the same size with other numbers"""
    x, other, twin = inputs(rng, (2,), 3, 4, 5, 2), inputs(rng, (), 2, 6, 3, 4), inputs(rng, (2,), 3, 4, 5, 2)
    first = deterministic(solution.attention, *x)
    close(solution.attention(*other), oracle(*other))
    close(solution.attention(*twin), oracle(*twin))
    close(solution.attention(*x), oracle(*x))
    close(first, oracle(*x))
