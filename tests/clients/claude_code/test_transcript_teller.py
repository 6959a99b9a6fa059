"""Records of many versions, in the shapes they were seen in."""

from __future__ import annotations

import json
from typing import Any

from leeboard.clients.claude_code.transcript import TranscriptTeller
from leeboard.model.event import (
    AgentEnded,
    AgentStarted,
    ContextCompacted,
    Event,
    MessageSaid,
    PromptGiven,
    SessionStarted,
    ThoughtShown,
    TodosUpdated,
    ToolFinished,
    ToolProposed,
    TurnEnded,
)

Json = dict[str, Any]


def tell(*records: Json, close: bool = True) -> list[Event]:
    teller = TranscriptTeller("", "", started=True)
    assert all(teller.tell(json.dumps(record).encode()) for record in records)
    if close:
        teller.close()
    return teller.told


def user(content: object, **fields: object) -> Json:
    return {"type": "user", "message": {"role": "user", "content": content}, **fields}


def said(message: str, *blocks: Json, **fields: object) -> Json:
    return {"type": "assistant", "message": {"id": message, "role": "assistant", "content": list(blocks)}, **fields}


def text(words: str) -> Json:
    return {"type": "text", "text": words}


def bash(call_id: str) -> Json:
    return {"type": "tool_use", "id": call_id, "name": "Bash", "input": {"command": "ls"}}


def result(call_id: str, content: object = "ok", **fields: object) -> Json:
    return {"type": "tool_result", "tool_use_id": call_id, "content": content, **fields}


def prompts(events: list[Event]) -> list[tuple[str, str]]:
    return [(event.key, event.text) for event in events if isinstance(event, PromptGiven)]


def of(kind: type[Event], events: list[Event]) -> list[Event]:
    return [event for event in events if isinstance(event, kind)]


def test_the_session_starts_with_the_first_record_that_tells_something() -> None:
    teller = TranscriptTeller("", "", started=False)
    for record in (
        {"type": "summary", "summary": "Title", "leafUuid": "u"},
        {"type": "queue-operation", "operation": "enqueue", "content": "hi", "timestamp": "2026-01-01T00:00:00Z"},
        user("hi", sessionId="s1", cwd="/repo", timestamp="2026-01-01T00:00:01Z", uuid="u1"),
    ):
        teller.tell(json.dumps(record).encode())
    started = teller.told[0]
    assert started == SessionStarted(session="s1", cwd="/repo", time=1767225601.0, source="transcript")
    assert len(teller.told) == 2


def test_a_record_of_2024_without_ids() -> None:
    """No uuid, no promptId, no message id: events come without keys, and a turn ends after its results."""
    events = tell(
        user("fix it"),
        {"type": "assistant", "message": {"role": "assistant", "content": [text("plan"), bash("t1")]}},
        user([result("t1")]),
        {"type": "assistant", "message": {"role": "assistant", "content": "done"}},
    )
    assert [type(event) for event in events] == [
        *(PromptGiven, MessageSaid, ToolProposed, ToolFinished, TurnEnded, MessageSaid, TurnEnded),
    ]
    assert prompts(events) == [("", "fix it")]
    assert [event.key for event in of(MessageSaid, events)] == ["", ""]


def test_blocks_get_their_place_in_the_message() -> None:
    events = tell(said("m", text("a"), text("b"), uuid="u"), said("m", text("c"), uuid="w", apiBlockIndex=2))
    assert [event.key for event in of(MessageSaid, events)] == ["say:m:u", "say:m:u.1", "say:m:2"]


def test_thinking_that_was_not_kept_is_not_told() -> None:
    events = tell(
        said("m", {"type": "thinking", "thinking": "", "signature": "x"}, {"type": "thinking", "thinking": "hm"})
    )
    assert [event.text for event in events if isinstance(event, ThoughtShown)] == ["hm"]


def test_a_message_whose_blocks_come_between_results_is_one_turn() -> None:
    events = tell(said("m", bash("t1")), user([result("t1")]), said("m", bash("t2")), user([result("t2")]))
    assert [event.calls for event in events if isinstance(event, TurnEnded)] == [("t1", "t2")]


def test_history_written_twice_is_told_once() -> None:
    records = (
        user("fix", promptId="p", uuid="u"),
        said("m", text("a"), bash("t1"), uuid="v"),
        user([result("t1")], uuid="w"),
    )
    assert tell(*records, said("n", text("b"), uuid="x"), *records) == tell(
        *records, said("n", text("b"), uuid="x"), user("")
    )


def test_todos_are_told_beside_their_call() -> None:
    todo = {"type": "tool_use", "id": "t", "name": "TodoWrite", "input": {"todos": [{"content": "a"}]}}
    events = tell(said("m", todo))
    assert [(event.key, event.items) for event in events if isinstance(event, TodosUpdated)] == [("todos:t", ("a",))]


def test_the_result_of_an_unknown_call_has_its_id() -> None:
    (finished,) = of(ToolFinished, tell(user([result("t9")])))
    assert isinstance(finished, ToolFinished)
    assert (finished.call.id, finished.call.tool, finished.key) == ("t9", "", "result:t9")


def test_a_result_knows_the_call_and_the_message_that_asked_for_it() -> None:
    (finished,) = of(ToolFinished, tell(said("m", bash("t1")), user([result("t1")])))
    assert isinstance(finished, ToolFinished)
    assert (finished.call.command, finished.message) == ("ls", "m")


def test_words_that_are_not_the_humans_are_no_prompt() -> None:
    events = tell(
        user("skill body", isMeta=True),
        user("shown only", isVisibleInTranscriptOnly=True),
        user("<task-notification>done</task-notification>"),
        user("peer says", origin={"kind": "peer"}),
        user("scheduled", promptSource="system"),
        user([text("[Request interrupted by user for tool use]")]),
    )
    assert prompts(events) == []


def test_what_the_client_says_in_the_agents_name_is_not_told() -> None:
    synthetic = said("m", text("No response requested."))
    synthetic["message"]["model"] = "<synthetic>"
    assert tell(synthetic, said("n", text("API Error: 500"), isApiErrorMessage=True)) == []


def test_a_prompt_id_is_told_once_but_other_words_under_it_are_not_lost() -> None:
    events = tell(
        user("fix it", promptId="p", uuid="a"),
        user("fix it", promptId="p", uuid="b"),
        user("and the tests", promptId="p", uuid="c"),
    )
    assert prompts(events) == [("prompt:p", "fix it"), ("prompt:c", "and the tests")]


def test_a_slash_command_has_its_arguments_as_words() -> None:
    markup = "<command-name>/review</command-name><command-message>x</command-message><command-args>the parser</command-args>"
    (prompt,) = of(PromptGiven, tell(user(markup, uuid="u")))
    assert isinstance(prompt, PromptGiven)
    assert (prompt.command, prompt.text) == ("/review", "the parser")


def queued(operation: str, words: str = "", **fields: object) -> Json:
    content = {"content": words} if words else {}
    return {"type": "queue-operation", "operation": operation, "timestamp": "T1", **content, **fields}


def test_words_queued_and_then_sent_count_once() -> None:
    sent = user("also tests", promptId="p", uuid="u")
    assert prompts(tell(queued("enqueue", "also tests"), queued("dequeue"), sent, said("m", text("ok")))) == [
        ("prompt:p", "also tests")
    ]


def test_words_absorbed_mid_turn_count_once_with_their_attachment() -> None:
    attachment = {
        "parentUuid": "x",
        "isSidechain": False,
        "attachment": {"type": "queued_command", "prompt": "also tests", "source_uuid": "q1", "commandMode": "prompt"},
        "type": "attachment",
        "uuid": "u",
    }
    absorbed = queued("remove", "also tests", reason="absorbed_mid_turn", commandUuid="q1")
    for order in ((absorbed, attachment), (attachment, absorbed)):
        events = tell(said("m", bash("t1")), queued("enqueue", "also tests"), *order, said("n", text("ok")))
        assert prompts(events) == [("prompt:q1", "also tests")]


def test_words_absorbed_without_an_attachment_are_told_before_the_next_message() -> None:
    absorbed = queued("remove", "also tests", reason="absorbed_mid_turn", commandUuid="q1")
    events = tell(said("m", bash("t1")), queued("enqueue", "also tests"), absorbed, said("n", text("ok")), close=False)
    assert [type(event) for event in events] == [ToolProposed, TurnEnded, PromptGiven, MessageSaid]
    assert prompts(events) == [("prompt:q1", "also tests")]


def test_words_still_waiting_are_told_at_the_end() -> None:
    events = tell(said("m", bash("t1")), queued("enqueue", "also tests"))
    assert prompts(events) == [("prompt:queued-T1", "also tests")]


def test_words_taken_back_are_never_told() -> None:
    assert prompts(tell(queued("enqueue", "a"), queued("enqueue", "b"), queued("popAll"))) == []
    assert prompts(tell(queued("enqueue", "a"), queued("remove", "a", reason="cancelled"))) == []


def test_an_attachment_of_a_machine_is_no_prompt() -> None:
    for fields in ({"origin": {"kind": "task-notification"}}, {"commandMode": "bash"}, {"isMeta": True}):
        attachment = {"type": "queued_command", "prompt": "run it", **fields}
        assert tell({"type": "attachment", "attachment": attachment, "uuid": "u"}) == []


def test_a_compaction_is_told_once_with_its_summary() -> None:
    boundary = {"type": "system", "subtype": "compact_boundary", "content": "Conversation compacted"}
    summary = user("This session is being continued from a previous conversation. Summary: x", isCompactSummary=True)
    for records in ((boundary, summary), (summary,)):
        (compacted,) = of(ContextCompacted, tell(*records, said("m", text("go on"))))
        assert isinstance(compacted, ContextCompacted)
        assert compacted.summary.endswith("Summary: x")


def test_a_compaction_without_a_summary_is_told_before_what_follows() -> None:
    boundary = {"type": "system", "subtype": "compact_boundary"}
    for follower, kind in ((user("go", uuid="u"), PromptGiven), (said("m", text("go")), MessageSaid)):
        assert [type(event) for event in tell(boundary, follower, close=False)] == [ContextCompacted, kind]
    assert [type(event) for event in tell(boundary)] == [ContextCompacted]


def test_sub_agents_in_the_main_file_are_told_apart() -> None:
    """Before agent ids, a chain of parents leads to the task that started the sub-agent."""
    events = tell(
        said("m", bash("t0"), uuid="m0", isSidechain=False),
        user("task one", uuid="a0", parentUuid=None, isSidechain=True),
        user([text("task two")], uuid="b0", parentUuid="m0", isSidechain=True),
        said("x", bash("t1"), uuid="a1", parentUuid="a0", isSidechain=True),
        said("y", bash("t2"), uuid="b1", parentUuid="b0", isSidechain=True),
        user([result("t1")], uuid="a2", parentUuid="a1", isSidechain=True),
    )
    assert {event.call.id: event.agent for event in events if isinstance(event, ToolProposed)} == {
        "t0": "",
        "t1": "sidechain-a0",
        "t2": "sidechain-b0",
    }
    assert [event.agent for event in of(AgentStarted, events)] == ["sidechain-a0", "sidechain-b0"]
    assert [event.agent for event in of(ToolFinished, events)] == ["sidechain-a0"]
    assert {(event.agent, event.message) for event in of(TurnEnded, events)} == {
        *(("", "m"), ("sidechain-a0", "x"), ("sidechain-b0", "y"))
    }
    assert prompts(events) == []


def test_the_task_tool_shows_when_a_sub_agent_started_and_ended() -> None:
    task = {"type": "tool_use", "id": "t", "name": "Task", "input": {"prompt": "look"}}
    for status, kind in (("completed", AgentEnded), ("async_launched", AgentStarted)):
        told = {"status": status, "agentId": "a7", "agentType": "Explore"}
        (event,) = of(kind, tell(said("m", task), user([result("t")], toolUseResult=told)))
        assert isinstance(event, AgentStarted | AgentEnded)
        assert (event.agent, event.agent_type) == ("a7", "Explore")


def test_the_turn_of_a_sub_agent_ends_with_it() -> None:
    task = {"type": "tool_use", "id": "t", "name": "Task", "input": {"prompt": "look"}}
    ended = user([result("t")], toolUseResult={"status": "completed", "agentId": "a7"})
    events = tell(said("m", task), said("x", text("found"), isSidechain=True, agentId="a7"), ended, close=False)
    assert [(type(event), event.agent) for event in events[-2:]] == [(TurnEnded, "a7"), (AgentEnded, "a7")]


def test_fields_of_wrong_types_do_not_lose_the_record() -> None:
    events = tell(
        said("m", bash("t1"), uuid=7, timestamp=[], cwd={}, sessionId=None, apiBlockIndex="x", isSidechain="no"),
        {"type": "user", "message": {"content": [None, 3, result("t1"), {"type": ["text"]}]}, "toolUseResult": 3},
        {"type": "user", "message": "text"},
        {"type": ["user"]},
        {"type": "assistant", "message": {"id": {}, "content": {"type": "text"}}},
    )
    assert [type(event) for event in events] == [ToolProposed, ToolFinished, TurnEnded, TurnEnded]
