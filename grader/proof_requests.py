"""Proving a draft on request. The rows are the queue; a worker takes one when no submission waits."""

from __future__ import annotations

import logging
from datetime import timedelta
from typing import TYPE_CHECKING
from uuid import uuid4

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from exercises.models import Revision
from exercises.services import store_proof
from grader import wakeups
from grader.models import ProofRequest, ProofRequestQuerySet
from grader.proving import ProofReport, prove
from grader.sandbox import Cancelled, PlatformFault, Sandbox, SandboxUnavailable

if TYPE_CHECKING:
    from django.contrib.auth.models import User

log = logging.getLogger(__name__)


@transaction.atomic
def ask(*, revision: Revision, by: User) -> None:
    """Have `revision` proven by a worker. Asked again, it starts over: after a fault, say, or a lost worker."""
    fresh = {"asked_by": by, "asked_at": timezone.now(), "claim_token": None, "claimed_until": None, "fault": ""}
    ProofRequest.objects.update_or_create(revision=revision, defaults=fresh)
    wakeups.after_commit()


def prove_next(sandbox: Sandbox) -> ProofRequest | None:
    """Prove what was asked for first and keep what was found; None when nobody asked.

    Our own faults prove nothing: they are kept with the request, for whoever asked to read and ask again.
    """
    request = _claim()
    if request is None:
        return None
    try:
        report = prove(request.revision.package(), sandbox)
    except Cancelled:
        _release(request)
    except (PlatformFault, SandboxUnavailable) as fault:
        _fail(request, str(fault))
    except Exception as error:
        # As with submissions: whatever went wrong here, somebody has to be able to read it.
        log.exception("%s failed", request)
        _fail(request, f"{type(error).__name__}: {error}")
    else:
        _record(request, report)
    return request


def _claim() -> ProofRequest | None:
    now, token = timezone.now(), uuid4()
    waiting = ProofRequest.objects.claimable(now)
    if not waiting.exists():  # nearly always; SQLite's only write lock is for those who have something to write
        return None
    oldest = waiting.select_for_update(skip_locked=True).order_by("asked_at", "pk")
    with transaction.atomic():
        ProofRequest.objects.filter(pk=oldest.values("pk")[:1]).update(
            claim_token=token, claimed_until=now + timedelta(seconds=settings.CELERY_TASK_TIME_LIMIT)
        )
    return ProofRequest.objects.select_related("revision__exercise").filter(claim_token=token).first()


@transaction.atomic
def _record(request: ProofRequest, report: ProofReport) -> None:
    """Whoever finds something may keep it: what is found about a digest is the same for all."""
    store_proof(digest=report.digest, extent=report.extent, ok=report.ok, report=report.to_json())
    _mine(request).delete()


def _fail(request: ProofRequest, fault: str) -> None:
    log.error("%s failed: %s", request, fault)
    _release(request, fault=fault)


def _release(request: ProofRequest, **values: str) -> None:
    _mine(request).update(claim_token=None, claimed_until=None, **values)


def _mine(request: ProofRequest) -> ProofRequestQuerySet:
    return ProofRequest.objects.filter(pk=request.pk, claim_token=request.claim_token)
