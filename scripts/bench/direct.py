"""One process that judges the reference again and again: `python -m scripts.bench.direct SLUG HOW_MANY`.

It does so HOW_MANY times for every line that it reads.
"""

from __future__ import annotations

import sys

from exercises.package import by_slug
from grader.judge import judge
from grader.sandbox import Sandbox


def main(slug: str, how_many: int) -> None:
    package = by_slug(slug)
    with Sandbox() as sandbox:
        judge(package, package.reference, seed=0, sandbox=sandbox)
        print("ready", flush=True)
        while sys.stdin.readline():
            for seed in range(how_many):
                assert judge(package, package.reference, seed=seed, sandbox=sandbox).accepted
            print("done", flush=True)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
