"""Slow guessing of passwords and course codes down, and lock nobody out. docs/decisions/0014 says why it is so.

One name from one address may be wrong a few times, then it waits until its quarter of an hour is over. A name that many
addresses guess at, and an address that guesses at many names, are only slowed down: whoever comes anew gets a moment of
their own from which on they may try once, whatever others do meanwhile. A browser in which the person has signed in
before counts for itself alone. All is counted in the database, which every web process shares, and an attempt counts
before its password is looked at, so that many at once are no way round.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from ipaddress import IPv4Address, ip_address, ip_network
from math import ceil

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.crypto import salted_hmac

from courses import usernames
from courses.models import SignInTally

WINDOW = timedelta(minutes=15)
PER_PAIR = 8
"""Wrong passwords of one name from one address or known browser, or wrong codes of one person, in a window."""
FREE_PER_NAME = 5
FREE_PER_ADDRESS = 60  # a whole classroom may share one address
LONGEST_WAIT = 30
"""Seconds between two guesses at a name that is guessed at from everywhere."""
GAP = timedelta(seconds=0.5)
"""Between the moments that one address is given: names in any number do not make guesses in any number."""
PAIRS_PER_ADDRESS = 240
"""More names than these, from one address in one window, share one moment: so rows are bounded by addresses."""

KEPT = timedelta(days=7)
MOST_KEPT = 10_000
PRUNED_AT_ONCE = 500

Kind = SignInTally.Kind
OF_ONE_WINDOW = (Kind.PAIR, Kind.BROWSER, Kind.CODE)


class TooSoon(Exception):
    """Nothing was checked. `locked`: this name from here was wrong too often; else somebody else is guessing."""

    def __init__(self, *, seconds: float, locked: bool) -> None:
        super().__init__(f"in {seconds} s")
        self.seconds = max(1, ceil(seconds))
        self.locked = locked

    @property
    def when(self) -> str:
        """As "in 12 seconds" or "in 15 minutes"."""
        number, unit = (self.seconds, "second") if self.seconds < 120 else (ceil(self.seconds / 60), "minute")
        return f"in {number} {unit}{'' if number == 1 else 's'}"


@dataclass(frozen=True, slots=True)
class Attempt:
    """A password or code that is about to be checked; it counts as wrong until `succeeded` takes that back."""

    kind: Kind
    key: str
    name: str = ""
    address: str = ""


def begin(*, username: str, address: str, browser: str = "") -> Attempt:
    """Before a password is checked. `browser` names a browser that knows this person, if it is one. Raises TooSoon."""
    name, network = _name(username), _network(address)
    kind, place = (Kind.BROWSER, browser) if browser else (Kind.PAIR, network)
    return _begin(Attempt(kind, f"{name}\n{place}", name, network))


def begin_code(*, person: int) -> Attempt:
    """Before a course code is looked up for somebody who is signed in. Raises TooSoon."""
    return _begin(Attempt(Kind.CODE, str(person)))


@transaction.atomic
def succeeded(attempt: Attempt) -> None:
    """It was right: forget what the same person did wrong before, and nothing that others did."""
    address = _row(Kind.ADDRESS, attempt.address) if attempt.address else None
    own = _row(attempt.kind, attempt.key)
    name = _row(Kind.NAME, attempt.name) if attempt.name else None
    for row in (address, name):
        if row is None:
            continue
        if attempt.kind == Kind.PAIR:
            row.failures = max(0, row.failures - max(1, own.failures))
            row.pairs = max(0, row.pairs - bool(own.failures))
        row.total = max(0, row.total - 1)
        row.save()
    own.delete()


def _begin(attempt: Attempt) -> Attempt:
    refusal = _count(attempt)  # committed, also when it refuses: a moment that was given must stay given
    if refusal:
        raise refusal
    _prune()
    return attempt


@transaction.atomic
def _count(attempt: Attempt) -> TooSoon | None:
    """Rows are locked in one order, address, own, name, so that no two attempts wait for each other."""
    now = timezone.now()
    address = _row(Kind.ADDRESS, attempt.address) if attempt.address else None
    own, of_many = _own(attempt, address)
    if own.failures >= PER_PAIR and not of_many:
        return TooSoon(seconds=(own.since + WINDOW - now).total_seconds(), locked=True)
    wait = _wait(own, address, attempt.name, now) if attempt.kind == Kind.PAIR else 0
    if wait:
        return TooSoon(seconds=wait, locked=False)
    name = _row(Kind.NAME, attempt.name) if attempt.name else None
    for row in (address, own, name):
        if row is None:
            continue
        # What a known browser does wrong makes nobody else wait.
        row.failures += attempt.kind == Kind.PAIR or row is own
        row.total += 1
        row.last_at = now
        row.save()
    return None


def _own(attempt: Attempt, address: SignInTally | None) -> tuple[SignInTally, bool]:
    """The row of this name from this place, and whether it stands for many people, who must not lock each other out."""
    if attempt.kind != Kind.PAIR or SignInTally.objects.filter(kind=attempt.kind, key=attempt.key).exists():
        return _row(attempt.kind, attempt.key), attempt.kind == Kind.PAIR and address is None
    if address is None:  # reached through a socket that tells no address: the name alone
        return _row(attempt.kind, attempt.key), True
    if address.pairs >= PAIRS_PER_ADDRESS:
        return _row(Kind.PAIR, f"\n{attempt.address}"), True
    address.pairs += 1
    address.save()
    return _row(attempt.kind, attempt.key), False


def _wait(own: SignInTally, address: SignInTally | None, name: str, now: datetime) -> float:
    """Seconds until this name may be tried from here; 0 for now, which uses up the moment that was given."""
    if own.not_before is None:
        guessed = SignInTally.objects.filter(kind=Kind.NAME, key=name, since__gt=now - WINDOW).first()
        for_name = _delay(guessed.failures if guessed else 0, FREE_PER_NAME)
        for_address = _delay(address.failures if address else 0, FREE_PER_ADDRESS)
        if not for_name and not for_address:
            return 0
        own.not_before = now + timedelta(seconds=max(for_name, for_address))
        if for_address and address:
            own.not_before = max(own.not_before, (address.not_before or now) + GAP)
            address.not_before = own.not_before
            address.save()
        own.save()
    if own.not_before > now:
        return (own.not_before - now).total_seconds()
    own.not_before = None
    return 0


def _delay(failures: int, free: int) -> int:
    """Seconds: 1, 2, 4 … up to LONGEST_WAIT, once `free` wrong ones are used up."""
    return 0 if failures < free else min(LONGEST_WAIT, 2 ** min(failures - free, 10))


def _row(kind: Kind, key: str) -> SignInTally:
    """The row, locked until the transaction ends; its window begins anew if it is over."""
    now = timezone.now()
    rows = SignInTally.objects.select_for_update()
    row, _ = rows.get_or_create(kind=kind, key=key, defaults={"since": now, "last_at": now})
    if row.since <= now - WINDOW:
        row.failures, row.pairs, row.not_before, row.since = 0, 0, None, now
    return row


def _prune() -> None:
    """Remove what no longer counts, and of what only admins read the oldest beyond a number. Rows in use are left."""
    now = timezone.now()
    rows = SignInTally.objects.order_by("pk").select_for_update(skip_locked=True)
    with transaction.atomic():
        over = list(rows.filter(kind__in=OF_ONE_WINDOW, last_at__lte=now - WINDOW).values("pk")[:PRUNED_AT_ONCE])
        totals = SignInTally.objects.exclude(kind__in=OF_ONE_WINDOW).filter(last_at__lte=now - WINDOW)
        last = totals.order_by("-last_at").values_list("last_at", flat=True)[MOST_KEPT : MOST_KEPT + 1].first()
        until = max(now - KEPT, last) if last else now - KEPT
        useless = Q(last_at__lte=until) | Q(last_at__lte=now - WINDOW, total=0)
        over += rows.exclude(kind__in=OF_ONE_WINDOW).filter(useless).values("pk")[:PRUNED_AT_ONCE]
        SignInTally.objects.filter(pk__in=[row["pk"] for row in over]).delete()


def _name(username: str) -> str:
    """What is typed into the field for a name may be a password: what nobody is called is kept as a hash."""
    person = usernames.find(username)
    if person:
        return usernames.canonical(person.username)
    return f"?{salted_hmac('gradus unknown username', usernames.canonical(username)).hexdigest()[:16]}"


def _network(address: str) -> str:
    """An address as it is counted: of IPv6 the first half, for the other half is whatever the client likes."""
    try:
        parsed = ip_address(address)
    except ValueError:
        return address[:64]
    if isinstance(parsed, IPv4Address):
        return address
    return str(parsed.ipv4_mapped or ip_network((parsed, 64), strict=False))
