"""The order in which the exercises build on each other."""

from __future__ import annotations

from collections.abc import Iterable
from graphlib import CycleError, TopologicalSorter

from exercises.package import Package, PackageError


def in_learning_order(packages: Iterable[Package]) -> list[Package]:
    """Each after all that it comes after, else by slug; raise `PackageError` if that cannot be.

    Prerequisites that are not among `packages` do not count.
    """
    by_slug = {package.slug: package for package in sorted(packages, key=lambda package: package.slug)}
    sorter = TopologicalSorter({slug: by_slug.keys() & set(package.spec.after) for slug, package in by_slug.items()})
    ordered: list[Package] = []
    try:
        sorter.prepare()
    except CycleError as error:
        raise PackageError(
            (f"These exercises come after each other: {', '.join(error.args[1])}. Undo one “after”.",)
        ) from None
    while sorter.is_active():
        ready = sorted(sorter.get_ready())
        ordered += [by_slug[slug] for slug in ready]
        sorter.done(*ready)
    return ordered
