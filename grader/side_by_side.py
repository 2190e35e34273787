"""The same work on many packages, as many at once as there are processors, each in a sandbox of its own."""

from __future__ import annotations

import os
import queue
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from typing import TypeVar

from django.conf import settings

from exercises.package import Package
from grader.sandbox import Sandbox

Found = TypeVar("Found")


def side_by_side(
    packages: Sequence[Package], work: Callable[[Package, Sandbox], Found]
) -> Iterator[tuple[Package, Found]]:
    """Each package with what `work` found, in the order given. Raises what `work` raises. For the main thread."""
    if not packages:
        return
    free: queue.SimpleQueue[Sandbox] = queue.SimpleQueue()

    def one(package: Package) -> Found:
        sandbox = free.get()
        try:
            return work(package, sandbox)
        finally:
            free.put(sandbox)

    with ExitStack() as stack:
        at_once = min(len(packages), os.cpu_count() or 1)
        for _ in range(at_once):  # here, on the main thread: a zygote dies with the thread that started it
            free.put(stack.enter_context(Sandbox(minimum_level=settings.GRADUS_LEAST_SANDBOX_LEVEL)))
        executor = stack.enter_context(ThreadPoolExecutor(at_once))
        stack.callback(executor.shutdown, cancel_futures=True)
        yield from zip(packages, executor.map(one, packages), strict=True)
