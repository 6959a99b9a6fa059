from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from leeboard.clients.claude_code import rehearsal

JSON = dict[str, Any]
AGENT = {"x-claude-code-agent-id": "a1"}


def asked(*messages: JSON, **more: object) -> bytes:
    given = {"model": "m", "system": [], "tools": [{}], "messages": [{"role": "user", "content": "x"}, *messages]}
    return json.dumps({**given, **more}).encode()


def uses(body: bytes) -> list[JSON]:
    return [block["input"] for block in json.loads(body)["content"] if block["type"] == "tool_use"]


def test_the_main_agent_makes_two_calls_at_once_and_starts_three_others_then_ends() -> None:
    said: list[JSON] = []
    made: list[list[JSON]] = []
    while not (reply := rehearsal.reply("/v1/messages?beta=true", {}, asked(*said))).last:
        made.append(uses(reply.body))
        said.append({"role": "assistant", "content": "..."})
    assert [len(calls) for calls in made] == [2, 1, 1, 1]
    assert [calls[0].get("run_in_background") for calls in made] == [None, True, False, False]
    assert made[3][0]["isolation"] == "worktree"


def test_an_agent_makes_the_call_that_its_task_names_and_ends() -> None:
    task = {"role": "user", "content": "leeboard-probe: task background ."}
    first = rehearsal.reply("/v1/messages", AGENT, asked(task))
    assert [call["command"] for call in uses(first.body)] == ["printf leeboard-probe-%d-background 0x2a"]
    then = rehearsal.reply("/v1/messages", AGENT, asked(task, {"role": "assistant", "content": "..."}))
    assert (uses(then.body), then.last) == ([], False)


def test_a_stream_holds_the_same_calls() -> None:
    reply = rehearsal.reply("/v1/messages", {}, asked(stream=True))
    assert reply.content_type == "text/event-stream"
    told = [json.loads(line[6:]) for line in reply.body.splitlines() if line.startswith(b"data: ")]
    parts = [event["delta"]["partial_json"] for event in told if event["type"] == "content_block_delta"]
    assert [json.loads(part)["command"].split()[1] for part in parts] == [
        f"leeboard-probe-%d-{one}" for one in ("main", "parallel")
    ]
    assert told[-1] == {"type": "message_stop"}


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=9),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["messages", "tools", "system", "role", "stream", "x"]), inner, max_size=5)
    ),
    max_leaves=12,
)


@given(st.binary(max_size=200) | _JSON.map(lambda value: json.dumps(value).encode()))
def test_no_request_makes_it_fail(body: bytes) -> None:
    assert rehearsal.reply("/v1/messages", {}, body).body
    assert json.loads(rehearsal.reply("/v1/messages/count_tokens", AGENT, body).body)


def test_commands_and_http_stand_in_files_of_their_own() -> None:
    files = rehearsal.files("cat", "http://127.0.0.1:1/heard")
    kinds = {
        name: {hook["type"] for every in json.loads(text)["hooks"].values() for hook in every[0]["hooks"]}
        for name, text in files.items()
    }
    assert kinds == {"repo/.claude/settings.json": {"command"}, "home/.claude/settings.json": {"http"}}
