"""A standing proxy is found by what it wrote down, as long as it answers."""

from __future__ import annotations

from pathlib import Path

import pytest

from leeboard.surfaces.proxy.standing import ask_health, find, forget, record
from tests.surfaces.proxy.running_proxy import TOKEN, running
from tests.surfaces.proxy.scripted_upstream import answer, playing, whole


@pytest.fixture(autouse=True)
def _own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LEEBOARD_STATE_DIR", str(tmp_path / "state"))


def test_it_is_found_while_it_answers() -> None:
    assert find(TOKEN) is None
    with running() as proxy:
        record(proxy.port)
        found = find(TOKEN)
        assert found is not None
        assert found.port == proxy.port
        assert find("another-token-altogether") is None
    assert find(TOKEN) is None


def test_it_is_forgotten_by_itself_alone(tmp_path: Path) -> None:
    record(1)
    forget()
    path = tmp_path / "state" / "proxy.json"
    assert not path.exists()
    path.write_text('{"port": 1, "pid": 1}')
    forget()
    assert path.exists()


@pytest.mark.parametrize("body", [b'{"other": 1}', b"[]", b"no JSON", b"\xff" * 100_000])
def test_whoever_else_listens_there_is_none(body: bytes) -> None:
    with playing(answer(whole(body))) as upstream:
        assert ask_health(upstream.port, TOKEN) is None
    assert ask_health(1, TOKEN) is None


def test_a_record_that_can_not_be_read_is_none(tmp_path: Path) -> None:
    record(1)
    (tmp_path / "state" / "proxy.json").write_text("{")
    assert find(TOKEN) is None
