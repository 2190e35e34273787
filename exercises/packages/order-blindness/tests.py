import numpy as np
import pytest
import torch

from exercises.testkit import FLOATS, close, deterministic, points, sample, unchanged

# (tokens, d_model, d_k, d_v): in the square one, nothing but values can go wrong; one is long, one a single token.
SIZES = [(5, 4, 3, 2), (4, 4, 4, 4), (70, 3, 5, 1), (1, 3, 2, 4)]


def sentence(rng, n, d_model):
    """Embeddings and positions of order 1."""
    return rng.normal(size=(n, d_model)), rng.normal(size=(n, d_model))


def projections(rng, d_model, d_k, d_v):
    """Weights that make scores of order 1, so that a lost scale shows."""
    return [rng.normal(0.0, 1.2 / d_model**0.5, (d_model, width)) for width in (d_k, d_k, d_v)]


def cycle(rng, n):
    """An order in which every token moves and, from three tokens on, no two just change places."""
    tokens = rng.permutation(n)
    order = np.empty(n, dtype=np.int64)
    order[tokens] = np.roll(tokens, -1)
    return order


def attended(x, w_q, w_k, w_v):
    """torch's own attention, in float64."""
    tensors = (torch.from_numpy(x @ weights)[None] for weights in (w_q, w_k, w_v))
    return torch.nn.functional.scaled_dot_product_attention(*tensors)[0].numpy()


def shuffled(x, order, weights, positions):
    """By the theorem, without shuffling anything: each token with the position of the place where it ends up."""
    place = {int(token): p for p, token in enumerate(order)}
    return attended(x + np.stack([positions[place[token]] for token in range(len(x))]), *weights)


def changes(x, order, weights, positions):
    """The differences between the two orders, by token."""
    return np.abs(shuffled(x, order, weights, positions) - attended(x + positions, *weights))


def change(x, order, weights, positions):
    """The largest of them."""
    return float(changes(x, order, weights, positions).max())


def example():
    x, identity = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]), np.eye(2)
    return x, np.array([2, 0, 1]), [identity] * 3, np.array([[0.0, 0.0], [1.0, 0.0], [2.0, 0.0]])


@sample
def test_example_of_a_bag(solution):
    """Dog, bites, man"""
    x, _, weights, _ = example()
    expected = [[0.8022242, 0.5988879], [0.5988879, 0.8022242], [0.7517449, 0.7517449]]
    close(solution.attend_bag(x, *weights), expected, dtypes=FLOATS)


@sample
def test_example_without_positions(solution):
    """Man, dog, bites: every word's result is the same"""
    x, order, weights, _ = example()
    expected = [[0.8022242, 0.5988879], [0.5988879, 0.8022242], [0.7517449, 0.7517449]]
    close(solution.attend_shuffled(x, order, *weights), expected, dtypes=FLOATS)


@sample
def test_example_with_positions(solution):
    """Man at place 0, dog at place 1, bites at place 2"""
    x, order, weights, positions = example()
    expected = [[1.8916166, 0.5541917], [1.8599708, 0.7160046], [1.7517449, 0.7517449]]
    close(solution.attend_shuffled(x, order, *weights, positions), expected, dtypes=FLOATS)


@sample
def test_example_of_the_measurement(solution):
    """The largest change without and with positions"""
    x, order, weights, positions = example()
    close(solution.largest_change(x, order, *weights), 0.0)
    close(solution.largest_change(x, order, *weights, positions), 1.2062468)


@points(2)
@pytest.mark.parametrize("n, d_model, d_k, d_v", SIZES)
def test_attention(solution, rng, n, d_model, d_k, d_v):
    """Self-attention of a sentence"""
    x, weights = sentence(rng, n, d_model)[0], projections(rng, d_model, d_k, d_v)
    close(solution.attend_bag(x, *weights), attended(x, *weights), dtypes=FLOATS)


@points(2)
@pytest.mark.parametrize("n, d_model, d_k, d_v", SIZES)
def test_shuffled_with_positions(solution, rng, n, d_model, d_k, d_v):
    """Each token gets the position of the place where it ends up, and its result its own row"""
    (x, positions), weights = sentence(rng, n, d_model), projections(rng, d_model, d_k, d_v)
    order = cycle(rng, n)
    expected = shuffled(x, order, weights, positions)
    close(solution.attend_shuffled(x, order, *weights, positions), expected, dtypes=FLOATS)


@points(2)
def test_shuffled_without_positions(solution, rng):
    """Without positions every token's result is the same in any order"""
    n, d_model, d_k, d_v = (int(size) for size in rng.integers(3, 9, 4))
    x, weights = sentence(rng, n, d_model)[0], projections(rng, d_model, d_k, d_v)
    for order in (cycle(rng, n), rng.permutation(n)):
        close(solution.attend_shuffled(x, order, *weights), attended(x, *weights), dtypes=FLOATS)


def test_order_that_changes_little(solution, rng):
    """In the old order nothing changes, with positions either; in an order in which some words stay, others do"""
    (x, positions), weights = sentence(rng, 5, 4), projections(rng, 4, 3, 2)
    stay, circle = np.arange(5), np.array([0, 2, 3, 1, 4])
    close(solution.attend_shuffled(x, stay, *weights, positions), attended(x + positions, *weights))
    close(solution.largest_change(x, stay, *weights, positions), 0.0)
    close(solution.attend_shuffled(x, circle, *weights, positions), shuffled(x, circle, weights, positions))
    close(solution.largest_change(x, circle, *weights, positions), change(x, circle, weights, positions))


@points(2)
def test_change_without_positions(solution, rng):
    """Without positions the largest change is 0"""
    for n in (1, 7):
        x, weights = sentence(rng, n, 4)[0], projections(rng, 4, 3, 5)
        close(solution.largest_change(x, cycle(rng, n), *weights), 0.0)


@points(2)
def test_change_with_positions(solution, rng):
    """With positions there is a change, of the same size when all values have the other sign"""
    n = int(rng.integers(66, 70))
    w_q, w_k, w_v = projections(rng, 4, 3, 5)
    token, column, order = 0, 0, cycle(rng, n)
    # One of the later tokens changes most, and not in its first column.
    while token < 20 or column == 0:
        x, positions = sentence(rng, n, 4)
        found = changes(x, order, (w_q, w_k, w_v), positions)
        token, column = divmod(int(found.argmax()), 5)
    expected = float(found.max())
    close(solution.largest_change(x, order, w_q, w_k, w_v, positions), expected)
    close(solution.largest_change(x, order, w_q, w_k, -w_v, positions), expected)


def test_equal_positions(solution, rng):
    """The same vector at every place tells nothing about the order: no change"""
    (x, positions), weights = sentence(rng, 6, 4), projections(rng, 4, 3, 5)
    positions[:] = positions[0]
    order = cycle(rng, 6)
    close(solution.attend_shuffled(x, order, *weights, positions), attended(x + positions, *weights))
    close(solution.largest_change(x, order, *weights, positions), 0.0)


def test_large_scores(solution, rng):
    """Scores in the thousands"""
    # Both tokens score −743 and −743.75: e to that is not yet 0, but has only a digit left.
    low = [np.array(rows) for rows in ([[1.0, 0.0], [1.0, 1.0]], [[1.0], [0.0]], [[-743.0], [-0.75]], [[0.0], [20.0]])]
    close(solution.attend_bag(*low), attended(*low))
    # Among them are equal ones, which float32 tells apart if a factor is not a power of two.
    # The last column of x counts for keys only. Without positions, token 0 scores 800, 4000, 4001, 4002 and 1200,
    # token 1 scores 0 with all, and the last one −800 at best.
    x = np.array([[2.0, 0.0, 0.0], [0.0, 0.0, 10.0], [0.0, 1.0, 10.0], [0.0, 2.0, 10.0], [-2.0, 0.0, 5.0]])
    w_q = np.array([[200.0, 1.0, 0.0, 0.0], 100.0 * rng.integers(-2, 3, 4), [0.0] * 4])
    w_k = np.array([[2.0, 0.0, *rng.integers(-2, 3, 2)], [0.0, 1.0, *rng.integers(-2, 3, 2)], [2.0, 0.0, 0.0, 0.0]])
    w_v, positions, order = 1.0 * rng.integers(-2, 3, (3, 2)), 1.0 * rng.integers(-2, 3, (5, 3)), cycle(rng, 5)
    w_v[1:, 0] = 1.0
    close(solution.attend_bag(x, w_q, w_k, w_v), attended(x, w_q, w_k, w_v), atol=0.05)
    expected = shuffled(x, order, (w_q, w_k, w_v), positions)
    close(solution.attend_shuffled(x, order, w_q, w_k, w_v, positions), expected, atol=0.05)


def test_inputs_stay_unchanged(solution, rng):
    """Sentence, order, weights and positions are left as they were, with and without positions"""
    (x, positions), weights = sentence(rng, 5, 4), projections(rng, 4, 3, 2)
    order = cycle(rng, 5)
    unchanged(solution.attend_bag, x, *weights)
    for given in ((), (positions,)):
        unchanged(solution.attend_shuffled, x, order, *weights, *given)
        unchanged(solution.largest_change, x, order, *weights, *given)


def test_calls_agree(solution, rng):
    """The same call gives the same result, also after calls of another size, or of the same size with other numbers"""
    (x, positions), weights = sentence(rng, 5, 4), projections(rng, 4, 3, 2)
    (other, _), others = sentence(rng, 3, 2), projections(rng, 2, 4, 3)
    (twin, places), twins = sentence(rng, 5, 4), projections(rng, 4, 3, 2)
    order, back = cycle(rng, 5), cycle(rng, 5)[::-1]
    first = deterministic(solution.attend_shuffled, x, order, *weights, positions)
    close(solution.largest_change(twin, order, *twins, places), change(twin, order, twins, places))
    close(solution.attend_shuffled(other, cycle(rng, 3), *others), attended(other, *others))
    close(solution.attend_shuffled(x, back, *weights, places), shuffled(x, back, weights, places))
    close(first, shuffled(x, order, weights, positions))
    close(deterministic(solution.largest_change, x, order, *weights, positions), change(x, order, weights, positions))
