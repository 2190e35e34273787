"""{{SECRET}}"""

import numpy as np
import pytest

from exercises.testkit import close, points, sample

HIDDEN = "{{SECRET}}"


@sample
def test_example(solution):
    """Twice 1, 2, 3"""
    close(solution.twice(np.array([1.0, 2.0, 3.0])), [2.0, 4.0, 6.0])


@points(5)
@pytest.mark.parametrize("rows", [pytest.param(3, id="{{SECRET}}")])
def test_any_array(solution, reference, rng, rows):
    """Any array"""
    x = rng.standard_normal((rows, 4))
    close(solution.twice(x), reference.twice(x), dtypes=("float64",))


@points(4)
def test_last(solution, rng):
    """Another array, last"""
    x = rng.standard_normal((2, 5)) + 3.0
    close(solution.twice(x), 2.0 * x, dtypes=("float64",))
