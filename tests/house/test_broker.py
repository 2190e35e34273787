"""The embedded broker forgets nothing when it is killed, and is closed to others."""

import stat
from pathlib import Path

import pytest
from redis import Redis

from config import broker
from config.env import BadSetting
from tests.services import Broker


def test_what_was_written_survives_a_kill(any_broker: Broker) -> None:
    with Redis.from_url(any_broker.url) as client:
        client.rpush("waiting", *range(200))
        any_broker.kill()
    assert not broker.answers(any_broker.socket_file)
    any_broker.start()
    with Redis.from_url(any_broker.url) as client:
        assert client.llen("waiting") == 200


def test_only_its_owner_may_open_the_socket(any_broker: Broker) -> None:
    assert stat.S_IMODE(any_broker.socket_file.stat().st_mode) == 0o700


def test_a_folder_that_others_may_write_to_is_refused(tmp_path: Path) -> None:
    shared = tmp_path / "shared"
    shared.mkdir()
    shared.chmod(0o777)
    with pytest.raises(BadSetting, match="others may write there"):
        broker.prepare(folder=tmp_path / "data", socket_file=shared / "broker.sock")
