"""From a click in a browser to the first test that the page shows, beside what the server itself needs for it."""

from __future__ import annotations

import json
import os
from pathlib import Path

from scripts.bench.house import house
from scripts.bench.scale import WHOLE, Scale

ROUNDS = 25
CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")


def click(scale: Scale = WHOLE) -> dict[str, float]:
    """Medians, in milliseconds: `click_over_server_ms` is of the differences, round by round.

    The server's own time begins with the queued row and ends with the first test's progress: queue and judging.
    {} where there is no Chromium.
    """
    if not Path(CHROMIUM).exists():
        print("  the click is left out, because there is no Chromium here", flush=True)
        return {}
    with house(port=0) as place:
        found: dict[str, float] = json.loads(place.run("-m", "scripts.bench.clicks", str(scale.of(ROUNDS))))
    return found
