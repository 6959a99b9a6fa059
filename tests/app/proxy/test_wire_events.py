"""What requests and answers tell, in the words of every other source."""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from leeboard.app.proxy import wire_events
from leeboard.app.proxy.wire_events import ProposedCall, ProposedCalls, origin_of, proposals, results
from leeboard.clients.claude_code.hooks import parse
from leeboard.model.event import TextEdit, ToolCall, ToolProposed
from leeboard.model.session import Session
from leeboard.wire.seam import CallResult, Reasoning, RequestFacts, WireCall

FACTS = RequestFacts(
    api="anthropic", kind="work", client="claude_code", session_id="s", prompt="fix it", prompt_key="k", digest="d"
)
BASE = origin_of(FACTS, "/repo", 5.0)


def wire_call(name: str, sent: dict[str, object] | str) -> WireCall:
    text = sent if isinstance(sent, str) else msgspec.json.encode(sent).decode()
    return WireCall(id="t1", name=name, input=None if isinstance(sent, str) else sent, input_text=text, index=0)


def test_a_call_is_the_very_one_its_hook_tells_of() -> None:
    given: dict[str, object] = {"file_path": "/repo/a.py", "old_string": "a", "new_string": "b"}
    proposed, todos = proposals(wire_call("Edit", given), FACTS, BASE)
    told = {"hook_event_name": "PreToolUse", "tool_name": "Edit", "tool_input": given, "tool_use_id": "t1"}
    (hooked,) = parse(msgspec.json.encode({"session_id": "s", "cwd": "/repo", **told}), 5.0).events
    assert isinstance(hooked, ToolProposed)
    assert (proposed.key, proposed.call, proposed.cwd) == (hooked.key, hooked.call, hooked.cwd)
    assert todos is None


def test_a_custom_tool_a_folder_and_a_plan_are_understood() -> None:
    patch, _ = proposals(
        wire_call("apply_patch", "*** Begin Patch\n*** Add File: a.py\n+x\n*** End Patch"), FACTS, BASE
    )
    assert (patch.call.action, patch.call.paths) == ("edit", ("a.py",))
    line, _ = proposals(wire_call("exec_command", {"cmd": "ls", "workdir": "sub"}), FACTS, BASE)
    assert (line.call.command, line.cwd) == ("ls", "/repo/sub")
    _, todos = proposals(wire_call("TodoWrite", {"todos": [{"content": "one"}]}), FACTS, BASE)
    assert todos is not None
    assert todos.items == ("one",)


def test_a_result_finds_its_call_again() -> None:
    calls = ProposedCalls()
    edit = ToolCall(id="t1", tool="Edit", action="edit", paths=("/repo/a.py",), edits=(TextEdit("a", "b"),))
    calls.put("s", ProposedCall(edit, "/repo/sub"))
    facts = replace(FACTS, results=(CallResult("t1", "ok"), CallResult("t2", "no", is_error=True)))
    known, bare = results(facts, BASE, calls)
    assert (known.key, known.call, known.cwd, known.outcome, known.output) == (
        "result:t1",
        edit,
        "/repo/sub",
        "done",
        "",
    )
    assert (bare.call.action, bare.outcome, bare.output) == ("other", "failed", "no")


def test_long_calls_are_forgotten_first() -> None:
    calls = ProposedCalls()
    for number in range(5):
        edit = TextEdit("", "x" * (wire_events.MOST_CHARACTERS // 4))
        calls.put("s", ProposedCall(ToolCall(id=f"t{number}", tool="Write", action="write", edits=(edit,)), ""))
    assert [calls.find("s", f"t{number}") is not None for number in range(5)] == [False, True, True, True, True]


def test_words_of_the_human_are_told_once() -> None:
    first = [*wire_events.prompts(FACTS, BASE, None)]
    assert [(event.key, event.text) for event in first] == [("prompt:wire-k", "fix it")]
    heard = Session(id="s", prompts=(first[0].digest,))
    assert [*wire_events.prompts(replace(FACTS, prompt_key="moved"), BASE, heard)] == []
    again = replace(FACTS, prompt_key="two", is_new_prompt=True)
    assert len([*wire_events.prompts(again, BASE, heard)]) == 1
    assert [*wire_events.prompts(replace(FACTS, agent_id="a1"), BASE, None)] == []


def test_reasoning_has_a_key_of_its_words() -> None:
    said = [Reasoning("a  plan\n", "text", 0), Reasoning(" ", "text", 1), Reasoning("a thought", "thinking", 2)]
    events = [*wire_events.reasons(said, FACTS, BASE)]
    assert [type(event).__name__ for event in events] == ["MessageSaid", "ThoughtShown"]
    again = [*wire_events.reasons([Reasoning("a plan", "text", 7)], FACTS, BASE)]
    assert again[0].key == events[0].key
