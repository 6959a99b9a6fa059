from __future__ import annotations

import socket
import threading
from pathlib import Path

import pytest

from leeboard.app.posting.hooks import (
    all_hooks,
    forget_hooks_in,
    hooks_of,
    keep_hooks,
    listener_words,
    listening_at,
    new_hooks,
    open_ports,
    stamp_of_all,
    who_answers,
)


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LEEBOARD_STATE_DIR", str(tmp_path / "state"))
    return tmp_path / "state"


def test_what_is_kept_is_for_this_user_alone(state: Path) -> None:
    assert stamp_of_all() == 0
    hooks = new_hooks("/repo", "/repo/.claude/settings.local.json", "2.1.325")
    keep_hooks(hooks)
    (kept,) = (state / "http").iterdir()
    assert kept.stat().st_mode & 0o777 == 0o600
    assert (state / "http").stat().st_mode & 0o777 == 0o700
    assert hooks_of("/repo") == hooks
    assert hooks_of("/other") is None
    assert stamp_of_all()


def test_each_project_has_a_port_and_a_token_of_its_own() -> None:
    made = [new_hooks(f"/repo{number}", f"/repo{number}/s.json", "1.0.0") for number in range(20)]
    for hooks in made:
        keep_hooks(hooks)
    assert len({hooks.token for hooks in all_hooks()}) == 20
    assert all(20_000 <= hooks.port < 32_000 for hooks in made), "below what systems give out by themselves"
    forget_hooks_in("/repo3/s.json")
    assert len(all_hooks()) == 19


@pytest.mark.parametrize("text", ["", "{", "[]", '{"root": "/repo", "settings": "", "port": 80, "token": "x"}'])
def test_a_record_that_is_not_ours_opens_nothing(state: Path, text: str) -> None:
    keep_hooks(new_hooks("/repo", "/repo/s.json", "1.0.0"))
    (kept,) = (state / "http").iterdir()
    kept.write_text(text, encoding="utf-8")
    assert all_hooks() == ()
    assert open_ports() == ()


def test_a_program_that_knows_no_token_is_seen_to_be_somebody_else() -> None:
    hooks = new_hooks("/repo", "/repo/s.json", "1.0.0")
    assert who_answers(hooks) == "nobody"
    with socket.create_server(("127.0.0.1", hooks.port)) as server:

        def answer() -> None:
            line, _ = server.accept()
            with line:
                line.recv(4096)
                line.sendall(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}")

        stranger = threading.Thread(target=answer)
        stranger.start()
        assert who_answers(hooks) == "somebody"
        stranger.join()
        assert f"({Path('/proc/self/comm').read_text(encoding='utf-8').strip()})" in listener_words(hooks.port)


def test_a_port_is_opened_on_loopback_and_by_one_alone() -> None:
    hooks = new_hooks("/repo", "/repo/s.json", "1.0.0")
    with listening_at(hooks.port) as listener:
        assert listener.getsockname() == ("127.0.0.1", hooks.port)
        with pytest.raises(OSError, match="in use"):
            listening_at(hooks.port)
