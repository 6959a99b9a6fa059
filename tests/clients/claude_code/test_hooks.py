from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from leeboard.clients.call import HookCall, keeping_on
from leeboard.clients.claude_code.hooks import folder_told, parse, render
from leeboard.clients.hook_input import NAMELESS
from leeboard.errors import WireError
from leeboard.model import event
from leeboard.model.event import Event, PromptGiven
from leeboard.model.verdict import Action, Moment, Verdict

FIXTURES = Path(__file__).parents[2] / "fixtures" / "hooks"
CLAUDE_EVENTS = (
    "PreToolUse PostToolUse PostToolUseFailure PostToolBatch Notification UserPromptSubmit UserPromptExpansion "
    "SessionStart SessionEnd Stop StopFailure SubagentStart SubagentStop PreCompact PostCompact PreModelSwitch "
    "PostModelSwitch PermissionRequest PermissionDenied Setup TeammateIdle TaskCreated TaskCompleted Elicitation "
    "ElicitationResult ConfigChange WorktreeCreate WorktreeRemove InstructionsLoaded CwdChanged FileChanged "
    "DirectoryAdded MessageDisplay"
).split()
TOLD: dict[str, tuple[type[Event], ...]] = {
    "SessionStart": (event.SessionStarted,),
    "SessionEnd": (event.SessionEnded,),
    "UserPromptSubmit": (event.PromptGiven,),
    "PreToolUse": (event.ToolProposed,),
    "PostToolUse": (event.ToolFinished,),
    "PostToolUseFailure": (event.ToolFinished,),
    "PermissionDenied": (event.ToolFinished,),
    "PostToolBatch": (*(event.ToolFinished,) * 5, event.ToolProposed, event.ToolFinished, event.TurnEnded),
    "Stop": (event.Stopped,),
    "StopFailure": (event.TurnEnded,),
    "SubagentStart": (event.AgentStarted,),
    "SubagentStop": (event.AgentEnded,),
    "PostCompact": (event.ContextCompacted,),
    "TaskCreated": (event.TodosUpdated,),
}
SPEAKS = (Action.ALLOW, Action.INJECT)
MOMENTS = {
    "PreToolUse": Moment(kind="before_call", actions=(Action.ALLOW, Action.ASK, Action.DENY)),
    "PostToolUse": Moment(kind="after_call", actions=SPEAKS),
    "PostToolUseFailure": Moment(kind="call_failed", actions=SPEAKS),
    "PostToolBatch": Moment(kind="batch_end", actions=SPEAKS, pause=True),
    "UserPromptSubmit": Moment(kind="prompt", actions=SPEAKS, pause=True),
    "SessionStart": Moment(kind="start", actions=SPEAKS, pause=True),
    "SubagentStart": Moment(kind="agent_start", actions=SPEAKS, pause=True),
    "Stop": Moment(kind="stop", actions=SPEAKS, pause=True),
    "SubagentStop": Moment(kind="agent_stop"),
    "PermissionDenied": Moment(kind="call_denied"),
    "TaskCreated": Moment(kind="todos"),
    "PostCompact": Moment(kind="compaction"),
    "ConfigChange": Moment(kind="settings_change"),
    "SessionEnd": Moment(kind="end"),
}


def fixture(name: str) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads((FIXTURES / f"{name}.json").read_text(encoding="utf-8"))
    return loaded


def call_of(name: str, **changes: object) -> HookCall:
    return parse(json.dumps(fixture(name) | changes).encode(), 7.0)


def only(call: HookCall) -> Event:
    (event,) = call.events
    return event


@pytest.mark.parametrize("name", CLAUDE_EVENTS)
def test_every_event_of_the_client_is_read(name: str) -> None:
    payload = fixture(name)
    call = call_of(name)
    assert (call.name, call.session, call.transcript) == (name, payload["session_id"], payload["transcript_path"])
    assert tuple(type(told) for told in call.events) == TOLD.get(name, ())
    assert call.moment == MOMENTS.get(name, Moment())
    for told in call.events:
        assert (told.session, told.cwd, told.time, told.source) == (call.session, "/repo", 7.0, "hook")


@pytest.mark.parametrize("path", sorted(FIXTURES.glob("*.json")), ids=lambda path: path.stem)
def test_every_recorded_payload_is_read_whole_or_with_fields_missing(path: Path) -> None:
    payload = json.loads(path.read_text(encoding="utf-8"))
    assert parse(path.read_bytes(), 0.0).name == payload["hook_event_name"]
    for key in payload.keys() - {"session_id"}:
        parse(json.dumps({name: part for name, part in payload.items() if name != key}).encode(), 0.0)


def test_sub_agent_is_named() -> None:
    call = call_of("PreToolUse.subagent")
    assert call.agent == only(call).agent == "ae10803bf0e4f76a6"


def test_prompt_of_the_client_itself_is_no_prompt_but_can_be_answered() -> None:
    call = call_of("UserPromptSubmit.notification")
    assert call.events == ()
    assert Action.INJECT in call.moment.actions


@pytest.mark.parametrize("source", ["system", "loop_wakeup", "schedule_wakeup", "poll_event"])
def test_prompt_of_a_machine_is_nobodys_word(source: str) -> None:
    call = call_of("UserPromptSubmit", source=source)
    assert (call.events, call.prompt) == ((), "")


@pytest.mark.parametrize("source", ["user", "sdk"])
def test_prompt_of_a_person_is_one_whichever_way_it_came(source: str) -> None:
    assert isinstance(only(call_of("UserPromptSubmit", source=source)), PromptGiven)


def test_stop_can_be_answered_once() -> None:
    assert call_of("Stop.active").moment.actions == ()


def test_codex_takes_no_question() -> None:
    call = call_of("codex.PreToolUse")
    assert call.moment.actions == (Action.ALLOW, Action.DENY)


@pytest.mark.parametrize(
    "payload",
    [
        b"",
        b"null",
        b"[]",
        b"\x00",
        b"{",
        b'{"session_id":""}',
        b'{"session_id":5}',
        b'{"hook_event_name":"Stop"}',
        b'{"session_id":"s","x":NaN}',
        b'{"session_id":"s","x":' + b"[" * 100_000 + b"]" * 100_000 + b"}",
    ],
)
def test_payload_without_a_session_is_refused(payload: bytes) -> None:
    with pytest.raises(WireError):
        parse(payload, 0.0)


@pytest.mark.parametrize(
    ("raw", "prompt"),
    [
        (b'"cut \\ud83d"', "cut \ufffd"),
        (b'"cut \\uDE00 here"', "cut \ufffd here"),
        (b'"kept \\ud83d\\ude00, \\\\ud83d"', "kept 😀, \\ud83d"),
        (b'"no text: \xff"', "no text: \ufffd"),
        (b'"NUL \\u0000 stays"', "NUL \x00 stays"),
    ],
)
def test_broken_characters_do_not_lose_the_event(raw: bytes, prompt: str) -> None:
    # The first character of a broken payload makes the strict reader give up.
    payload = b'{"session_id":"s","x":"\\ud800","hook_event_name":"UserPromptSubmit","prompt":' + raw + b"}"
    given_prompt = only(parse(payload, 0.0))
    assert isinstance(given_prompt, PromptGiven)
    assert given_prompt.text == prompt


def test_byte_order_mark_is_passed_over() -> None:
    assert parse(b'\xef\xbb\xbf{"session_id":"s"}', 0.0).name == ""


def test_huge_prompt_is_read() -> None:
    assert len(call_of("UserPromptSubmit", prompt="x" * 10_000_000).events) == 1


def test_unknown_event_and_fields_are_passed_over() -> None:
    call = call_of("Stop", hook_event_name="Tomorrow", brand_new={"a": 1})
    assert (call.events, call.moment.actions) == ((), ())


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63) | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)
KEYS = sorted({key for path in FIXTURES.glob("*.json") for key in json.loads(path.read_text(encoding="utf-8"))})
PAYLOADS = st.fixed_dictionaries(
    {"session_id": st.just("s") | JSON, "hook_event_name": st.sampled_from([*TOLD, "Odd"]) | JSON},
    optional={key: JSON for key in KEYS if key not in {"session_id", "hook_event_name"}},
)


@settings(deadline=None)
@given(PAYLOADS)
def test_any_object_is_read_or_refused(payload: dict[str, object]) -> None:
    try:
        call = parse(json.dumps(payload).encode(), 1.0)
    except WireError:
        return
    assert call.session == payload.get("session_id") or call.session.startswith(NAMELESS)
    assert all(told.session == call.session for told in call.events)


@settings(deadline=None)
@given(st.binary(max_size=200), st.sampled_from(sorted(FIXTURES.glob("*.json"))), st.integers(0, 3_000))
def test_any_bytes_are_read_or_refused(noise: bytes, path: Path, at: int) -> None:
    recorded = path.read_bytes()
    for payload in (noise, recorded[:at], recorded[:at] + noise + recorded[at:]):
        try:
            assert parse(payload, 0.0).session
        except WireError:
            continue


@pytest.mark.parametrize("name", sorted(TOLD))
@pytest.mark.parametrize("odd", [None, [], {}, 3, True, "\x00", [{}], {"command": {"a": [1]}}])
def test_no_field_is_trusted(name: str, odd: object) -> None:
    payload = fixture(name)
    for key in payload.keys() - {"session_id", "hook_event_name"}:
        assert parse(json.dumps(payload | {key: odd}).encode(), 0.0).name == name


def verdict(action: Action, message: str = "", briefing: str = "") -> Verdict:
    return Verdict(id="v", session="s", agent="", turn=1, action=action, event="e", message=message, briefing=briefing)


def answer(name: str, action: Action, message: str = "", briefing: str = "", **changes: object) -> object:
    rendered = render(verdict(action, message, briefing), call_of(name, **changes))
    return json.loads(rendered) if rendered else None


def narrow(name: str, room: int) -> HookCall:
    call = call_of(name)
    return replace(call, moment=replace(call.moment, room=room))


@pytest.mark.parametrize(("action", "decision"), [(Action.DENY, "deny"), (Action.ASK, "ask")])
def test_call_is_held_back(action: Action, decision: str) -> None:
    assert answer("PreToolUse", action, "Not in scope.") == {
        "hookSpecificOutput": {
            "hookEventName": "PreToolUse",
            "permissionDecision": decision,
            "permissionDecisionReason": "Not in scope.",
        }
    }


def test_denial_without_words_still_denies() -> None:
    told = answer("PreToolUse", Action.DENY, briefing="Your goal: fix add.")
    assert isinstance(told, dict)
    specific = told["hookSpecificOutput"]
    assert specific["permissionDecision"] == "deny"
    assert specific["permissionDecisionReason"]
    assert specific["additionalContext"] == "Your goal: fix add."


@pytest.mark.parametrize("name", [name for name, at in MOMENTS.items() if at.actions == SPEAKS and name != "Stop"])
def test_words_are_added_to_the_context(name: str) -> None:
    specific = {"hookEventName": name, "additionalContext": "Go back.\n\nGoal: fix add."}
    assert answer(name, Action.INJECT, "Go back.", "Goal: fix add.") == {"hookSpecificOutput": specific}
    specific = {"hookEventName": name, "additionalContext": "Goal: fix add."}
    assert answer(name, Action.ALLOW, briefing="Goal: fix add.") == {"hookSpecificOutput": specific}


def test_stop_is_held_back_by_words_about_findings_only() -> None:
    assert answer("Stop", Action.INJECT, "Tests fail.") == {"decision": "block", "reason": "Tests fail."}
    assert answer("Stop", Action.ALLOW, briefing="Goal: fix add.") is None
    assert answer("Stop.active", Action.INJECT, "Tests fail.") is None


@pytest.mark.parametrize("name", CLAUDE_EVENTS)
@pytest.mark.parametrize("action", [Action.ALLOW, Action.LOG, Action.QUEUE])
def test_nothing_to_say_is_no_byte(name: str, action: Action) -> None:
    assert render(verdict(action, "kept for later"), call_of(name)) == b""


@pytest.mark.parametrize("name", [*CLAUDE_EVENTS, "codex.PreToolUse"])
@pytest.mark.parametrize("action", list(Action))
def test_no_answer_goes_beyond_its_moment_or_grants_a_permission(name: str, action: Action) -> None:
    call = call_of(name)
    rendered = render(verdict(action, "words"), call)
    assert b"allow" not in rendered
    assert not rendered or action in call.moment.actions


@settings(max_examples=200, deadline=None)
@given(
    st.text(st.characters(), max_size=60),
    st.text(st.characters(), max_size=60),
    st.integers(0, 80),
    st.sampled_from(["PreToolUse", "Stop", "PostToolUse"]),
    st.sampled_from(list(Action)),
)
def test_words_fit_the_room(message: str, briefing: str, room: int, name: str, action: Action) -> None:
    told = json.loads(render(verdict(action, message, briefing), narrow(name, room)) or b"{}")
    specific = told.get("hookSpecificOutput", {})
    words = (told.get("reason"), specific.get("permissionDecisionReason"), specific.get("additionalContext"))
    assert sum(len(text.encode("utf-16-le")) // 2 for text in words if text) <= room


@pytest.mark.parametrize(
    ("message", "room", "said"),
    [
        ("one two three", 13, "one two three"),
        ("one two three", 12, "one two…"),
        ("one two three", 8, "one two…"),
        ("one two three", 7, "one…"),
        ("oneword", 4, "one…"),
        ("😀😀😀", 4, "😀…"),
        ("half \ud83d", 20, "half "),
        ("字" * 500, 300, "字" * 299 + "…"),
        ("a " + "字" * 500, 300, "a " + "字" * 297 + "…"),
    ],
)
def test_words_are_cut_between_words(message: str, room: int, said: str) -> None:
    told = json.loads(render(verdict(Action.INJECT, message), narrow("PostToolUse", room)))
    assert told["hookSpecificOutput"]["additionalContext"] == said


@pytest.mark.parametrize(
    ("action", "changed"), [(Action.ALLOW, True), (Action.QUEUE, True), (Action.ASK, False), (Action.DENY, False)]
)
def test_the_input_of_a_call_that_passes_may_be_changed(action: Action, *, changed: bool) -> None:
    """Without a word on its permission."""
    answered = json.loads(render(verdict(action, "m"), call_of("PreToolUse"), "x"))["hookSpecificOutput"]
    assert ("updatedInput" in answered) == changed
    given = call_of("PreToolUse").fields["tool_input"]
    assert isinstance(given, dict)
    assert not changed or answered["updatedInput"] == {**given, "prompt": "x"}
    assert answered.get("permissionDecision") != "allow"
    assert render(verdict(action), call_of("PostToolUse"), "x") == b""


@pytest.mark.parametrize("name", ["Stop", "SubagentStop"])
def test_any_agent_can_be_kept_going(name: str) -> None:
    call = keeping_on(call_of(name, stop_hook_active=True))
    assert json.loads(render(verdict(Action.INJECT, "not yet"), call)) == {"decision": "block", "reason": "not yet"}


@pytest.mark.parametrize(
    ("payload", "folder"),
    [(b'{"cwd": "/shop"}', "/shop"), (b'{"cwd": 3}', ""), (b"{}", ""), (b"[]", ""), (b"{", ""), (b"[" * 9_999, "")],
)
def test_the_folder_is_told_even_where_nothing_can_be_judged(payload: bytes, folder: str) -> None:
    assert folder_told(payload) == folder
