from __future__ import annotations

import numpy as np
import pytest

from courses import sinusoidal
from exercises.package import by_slug


def test_the_figure_shows_what_the_exercise_reference_computes() -> None:
    namespace: dict[str, object] = {}
    exec(by_slug("positional-encoding").reference, namespace)
    expected = namespace["positional_encoding"](sinusoidal.POSITIONS, sinusoidal.D_MODEL)  # type: ignore[operator]
    shown = [[sinusoidal.value(p, d) for d in range(sinusoidal.SHOWN)] for p in range(sinusoidal.POSITIONS)]
    np.testing.assert_allclose(shown, expected[:, : sinusoidal.SHOWN], atol=1e-12)


@pytest.mark.parametrize(("dimension", "value"), [(0, 0.841), (1, 0.540), (2, 0.822), (3, 0.570)])
def test_row_one_begins_as_published(dimension: int, value: float) -> None:
    assert round(sinusoidal.value(1, dimension), 3) == value


def test_shades_reach_both_ends() -> None:
    shades = {tile.shade for tile in sinusoidal.tiles()}
    assert min(shades) == 0
    assert max(shades) == sinusoidal.SHADES
