"""A standing proxy is found by what it wrote down, as long as it answers."""

from __future__ import annotations

from pathlib import Path

import pytest

from leeboard.surfaces.proxy.standing import ask_health, find, forget, record, who_listens
from tests.surfaces.proxy.running_proxy import TOKEN, running
from tests.surfaces.proxy.scripted_upstream import Connection, answer, playing, whole


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


def test_the_token_is_not_sent_to_whoever_listens_there() -> None:
    with playing(answer(whole(b'{"leeboard": "1", "proof": "0"}'))) as stranger:
        record(stranger.port)
        assert find(TOKEN) is None
        assert ask_health(stranger.port, TOKEN) is None
        assert who_listens(stranger.port, TOKEN) == "stranger"
    assert stranger.requests
    assert not any(TOKEN.encode() in head + body for head, body in stranger.requests)
    assert who_listens(stranger.port, TOKEN) == "nobody"


def test_the_answer_of_another_proxy_is_no_proof() -> None:
    """Whoever took the port could ask a proxy that is alive, and pass its answer on."""
    with running() as proxy:

        def pass_on(connection: Connection) -> None:
            connection.write(proxy.ask(connection.head + b"\r\nConnection: close\r\n\r\n"))

        with playing(pass_on) as stranger:
            assert who_listens(stranger.port, TOKEN) == "stranger"
        assert who_listens(proxy.port, TOKEN) == "ours"
