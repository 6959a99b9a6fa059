"""Calling a person: the command and the address they chose, and nothing that could be obeyed."""

from __future__ import annotations

import http.server
import json
import threading
from pathlib import Path

import msgspec
import pytest

from leeboard.app.ring import Ring, RingSettings, settings_in, words_for
from leeboard.app.views.projects import WaitingWork
from leeboard.errors import ConfigError

WORK = WaitingWork(
    kind="gate",
    project="/p",
    key="k",
    intent="thing",
    title="The \x1b[31mthing",
    stage="build",
    text="It waits.",
    since="",
)


@pytest.fixture(autouse=True)
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of its own: who was called is remembered."""
    monkeypatch.setenv("LEEBOARD_STATE_DIR", str(tmp_path / "state"))


def test_the_words_hold_nothing_a_terminal_obeys() -> None:
    assert words_for(WORK, "http://x/") == "The \\x1b[31mthing: It waits. http://x/"


def test_a_command_is_told(tmp_path: Path) -> None:
    heard = tmp_path / "heard"
    script = tmp_path / "ring"
    script.write_text(f'#!/bin/sh\necho "$1 $2 $LEEBOARD_RING_INTENT" > {heard}\n')
    script.chmod(0o755)
    ring = Ring(RingSettings(desktop=False, bell=False, command=f"{script} loud"))
    ring.ring(WORK)
    assert heard.read_text().endswith("It waits. thing\n")
    assert not ring.problem


def test_a_webhook_is_told_and_a_failure_kept() -> None:
    told: list[dict[str, str]] = []

    class Heard(http.server.BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            told.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            return

    with http.server.HTTPServer(("127.0.0.1", 0), Heard) as server:
        thread = threading.Thread(target=server.handle_request)
        thread.start()
        Ring(RingSettings(desktop=False, bell=False, webhook=f"http://127.0.0.1:{server.server_port}/")).ring(WORK)
        thread.join()
    assert (told[0]["kind"], told[0]["intent"]) == ("gate", "thing")
    ring = Ring(RingSettings(desktop=False, bell=False, command="/nowhere/at/all"))
    ring.ring(WORK)
    assert ring.problem


@pytest.mark.parametrize(
    "given", [{"webhook": "http://evil.example/"}, {"webhook": "file:///etc/passwd"}, {"command": "'"}]
)
def test_what_can_not_be_meant_is_refused(given: dict[str, str]) -> None:
    with pytest.raises(ConfigError):
        RingSettings(**given).check()  # type: ignore[arg-type] # texts alone
    RingSettings(webhook="https://chat.example/x", command="say 'a b'").check()


def test_each_way_to_call_is_taken_once_whoever_sees_the_gate_first(tmp_path: Path) -> None:
    heard = tmp_path / "heard"
    command = f"sh -c 'echo rung >> {heard}'"
    for settings in (RingSettings(desktop=False, bell=False, command=command),) * 3:
        Ring(settings).ring(WORK)
    assert heard.read_text() == "rung\n"
    again = msgspec.structs.replace(WORK, since="2026-01-02T03:04:05Z")
    Ring(RingSettings(desktop=False, bell=False, command=command)).ring(again)
    assert heard.read_text() == "rung\nrung\n", "a gate that opens anew rings anew"


def test_a_process_without_options_goes_by_its_environment() -> None:
    assert settings_in({}) == RingSettings()
    assert settings_in({"LEEBOARD_RING": "off"}) == RingSettings(desktop=False, bell=False)
    assert settings_in({"LEEBOARD_RING_COMMAND": "ring it"}).command == "ring it"
    assert settings_in({"LEEBOARD_RING_WEBHOOK": "http://chat.example/"}).webhook == "", "no open line"
