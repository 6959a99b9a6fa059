"""The proxy's process serves on a socket that it was handed, and ends when nobody needs it."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from pathlib import Path

import pytest
import uvloop

from leeboard.io.process import wait
from leeboard.surfaces.proxy.address import kept_token
from leeboard.surfaces.proxy.process import _loop_runner, open_listener, start
from leeboard.surfaces.proxy.standing import ask_health
from tests.surfaces.proxy.running_proxy import LIMIT


@pytest.fixture(autouse=True)
def _own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LEEBOARD_STATE_DIR", str(tmp_path / "state"))
    monkeypatch.setattr("leeboard.surfaces.proxy.standing.ASK_SECONDS", LIMIT)


@pytest.mark.parametrize("plain", [True, False])
def test_it_lives_as_long_as_the_pipe(plain: bool, tmp_path: Path) -> None:  # noqa: FBT001 - a parameter of the test
    with open_listener() as listener:
        process, pipe = start(listener, str(tmp_path), plain=plain)
        told = ask_health(int(listener.getsockname()[1]), kept_token())
        assert told is not None
        assert (told["pid"], told["plain"]) == (process.pid, plain)
        os.close(pipe)
        assert wait(process, LIMIT) == 0


def test_it_waits_for_the_client_that_it_was_told_of(tmp_path: Path) -> None:
    with open_listener() as listener, subprocess.Popen(("cat",), stdin=subprocess.PIPE) as client:
        process, pipe = start(listener, str(tmp_path), plain=True)
        os.write(pipe, b"%d" % client.pid)
        os.close(pipe)
        port = int(listener.getsockname()[1])
        assert ask_health(port, kept_token()) is not None
        assert process.poll() is None
        client.communicate(b"")
        assert wait(process, LIMIT) == 0


def test_it_gets_by_without_the_faster_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    assert _loop_runner() is uvloop.run
    monkeypatch.setitem(sys.modules, "uvloop", None)
    assert _loop_runner() is asyncio.run


def test_a_listener_is_on_loopback() -> None:
    with open_listener() as listener:
        assert listener.getsockname()[0] == "127.0.0.1"
