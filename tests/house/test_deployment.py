"""What a deployment rests on, as far as it shows without a container engine."""

from __future__ import annotations

import os
import re
import shlex
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.template.loader import render_to_string
from django.test import override_settings

from config.static_files import ForgivingStorage

BASE = Path(__file__).resolve().parents[2]
NOBODY = 65534
SETTING = re.compile(r"^\| `([A-Z_]+)` \|", re.MULTILINE)
NOT_PASSED = {
    "DEBUG": "refused in a deployment",
    "GRADUS_DEMO": "refused in a deployment",
    "GRADUS_VAR": "the image has its own",
}
AS_ROOT = pytest.mark.skipif(os.geteuid() != 0, reason="only root can look as another user")


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((BASE / "docker-compose.yml").read_text("utf-8"))
    return found


# The image


def collect(var: Path) -> None:
    """Collect static files as the Dockerfile does."""
    text = (BASE / "Dockerfile").read_text("utf-8").replace("\\\n", " ")
    (line,) = [line for line in text.splitlines() if line.startswith("RUN ") and "collectstatic" in line]
    words = shlex.split(line.removeprefix("RUN ").partition("&&")[0])
    variables = dict(word.split("=", 1) for word in words if re.match(r"[A-Z_]+=", word))
    command = words[len(variables) :]
    assert command[:2] == ["python", "manage.py"]
    environment = {"PATH": os.environ["PATH"], "GRADUS_VAR": str(var), **variables}
    result = subprocess.run([sys.executable, *command[1:]], cwd=BASE, env=environment, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr


def modes_on_the_way(path: Path, below: Path) -> list[int]:
    return [stat.S_IMODE(one.stat().st_mode) for one in (path, *path.parents) if one.is_relative_to(below)]


def test_the_web_servers_user_reads_what_root_collected(tmp_path: Path) -> None:
    var = tmp_path / "var"
    collect(var)
    manifest = var / "static" / "staticfiles.json"
    assert manifest.is_file()
    for file in (manifest, *(var / "static" / "css").glob("*.css")):
        *folders, mode = reversed(modes_on_the_way(file, var))
        assert mode & stat.S_IROTH
        assert all(folder & stat.S_IXOTH and folder & stat.S_IROTH for folder in folders)


@AS_ROOT
def test_another_user_does_read_it(tmp_path: Path) -> None:
    for folder in (tmp_path, *tmp_path.parents):
        if folder.stat().st_uid == os.geteuid() and str(folder).startswith("/tmp/"):
            folder.chmod(folder.stat().st_mode | 0o005)
    collect(tmp_path / "var")
    manifest = tmp_path / "var" / "static" / "staticfiles.json"
    result = subprocess.run(["cat", str(manifest)], user=NOBODY, group=NOBODY, extra_groups=[], capture_output=True)
    assert result.returncode == 0, result.stderr
    assert b"css/base.css" in result.stdout


@pytest.mark.parametrize("template", ["404.html", "500.html", "403.html", "400.html"])
@pytest.mark.parametrize("trouble", ["nothing was collected", "the list cannot be read"])
def test_an_error_page_needs_no_list_of_static_files(
    template: str, trouble: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> str:
        raise PermissionError(13, "Permission denied")

    if trouble == "the list cannot be read":
        monkeypatch.setattr(ForgivingStorage, "open", refuse)
    storages = {
        "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
        "staticfiles": {"BACKEND": "config.static_files.ForgivingStorage"},
    }
    with override_settings(STORAGES=storages, STATIC_ROOT=str(tmp_path / "none"), DEBUG=False):
        page = render_to_string(template)
    assert 'href="/static/css/base.css"' in page
    assert "<h1>" in page


def test_secrets_go_neither_into_the_image_nor_into_the_repository() -> None:
    assert {".env", ".env.*"} <= set((BASE / ".dockerignore").read_text("utf-8").split())
    assert {".env", ".env.*"} <= set((BASE / ".gitignore").read_text("utf-8").split())


# The composition


def environment_of(compose: dict[str, Any], service: str) -> dict[str, str]:
    found: dict[str, str] = compose["services"][service]["environment"]
    return found


@pytest.mark.parametrize("service", ["set_up", "web", "worker", "sweeper"])
def test_every_setting_reaches_every_program(compose: dict[str, Any], service: str) -> None:
    documented = set(SETTING.findall((BASE / "docs" / "settings.md").read_text("utf-8")))
    taken_elsewhere = {"PORT", "WORKERS", "TORCH_INDEX"}
    text = (BASE / "docker-compose.yml").read_text("utf-8")
    assert [name for name in taken_elsewhere if f"${{{name}:-" not in text] == []
    assert documented - set(environment_of(compose, service)) == taken_elsewhere | set(NOT_PASSED)


def test_what_is_passed_is_a_setting(compose: dict[str, Any]) -> None:
    documented = set(SETTING.findall((BASE / "docs" / "settings.md").read_text("utf-8")))
    assert set(environment_of(compose, "web")) <= documented


def test_defaults_are_those_of_the_settings(compose: dict[str, Any]) -> None:
    """What is not set passes as a default, which the settings must take."""
    taken = {
        name: re.sub(r"\$\{\w+:-(.*?)\}", r"\1", str(value)) for name, value in environment_of(compose, "web").items()
    }
    asked = {name: value for name, value in taken.items() if "$" not in value}
    command = [
        sys.executable,
        "-c",
        "import django; django.setup(); from django.conf import settings; print(settings.LOCAL)",
    ]
    variables = {
        "SECRET_KEY": "0123456789" * 6,
        "ALLOWED_HOSTS": "gradus.example",
        "DATABASE_URL": "postgres://nobody@localhost/none",
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "PATH": os.environ["PATH"],
    }
    result = subprocess.run(command, cwd=BASE, env={**asked, **variables}, capture_output=True, text=True)
    assert (result.returncode, result.stdout) == (0, "False\n"), result.stderr


def test_the_database_is_ready_when_it_answers_over_the_network(compose: dict[str, Any]) -> None:
    """While the image makes the database, it runs a server that answers on its socket alone."""
    assert "--host=127.0.0.1" in compose["services"]["db"]["healthcheck"]["test"]


def test_nothing_starts_before_what_it_needs(compose: dict[str, Any]) -> None:
    services = compose["services"]
    assert services["set_up"]["depends_on"] == {"db": {"condition": "service_healthy"}}
    for name in ("web", "worker", "sweeper"):
        assert services[name]["depends_on"] == {
            "set_up": {"condition": "service_completed_successfully"},
            "redis": {"condition": "service_healthy"},
        }


def test_only_what_runs_the_sandbox_is_root(compose: dict[str, Any]) -> None:
    users = {name: service.get("user") for name, service in compose["services"].items() if service["image"] == "gradus"}
    assert users == {"set_up": None, "worker": None, "web": "gradus", "sweeper": "gradus"}
