"""Words put into requests: nothing else changes, and the same words are at the same place the next time."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.wire import request
from leeboard.wire.seam import Insertion, RequestFacts
from leeboard.wire.splice import splice
from tests.wire.next_request import check_anthropic_history
from tests.wire.requests import REQUESTS, anthropic, body_of, called, read, result, said, user

NOTE = 'Stay with add(). "Quoted" – 😀\n\\ {"messages": [1]}'


def facts_of(path: str, body: bytes) -> RequestFacts:
    found = request.read("POST", path, {}, body)
    assert found is not None
    return found


def put_in(body: dict[str, Any], *insertions: Insertion, path: str = "/v1/messages", indent: int | None = None) -> Any:
    data = json.dumps(body, indent=indent, ensure_ascii=False).encode()
    spliced = splice(data, facts_of(path, data), insertions)
    return json.loads(spliced.body)


@pytest.mark.parametrize("name", REQUESTS)
@pytest.mark.parametrize("separators", [(",", ":"), (" , ", " : ")])
def test_all_that_the_client_wrote_stays_byte_for_byte(name: str, separators: tuple[str, str]) -> None:
    data = json.dumps(REQUESTS[name]["body"], separators=separators).encode()
    facts = read(name)
    spliced = splice(data, facts, [Insertion(facts.anchor, NOTE)])
    assert [placed.text for placed in spliced.placed] == [NOTE]
    added = len(spliced.body) - len(data)
    at = next(at for at, byte in enumerate(spliced.body) if at >= len(data) or byte != data[at])
    assert any(spliced.body[:start] + spliced.body[start + added :] == data for start in range(at - added, at + 1))


def test_it_goes_behind_the_last_block_and_its_cache_mark() -> None:
    found = json.loads(
        splice(
            body_of("claude-second-call"), (facts := read("claude-second-call")), [Insertion(facts.anchor, NOTE)]
        ).body
    )
    last = found["messages"][-1]["content"]
    assert last[-1] == {"type": "text", "text": NOTE}
    assert "cache_control" in last[-2]
    assert found["system"] == REQUESTS["claude-second-call"]["body"]["system"]


def test_a_message_of_the_system_after_it_stays_where_it_is() -> None:
    facts = read("claude-first")
    found = json.loads(splice(body_of("claude-first"), facts, [Insertion(facts.anchor, NOTE)]).body)
    assert [message["role"] for message in found["messages"]] == ["user", "system"]
    assert found["messages"][0]["content"][-1]["text"] == NOTE
    assert found["messages"][1] == REQUESTS["claude-first"]["body"]["messages"][1]


def test_a_mark_on_the_whole_request_stays_and_none_is_added() -> None:
    body = anthropic(said("go"), called("t"), result("t"), cache_control={"type": "ephemeral"})
    found = put_in(body, Insertion("t", NOTE))
    assert found["cache_control"] == body["cache_control"]
    assert found["messages"][-1]["content"][-1] == {"type": "text", "text": NOTE}


def test_answers_to_calls_stay_first() -> None:
    body = anthropic(said("go"), called("t"), result("t"))
    found = put_in(body, Insertion("t", NOTE))
    check_anthropic_history(found["messages"])
    assert [block["type"] for block in found["messages"][-1]["content"]] == ["tool_result", "text"]


def test_a_text_alone_stays_a_text_alone() -> None:
    body = anthropic(user("fix it"))
    data = json.dumps(body).encode()
    spliced = splice(data, (facts := facts_of("/v1/messages", data)), [Insertion(facts.anchor, NOTE)])
    assert json.loads(spliced.body)["messages"] == [user(f"fix it\n\n{NOTE}")]


def test_the_same_words_stand_at_the_same_place_in_later_requests() -> None:
    """So the provider finds the beginning that it knows."""
    first = anthropic(said("go"), called("t"), result("t"))
    later = anthropic(*first["messages"], called("u"), result("u"))
    early, late = put_in(first, Insertion("t", NOTE)), put_in(later, Insertion("t", NOTE))
    assert late["messages"][: len(early["messages"])] == early["messages"]
    both = put_in(later, Insertion("u", "Second."), Insertion("t", NOTE))
    assert both["messages"][2] == late["messages"][2]
    assert both["messages"][-1]["content"][-1]["text"] == "Second."


def test_a_retry_gets_the_same_bytes() -> None:
    data = body_of("claude-second-call")
    facts = read("claude-second-call")
    assert splice(data, facts, [Insertion(facts.anchor, NOTE)]) == splice(data, facts, [Insertion(facts.anchor, NOTE)])


def test_words_whose_place_was_compacted_away_are_left_out() -> None:
    old, facts = read("claude-second-call").anchor, read("claude-compacted")
    data = body_of("claude-compacted")
    spliced = splice(data, facts, [Insertion(old, NOTE)])
    assert spliced.body is data
    assert spliced.placed == ()
    assert splice(data, facts, []).body is data
    assert splice(data, facts, [Insertion(facts.anchor, " \n")]).body is data


def test_several_words_for_one_place_follow_each_other() -> None:
    found = put_in(anthropic(said("go"), called("t"), result("t")), Insertion("t", "One."), Insertion("t", "Two."))
    assert found["messages"][-1]["content"][-1]["text"] == "One.\n\nTwo."


def test_an_empty_message_gets_its_first_block() -> None:
    body = anthropic(user([]))
    anchor = facts_of("/v1/messages", json.dumps(body).encode()).anchor
    assert put_in(body, Insertion(anchor, NOTE))["messages"] == [said(NOTE)]


def test_chat_gets_a_message_after_all_answers() -> None:
    calls = [{"id": call, "type": "function", "function": {"name": "f", "arguments": "{}"}} for call in "ab"]
    answers = [{"role": "tool", "tool_call_id": call, "content": "ok"} for call in "ab"]
    body = {"messages": [user("go"), {"role": "assistant", "tool_calls": calls}, *answers, user("and?")]}
    found = put_in(body, Insertion("a", NOTE), path="/v1/chat/completions", indent=2)
    assert found["messages"] == [*body["messages"][:4], user(NOTE), user("and?")]


def test_responses_get_an_item_after_all_answers() -> None:
    items = [
        {"type": "function_call", "call_id": "a", "name": "f", "arguments": "{}"},
        {"type": "function_call_output", "call_id": "a", "output": "ok"},
    ]
    note = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": NOTE}]}
    assert put_in({"input": items}, Insertion("a", NOTE), path="/v1/responses")["input"] == [*items, note]
    data = b'{"input": "go", "instructions": "x"}'
    facts = facts_of("/v1/responses", data)
    assert json.loads(splice(data, facts, [Insertion(facts.anchor, "Stay.")]).body)["input"] == "go\n\nStay."


def test_texts_that_look_like_a_conversation_mislead_nobody() -> None:
    trap = '], "messages": [{"role": "user", "content": "{[\\"'
    body = anthropic(said(trap, "go"), called("t"), result("t", trap), system=trap + "}]")
    body = {"metadata": {"messages": [said("other")]}, **body}
    found = put_in(body, Insertion("t", NOTE))
    assert found["messages"][-1]["content"][-1]["text"] == NOTE
    assert {**found, "messages": []} == {**body, "messages": []}


@pytest.mark.parametrize("text", ["[", "]", "{", "}", "]]]}", "[[[{{", '"', '\\"', "\\", '"]}', "[\n]]", "\u2028]"])
@pytest.mark.parametrize("as_blocks", [False, True])
def test_brackets_without_their_fellow_mislead_nobody(text: str, *, as_blocks: bool) -> None:
    """In the system prompt, in a tool, in words, in a result, in the arguments of a call."""
    call = {"type": "tool_use", "id": "t", "name": "Bash", "input": {"command": text, text: [text]}}
    conversation = (said(text, "go"), {"role": "assistant", "content": [call]}, result("t", text))
    tools = [{"name": "Bash", "description": text, "input_schema": {text: text}}]
    system = [{"type": "text", "text": text}] if as_blocks else text
    body = {text: text, **anthropic(*conversation, system=system, tools=tools), "metadata": {"user_id": text}}
    for data in (json.dumps(body).encode(), json.dumps(body, ensure_ascii=False, indent=1).encode()):
        facts = facts_of("/v1/messages", data)
        spliced = splice(data, facts, [Insertion("t", NOTE + text)])
        assert len(spliced.placed) == 1
        found = json.loads(spliced.body)
        assert found["messages"][-1]["content"][-1]["text"] == NOTE + text
        assert {**found, "messages": found["messages"][:-1]} == {**body, "messages": body["messages"][:-1]}
        at = next(at for at, (a, b) in enumerate(zip(data, spliced.body, strict=False)) if a != b)
        assert spliced.body.endswith(data[at:]), "what was there stands around the words byte for byte"


@pytest.mark.parametrize(
    "data",
    [
        b'{"messages": [], "messages": [{"role": "user", "content": "go"}]}',
        b'{"messages": [{"role": "user", "content": "a", "content": "go"}]}',
        b'{"messages": [{"role": "user", "content": "go"}]} trailing',
    ],
)
def test_where_the_bytes_are_doubtful_they_go_on_as_they_came(data: bytes) -> None:
    anchor = facts_of("/v1/messages", b'{"messages": [{"role": "user", "content": "go"}]}')
    assert splice(data, anchor, [Insertion(anchor.anchor, NOTE)]).body == data


def test_a_text_that_is_none_is_not_put_in() -> None:
    facts = read("claude-first")
    assert splice(body_of("claude-first"), facts, [Insertion(facts.anchor, "\ud800")]).body == body_of("claude-first")


@given(st.binary(max_size=80))
def test_bytes_of_any_kind_raise_nothing(data: bytes) -> None:
    assert splice(data, read("claude-first"), [Insertion("x", "y")]).body == data


@given(st.text(max_size=40), st.text(min_size=1, max_size=40), st.booleans())
def test_any_words_come_out_as_they_went_in(prompt: str, words: str, is_ascii: bool) -> None:  # noqa: FBT001 - drawn by the test
    data = json.dumps(anthropic(user(prompt), called("t"), result("t", prompt)), ensure_ascii=is_ascii)
    encoded = data.encode("utf-8", "replace")
    spliced = splice(encoded, facts_of("/v1/messages", encoded), [Insertion("t", words)])
    if spliced.placed:
        assert json.loads(spliced.body)["messages"][-1]["content"][-1]["text"] == words
