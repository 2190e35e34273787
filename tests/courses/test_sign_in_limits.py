"""Guessing is slow, and nobody can lock anybody else out."""

from __future__ import annotations

import threading
from datetime import UTC, datetime, timedelta

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from courses import sign_in_limits
from courses.models import Course, Enrolment, SignInTally
from courses.sign_in_limits import FREE_PER_ADDRESS, FREE_PER_NAME, LONGEST_WAIT, PER_PAIR, TooSoon
from tests.conftest import SignIn

PAGES = ["courses:sign_in", "admin:login"]
HOME, SCHOOL = "192.0.2.10", "198.51.100.7"
Kind = SignInTally.Kind


class Clock:
    """Time that passes only when a test says so; it stands in for `django.utils.timezone` where guesses are counted."""

    def __init__(self) -> None:
        self.at = datetime.now(UTC)

    def now(self) -> datetime:
        return self.at


clock = Clock()


def pass_by(seconds: float) -> None:
    clock.at += timedelta(seconds=seconds)


@pytest.fixture(autouse=True)
def time_stands_still(monkeypatch: pytest.MonkeyPatch) -> None:
    clock.at = datetime.now(UTC)
    monkeypatch.setattr(sign_in_limits, "timezone", clock)


@pytest.fixture(autouse=True)
def quick_passwords(settings: Settings) -> None:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.fixture
def person(admin: User) -> User:
    admin.set_password("correct horse")
    admin.save()
    return admin


def attempt(
    password: str,
    *,
    page: str = "courses:sign_in",
    username: str = "admin",
    address: str = HOME,
    client: Client | None = None,
) -> int | None:
    """Nothing if the person is signed in afterwards, else how many seconds they are told to wait (0: none)."""
    client = client or Client()
    client.post(reverse("courses:sign_out"))
    sent = {"username": username, "password": password}
    response = client.post(reverse(page), sent, REMOTE_ADDR=address)
    if "_auth_user_id" in client.session:
        return None
    assert (response.status_code == 429) == ("Retry-After" in response.headers)
    return int(response.headers.get("Retry-After", 0))


def strangers_guess(times: int, *, name: str = "admin") -> None:
    """Each once, from an address of their own, as fast as they may."""
    for number in range(times):
        try:
            sign_in_limits.begin(username=name, address=f"203.0.113.{number}")
        except TooSoon as too_soon:
            pass_by(too_soon.seconds)
            sign_in_limits.begin(username=name, address=f"203.0.113.{number}")


def one_address_guesses(names: int, *, address: str = SCHOOL) -> list[int]:
    """At so many names, once each; how long it is told to wait at each."""
    waits = []
    for number in range(names):
        try:
            sign_in_limits.begin(username=f"name-{number}", address=address)
            waits.append(0)
        except TooSoon as too_soon:
            waits.append(too_soon.seconds)
    return waits


@pytest.mark.parametrize("page", PAGES)
def test_the_right_password_signs_in_and_leaves_no_trace(person: User, page: str) -> None:
    assert attempt("correct horse", page=page) is None
    assert not SignInTally.objects.exclude(failures=0, total=0).exists()
    pass_by(sign_in_limits.WINDOW.total_seconds() + 1)
    attempt("wrong", page=page, username="nobody", address=SCHOOL)
    assert not SignInTally.objects.filter(key__in=("admin", HOME)).exists()


@pytest.mark.parametrize("page", PAGES)
def test_one_name_from_one_address_waits_until_its_quarter_of_an_hour_is_over(person: User, page: str) -> None:
    names = ["admin", "ADMIN", " admin", "Admin"] * 2
    for name in names:
        wait = attempt("wrong", page=page, username=name)
        if wait:
            pass_by(wait)
            assert attempt("wrong", page=page, username=name) == 0
    wait = attempt("correct horse", page=page)
    assert wait is not None
    assert 13 * 60 < wait <= 15 * 60
    assert attempt("correct horse", page=page, address=SCHOOL) == 8  # elsewhere that name is only slowed down
    pass_by(wait)
    assert attempt("correct horse", page=page) is None


@pytest.mark.parametrize("page", PAGES)
def test_the_page_says_when_to_try_again(person: User, client: Client, page: str) -> None:
    strangers_guess(FREE_PER_NAME)
    sent = {"username": "admin", "password": "correct horse"}
    response = client.post(reverse(page), sent)
    assert (response.status_code, response["Retry-After"]) == (429, "1")
    assert "Nothing was checked: please try again in 1 second." in response.content.decode()
    SignInTally.objects.filter(kind=Kind.PAIR, key="admin\n127.0.0.1").update(failures=PER_PAIR)
    response = client.post(reverse(page), sent)
    assert response.status_code == 429
    assert "You can try again in 15 minutes." in response.content.decode()


def test_guessing_at_a_name_from_everywhere_is_slowed_down_more_and_more(person: User) -> None:
    strangers_guess(FREE_PER_NAME)
    waits = []
    for number in range(8):
        wait = attempt("wrong", address=f"192.0.2.{number}")
        assert wait is not None
        waits.append(wait)
        pass_by(wait)
        assert attempt("wrong", address=f"192.0.2.{number}") == 0
    assert waits == [1, 2, 4, 8, 16, 30, 30, 30]


def test_a_named_person_gets_in_from_a_new_address_after_the_longest_wait_whatever_others_do(person: User) -> None:
    strangers_guess(12)
    wait = attempt("correct horse")
    assert wait is not None
    assert 0 < wait <= LONGEST_WAIT
    for number in range(5):  # they go on, and ask for their own moments, while our person waits
        with pytest.raises(TooSoon):
            sign_in_limits.begin(username="admin", address=f"203.0.113.{100 + number}")
    pass_by(wait)
    strangers_guess(3)
    assert attempt("correct horse") is None


def test_who_does_not_wait_is_told_the_rest_and_loses_nothing(person: User) -> None:
    strangers_guess(12)
    first = attempt("correct horse")
    assert first == LONGEST_WAIT
    pass_by(10)
    assert attempt("correct horse") == first - 10


def test_one_address_cannot_try_many_names_quickly_and_locks_nobody_behind_it(person: User) -> None:
    waits = one_address_guesses(FREE_PER_ADDRESS + 40)
    assert waits[:FREE_PER_ADDRESS] == [0] * FREE_PER_ADDRESS
    assert waits[FREE_PER_ADDRESS] == 1
    assert waits[-1] == 21  # two a second are given a moment, and who comes later waits for those before
    wait = attempt("correct horse", address=SCHOOL)
    assert wait is not None
    assert wait <= 22
    pass_by(wait)
    one_address_guesses(FREE_PER_ADDRESS + 40)
    assert attempt("correct horse", address=SCHOOL) is None
    assert attempt("correct horse", address=HOME) is None


def test_one_address_makes_a_bounded_number_of_rows_and_its_last_comers_share_one_moment(
    person: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sign_in_limits, "PAIRS_PER_ADDRESS", FREE_PER_ADDRESS + 10)
    one_address_guesses(2 * sign_in_limits.PAIRS_PER_ADDRESS)
    assert SignInTally.objects.filter(kind=Kind.PAIR).count() == sign_in_limits.PAIRS_PER_ADDRESS + 1
    assert SignInTally.objects.filter(kind=Kind.NAME).count() == FREE_PER_ADDRESS
    SignInTally.objects.filter(kind=Kind.PAIR, key=f"\n{SCHOOL}").update(failures=5 * PER_PAIR)
    wait = attempt("correct horse", address=SCHOOL)
    assert wait is not None
    assert wait <= sign_in_limits.PAIRS_PER_ADDRESS / 2
    pass_by(wait)
    assert attempt("correct horse", address=SCHOOL) is None


def test_addresses_of_one_ipv6_network_are_one(person: User) -> None:
    for number in range(PER_PAIR):
        address = f"2001:db8:0:1:{number:x}::1"
        wait = attempt("wrong", address=address)
        if wait:
            pass_by(wait)
            attempt("wrong", address=address)
    assert attempt("correct horse", address="2001:db8:0:1:ffff::2") > 600  # type: ignore[operator]
    assert attempt("correct horse", address="2001:db8:0:2::1") == 8


def test_where_no_address_is_known_a_name_is_slowed_down_and_never_locked(person: User) -> None:
    for _ in range(2 * PER_PAIR):
        wait = attempt("wrong", address="")
        if wait:
            pass_by(wait)
            assert attempt("wrong", address="") == 0
    wait = attempt("correct horse", address="")
    assert wait == LONGEST_WAIT
    pass_by(wait)
    assert attempt("correct horse", address="") is None


def test_a_name_that_nobody_has_is_answered_alike_and_kept_as_a_hash(person: User) -> None:
    """People type their password where the name belongs; and guessing must not tell which names there are."""
    answers = [[attempt("wrong", username=name) for _ in range(FREE_PER_NAME + 1)] for name in ("admin", "s3cret-word")]
    assert answers[0] == answers[1] == [0] * FREE_PER_NAME + [1]
    assert not SignInTally.objects.filter(key__contains="s3cret").exists()


def test_signing_in_takes_back_ones_own_mistakes_and_nobody_elses(person: User) -> None:
    strangers_guess(3)
    attempt("wrong")
    assert attempt("correct horse") is None
    assert SignInTally.objects.get(kind=Kind.NAME).failures == 3
    assert SignInTally.objects.get(kind=Kind.NAME).total == 4  # admins still see the wrong one
    assert not SignInTally.objects.filter(kind=Kind.PAIR, key__contains=HOME).exists()


def test_a_browser_in_which_they_signed_in_before_is_not_delayed_by_strangers(person: User) -> None:
    own = Client()
    assert attempt("correct horse", client=own) is None
    strangers_guess(12)
    one_address_guesses(FREE_PER_ADDRESS + 1, address=HOME)
    SignInTally.objects.create(kind=Kind.PAIR, key=f"admin\n{HOME}", failures=PER_PAIR)  # from behind the same address
    assert attempt("correct horse") > 600  # type: ignore[operator]
    assert attempt("correct horse", client=own) is None
    assert attempt("correct horse", client=own, page="admin:login", address=SCHOOL) is None


def test_a_known_browser_counts_for_itself_and_delays_nobody(person: User) -> None:
    own = Client()
    attempt("correct horse", client=own)
    assert [attempt("wrong", client=own) for _ in range(PER_PAIR)] == [0] * PER_PAIR
    assert attempt("correct horse", client=own) > 600  # type: ignore[operator]
    assert attempt("correct horse", client=Client()) is None
    assert SignInTally.objects.get(kind=Kind.NAME).total == PER_PAIR


@pytest.mark.django_db(transaction=True)
def test_attempts_that_come_together_are_each_counted_before_any_password_is_checked(person: User) -> None:
    together, outcomes = threading.Barrier(12), list[str]()

    def guess() -> None:
        together.wait()
        try:
            sign_in_limits.begin(username="admin", address=HOME)
            outcomes.append("checked")
        except TooSoon:
            outcomes.append("refused")
        finally:
            connection.close()

    threads = [threading.Thread(target=guess) for _ in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (outcomes.count("checked"), len(outcomes)) == (FREE_PER_NAME, 12)


@pytest.mark.django_db(transaction=True)
def test_sign_ins_that_cross_each_other_do_not_wait_for_each_other(person: User) -> None:
    """Names and addresses in every combination, at once, right and wrong, with old rows to remove meanwhile."""
    old = clock.now() - sign_in_limits.WINDOW - timedelta(minutes=1)
    SignInTally.objects.bulk_create(
        SignInTally(kind=Kind.PAIR, key=f"old-{number}", since=old, last_at=old) for number in range(200)
    )
    together, errors = threading.Barrier(6), list[Exception]()

    def work(number: int) -> None:
        together.wait()
        try:
            for turn in range(8):
                name, address = f"name-{(number + turn) % 3}", f"192.0.2.{(number * turn) % 3}"
                try:
                    made = sign_in_limits.begin(username=name, address=address)
                except TooSoon:
                    continue
                if turn % 2:
                    sign_in_limits.succeeded(made)
        except Exception as error:
            errors.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=work, args=[number]) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    assert not SignInTally.objects.filter(key__startswith="old-").exists()


def test_old_rows_are_removed_and_totals_are_bounded(person: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sign_in_limits, "MOST_KEPT", 3)
    strangers_guess(2)
    one_address_guesses(4)
    pass_by(sign_in_limits.WINDOW.total_seconds() + 1)
    attempt("wrong", address=HOME)
    assert set(SignInTally.objects.filter(kind=Kind.PAIR).values_list("key", flat=True)) == {f"admin\n{HOME}"}
    older = SignInTally.objects.filter(last_at__lt=clock.now() - sign_in_limits.WINDOW)
    assert older.count() <= 3
    pass_by(sign_in_limits.KEPT.total_seconds() + 1)
    attempt("wrong", address=HOME)
    assert older.count() == 0


def test_admins_see_how_often_and_may_let_somebody_begin_anew(person: User, sign_in: SignIn) -> None:
    strangers_guess(3)
    attempt("wrong", username="nobody-at-all")
    client = sign_in(person)
    page = client.get(reverse("admin:courses_signintally_changelist"), {"kind": "name"}).content.decode()
    assert ">admin<" in page
    assert "(no such username)" in page
    assert ">3<" in page
    by_address = client.get(reverse("admin:courses_signintally_changelist"), {"kind": "address"}).content.decode()
    assert "203.0.113.1" in by_address
    row = SignInTally.objects.get(kind=Kind.NAME, key="admin")
    client.post(reverse("admin:courses_signintally_delete", args=[row.pk]), {"post": "yes"})
    assert not SignInTally.objects.filter(pk=row.pk).exists()


def test_course_codes_cannot_be_guessed_without_end(person: User, course: Course, client: Client) -> None:
    client.force_login(person)
    pages = [client.post(reverse("courses:join"), {"code": f"GUESS-{number}"}) for number in range(PER_PAIR + 1)]
    assert "No course has this code" in pages[-2].content.decode()
    assert "You can try again in 15 minutes" in pages[-1].content.decode()
    assert (pages[-1].status_code, int(pages[-1]["Retry-After"]) > 800) == (429, True)
    client.post(reverse("courses:join"), {"code": "JOIN-US"})
    assert not Enrolment.objects.filter(user=person).exists()
    pass_by(sign_in_limits.WINDOW.total_seconds())
    client.post(reverse("courses:join"), {"code": "JOIN-US"})
    assert Enrolment.objects.filter(user=person).exists()


def test_wrong_codes_of_one_person_are_nobody_elses(person: User, course: Course, sign_in: SignIn) -> None:
    other = sign_in(User.objects.create_user("ada"))
    for _ in range(PER_PAIR + 1):
        sign_in(person).post(reverse("courses:join"), {"code": "GUESS"})
    assert other.post(reverse("courses:join"), {"code": "JOIN-US"}).status_code == 302
