"""The first start: what the shipped record proves is published once this machine has judged its reference."""

from __future__ import annotations

from collections.abc import Callable

from exercises.models import Proof, Standing
from exercises.package import Package, PackageError, by_slug, slugs
from exercises.services import load_package, publish, store_proof
from grader.judge import judge
from grader.proof_record import ProofRecord
from grader.report import Report
from grader.sandbox import Sandbox
from grader.side_by_side import side_by_side

_SEED = 0


def publish_recorded(say: Callable[[str], object]) -> list[str]:
    """Keep the shipped record's proofs; publish what they hold for, where learners see nothing of an exercise yet.

    Returns the slugs of what is published now. `say` is told of what stays hidden, and why. Raises `BadRecord`, and
    what `judge` raises.
    """
    record = ProofRecord.read()
    ready: list[Package] = []
    unproven: list[str] = []
    newer: list[str] = []
    for package in _readable():
        revision = load_package(package=package)
        recorded = record.recall(package)
        standing = Proof.objects.standing(package.digest)
        if recorded is not None and standing in (Standing.NOT_PROVEN, Standing.PROVEN_EARLIER):
            store_proof(digest=package.digest, extent=recorded["extent"], ok=True, report=recorded)
            standing = Proof.objects.standing(package.digest)
        if revision.exercise.published is None:
            if standing is Standing.PROVEN:
                ready.append(package)
            else:
                unproven.append(package.slug)
        elif not revision.is_published and standing is Standing.PROVEN:
            newer.append(package.slug)
    published: list[str] = []
    for package, report in side_by_side(ready, _judge_reference):
        if report.accepted:
            publish(revision=load_package(package=package))
            published.append(package.slug)
        else:
            say(f"{package.slug} is not shown: its reference is not accepted on this machine. {report.message}")
    if unproven:
        say(
            f"Not shown, because no proof of them holds: {', '.join(unproven)}. "
            "`manage.py verify_exercises --unpublished --publish` proves them, in some minutes."
        )
    if newer:
        say(
            f"Learners still see an earlier revision of {', '.join(newer)}. The new one is proven: publish it in the "
            f"admin, or with `manage.py verify_exercises --changed --publish {' '.join(newer)}`."
        )
    return published


def _readable() -> list[Package]:
    packages = []
    for slug in slugs():
        try:
            packages.append(by_slug(slug))
        except PackageError:
            continue  # loading exercises has told of it
    return packages


def _judge_reference(package: Package, sandbox: Sandbox) -> Report:
    return judge(package, package.reference, seed=_SEED, sandbox=sandbox)
