from __future__ import annotations

import socket
from pathlib import Path

import pytest

from leeboard.app.guard.posted import posted_hooks, posted_ports, posted_troubles
from leeboard.app.install.hook_files import SettingsPlace, posted_at
from leeboard.app.install.http_hooks import HttpHooks, keep_hooks, new_hooks
from leeboard.clients import FIRST
from leeboard.clients.call import SettingsState

AT = SettingsPlace("local", "/repo/.claude/settings.local.json", FIRST)


@pytest.fixture
def hooks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> HttpHooks:
    monkeypatch.setenv("LEEBOARD_STATE_DIR", str(tmp_path / "state"))
    found = new_hooks("/repo", AT.path, "2.1.325")
    keep_hooks(found)
    return found


def posting_to(url: str) -> SettingsState:
    return SettingsState(posted=(("PostToolUse", url),))


def test_hooks_that_are_posted_to_us_are_no_trouble(hooks: HttpHooks) -> None:
    state = posting_to(hooks.posted_to.url)
    assert list(posted_troubles("/repo", [(AT, state)])) == []
    assert posted_at(AT, state) == state.posted
    found = posted_hooks("/repo")
    assert found is not None
    assert found.answers == "nobody"
    assert posted_ports("/repo") == {hooks.port}


def test_an_address_that_a_repository_brings_is_not_ours(hooks: HttpHooks) -> None:
    """A clone's settings may name any port: nothing that it says there passes for a hook of ours."""
    state = posting_to("http://127.0.0.1:9999/leeboard/hook")
    (said,) = posted_troubles("/repo", [(AT, state)])
    assert "http://127.0.0.1:9999/leeboard/hook, where nothing of ours listens" in said
    assert posted_at(AT, state) == ()
    elsewhere = SettingsPlace("project", "/clone/.claude/settings.json", FIRST)
    assert posted_at(elsewhere, posting_to(hooks.posted_to.url)) == ()


def test_who_holds_the_port_in_our_place_is_named(hooks: HttpHooks) -> None:
    with socket.create_server(("127.0.0.1", hooks.port)) as server:
        server.settimeout(5)
        silent = posted_hooks("/repo")
        assert silent is not None
        assert silent.answers == "silent"
        assert "does not answer" in silent.words


def test_nothing_is_said_where_nothing_is_posted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LEEBOARD_STATE_DIR", str(tmp_path / "none"))
    assert posted_hooks("/repo") is None
    assert posted_ports("/repo") == frozenset()
    assert list(posted_troubles("/repo", [(AT, SettingsState())])) == []
