from __future__ import annotations

import socket
from pathlib import Path

import pytest

from leeboard.app.guard.look import GuardedFile, GuardFile, look_at_guard, stands
from leeboard.app.guard.posted import posted_hooks, posted_ports, posted_troubles
from leeboard.app.install.hook_files import SettingsPlace, our_command, posted_at
from leeboard.app.posting.hooks import HttpHooks, keep_hooks, new_hooks
from leeboard.clients import FIRST
from leeboard.clients.call import PostedTo, SettingsState
from leeboard.clients.claude_code import hook_settings

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


def test_to_go_back_to_commands_is_no_change_of_the_guard_and_another_address_is(
    hooks: HttpHooks, tmp_path: Path
) -> None:
    """Hooks fall back by themselves while an agent works: that is not its doing. Where it leads them elsewhere, it is."""
    file = tmp_path / "settings.local.json"
    seen = []
    elsewhere = PostedTo(url="http://127.0.0.1:9999/leeboard/hook", headers={})
    for posted_to in (hooks.posted_to, None, elsewhere):
        file.write_text(hook_settings.install("", our_command(), posted_to), encoding="utf-8")
        seen.append(look_at_guard(str(file), GuardFile("client", FIRST), None, "/repo").digest)
    assert seen[0] == seen[1] != seen[2]
    assert stands({"one": GuardedFile(digest=seen[0])})
