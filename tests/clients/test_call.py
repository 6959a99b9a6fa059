"""What any client tells, and that each client offers what is asked of it."""

from __future__ import annotations

import pytest

from leeboard.clients import (
    FIRST,
    claude_code,
    client_named,
    client_names,
    codex,
    copilot,
    cursor,
    gemini_cli,
    opencode,
)
from leeboard.clients.call import Client, HookCall, keeping_on
from leeboard.errors import WireError
from leeboard.model.event import Stopped
from leeboard.model.verdict import Action, Moment
from tests.hook_process import hook_payload

CLIENTS: dict[str, Client] = {
    "claude_code": claude_code,
    "codex": codex,
    "copilot": copilot.CLIENT,
    "cursor": cursor.CLIENT,
    "gemini_cli": gemini_cli.CLIENT,
    "opencode": opencode.CLIENT,
}
"""The type says that each offers all of it."""


def test_clients_are_found_by_being_there() -> None:
    assert client_names() == tuple(CLIENTS)
    assert all(client_named(name) is client for name, client in CLIENTS.items())
    assert FIRST in CLIENTS


@pytest.mark.parametrize("name", ["", "call", "nobody", "os.path", "../codex", "a b"])
def test_who_is_not_there_is_refused_with_those_who_are(name: str) -> None:
    with pytest.raises(WireError, match="there are claude_code, codex, copilot, cursor, gemini_cli, opencode"):
        client_named(name)


def test_an_agent_can_be_kept_going_at_a_moment_that_had_no_answer() -> None:
    call = HookCall(
        client=FIRST, name="x", events=(Stopped(session="s"),), moment=Moment(kind="agent_stop"), session="s"
    )
    kept = keeping_on(call)
    assert (kept.kind, kept.moment.actions) == ("stop", (Action.ALLOW, Action.INJECT))
    assert (kept.name, kept.events) == (call.name, call.events)


@pytest.mark.parametrize("name", client_names())
def test_each_client_reads_its_hooks_and_transcripts(name: str) -> None:
    client = client_named(name)
    call = client.parse(client.settings().first_payload("s", "/repo"), 1.0)
    assert (call.client, call.kind, call.session, call.cwd, len(call.events)) == (name, "start", "s", "/repo", 1)
    assert client.folder_told(hook_payload("Stop")) == "/repo"
    assert client.open_reader("s").feed(b"{}\n") == []
    assert client.context_left(b"") is None
    assert b"for you" in client.telling_person(b"", "for you")
    assert b"kept out" in client.refuse_settings("kept out")


@pytest.mark.parametrize("name", ["claude_code", "codex"])
def test_where_one_stops_is_told_with_its_last_words(name: str) -> None:
    call = client_named(name).parse(hook_payload("Stop", stop_hook_active=True, last_assistant_message="done"), 1.0)
    assert (call.client, call.kind, call.kept_going, call.last_message) == (name, "stop", True, "done")


def test_a_rollout_is_read_as_codex_writes_it() -> None:
    told = hook_payload("Stop", transcript_path="/home/u/.codex/sessions/rollout-1.jsonl")
    assert client_named("claude_code").parse(told, 1.0).client == "codex"
    assert client_named("codex").prove((), (), bool, b"") is None
