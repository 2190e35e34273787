"""The settings are safe as they come, and a deployment cannot be set up half."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

BASE = Path(__file__).resolve().parent.parent.parent
KEY = "wq7$" + "0123456789abcdefghijklmnopqrstuvwxyz" * 2


def manage(*arguments: str, var: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=BASE,
        env={"PATH": os.environ["PATH"], "GRADUS_VAR": str(var), **variables},
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_deployment_passes_djangos_own_check(tmp_path: Path) -> None:
    result = manage(
        "check", "--deploy", "--fail-level", "WARNING", var=tmp_path, SECRET_KEY=KEY, ALLOWED_HOSTS="gradus.example"
    )
    assert result.returncode == 0, result.stderr
    assert "no issues" in result.stdout


@pytest.mark.parametrize(
    "variables, sentence",
    [
        ({"SECRET_KEY": KEY}, "ALLOWED_HOSTS must list the names"),
        ({"SECRET_KEY": KEY, "ALLOWED_HOSTS": "*"}, "'*' would accept a forged one"),
        ({"SECRET_KEY": "short", "ALLOWED_HOSTS": "a.example"}, "at least 50 characters"),
        ({"SECRET_KEY": KEY, "ALLOWED_HOSTS": "a.example", "DEBUG": "1"}, "DEBUG shows settings to visitors"),
        ({"SECRET_KEY": KEY, "ALLOWED_HOSTS": "a.example", "GRADUS_DEMO": "1"}, "GRADUS_DEMO makes people"),
        ({"DATABASE_URL": "mysql://a"}, "DATABASE_URL must begin with"),
        ({"GRADUS_LEAST_SANDBOX_LEVEL": "E"}, "must be one of A, B, C, D"),
        ({"GRADUS_KEEP_SAMPLE_RUNS": "-1"}, "GRADUS_KEEP_SAMPLE_RUNS must be a whole number from 0 to 36500"),
        ({"GRADUS_KEEP_REPORTS": "a year"}, "GRADUS_KEEP_REPORTS must be a whole number from 0 to 36500"),
        ({"GRADUS_HEALTH_TOKEN": "short"}, "GRADUS_HEALTH_TOKEN must have at least 20 characters"),
        ({"TRUSTED_PROXIES": "11"}, "TRUSTED_PROXIES must be a whole number from 0 to 10"),
    ],
)
def test_a_bad_setting_is_one_sentence(tmp_path: Path, variables: dict[str, str], sentence: str) -> None:
    result = manage("check", var=tmp_path, **variables)
    assert result.returncode == 1
    assert sentence in result.stderr
    assert len(result.stderr.strip().splitlines()) == 1


def test_the_local_default_answers_on_loopback_only_and_shows_no_settings(tmp_path: Path) -> None:
    code = "from django.conf import settings as s; print(s.LOCAL, s.DEBUG, s.DEMO, s.ALLOWED_HOSTS)"
    result = manage("shell", "--verbosity", "0", "-c", code, var=tmp_path)
    assert result.stdout.strip() == "True False False ['127.0.0.1', 'localhost', '[::1]']"


def test_sqlite_is_in_wal_mode_and_begins_with_the_write_lock(tmp_path: Path) -> None:
    code = (
        "from django.db import connection as c; cur = c.cursor(); cur.execute('PRAGMA journal_mode');"
        "print(cur.fetchone()[0], c.settings_dict['OPTIONS']['transaction_mode'])"
    )
    assert manage("shell", "--verbosity", "0", "-c", code, var=tmp_path).stdout.strip() == "wal IMMEDIATE"
