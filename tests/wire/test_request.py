"""Whose a request is, what is new in it, and whether it is work."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.wire import request
from leeboard.wire.seam import CallResult
from tests.wire.answers import JSON
from tests.wire.requests import REQUESTS, TOOLS, anthropic, ask, body_of, called, read, result, said, user

MESSAGES = "/v1/messages"
CHAT = "/v1/chat/completions"
RESPONSES = "/v1/responses"


# Real clients.


def test_the_first_request_of_claude_code() -> None:
    facts = read("claude-first")
    assert (facts.api, facts.kind, facts.client) == ("anthropic", "work", "claude_code")
    assert facts.session_id == "37ab3d7f-1de8-4940-a0e1-e48b9e43e87b"
    assert (facts.agent_id, facts.parent_agent_id) == ("", "")
    assert (facts.cwd, facts.streaming, facts.messages) == ("/repo", True, 2)
    assert facts.prompt == facts.first_prompt == "Please fix add() in app.py"
    assert facts.is_new_prompt
    assert facts.anchor == facts.prompt_key
    assert facts.results == ()
    assert "Write" in facts.tools


def test_the_agents_of_one_session_are_told_apart() -> None:
    sub, main = read("claude-subagent"), read("claude-after-subagent")
    assert sub.session_id == main.session_id
    assert (sub.agent_id, main.agent_id) == ("a2353b50138e3cdf6", "")
    assert sub.prompt == "Find what add does"
    assert main.prompt == "Please fix add() in app.py"
    assert not main.is_new_prompt
    assert sub.results[0].is_error
    assert sub.anchor == sub.results[0].id
    assert main.results[0].text.startswith("  <tools-used-before-summary>")


def test_a_prompt_keeps_its_name_over_the_requests_that_follow_it() -> None:
    first, later = read("claude-first"), read("claude-after-subagent")
    assert first.prompt_key == later.prompt_key
    assert first.anchor in later.anchors
    assert first.digest != later.digest


def test_compaction_is_background_and_what_it_leaves_has_no_old_anchors() -> None:
    before, during, after = read("claude-second-call"), read("claude-compaction"), read("claude-compacted")
    assert (before.kind, during.kind, after.kind) == ("work", "background", "work")
    assert during.background == "compaction"
    assert before.anchor not in after.anchors
    assert after.prompt == ""
    assert before.turn_id == after.turn_id != ""


def test_compaction_is_known_by_its_words_alone() -> None:
    told = REQUESTS["claude-compaction"]
    headers = {name: value for name, value in told["headers"].items() if "class" not in name}
    found = request.read("POST", told["path"], headers, body_of("claude-compaction"))
    assert found is not None
    assert found.background == "compaction"


def test_codex_and_its_agents() -> None:
    first, second, sub = read("codex-first"), read("codex-second-call"), read("codex-subagent")
    assert first.session_id == second.session_id == sub.session_id == "01a1e882-105c-7650-a622-fce79aff140b"
    assert (first.api, first.client, first.kind, first.cwd) == ("responses", "codex", "work", "/repo")
    assert (first.agent_id, sub.agent_id) == ("", "01a1e882-118a-73c1-bc3d-b9125fbf89a1")
    assert sub.parent_agent_id == ""
    assert first.prompt == second.prompt == "fix add()"
    assert (first.is_new_prompt, second.is_new_prompt) == (True, False)
    assert first.turn_id == second.turn_id != sub.turn_id
    assert second.anchor == second.results[-1].id == "call_a580295daa7e439e"
    assert "apply_patch" in first.tools


def test_opencode_and_its_agents() -> None:
    title, main, sub = read("opencode-title"), read("opencode-call"), read("opencode-subagent")
    assert (title.kind, title.background) == ("background", "title")
    assert (main.client, main.cwd, main.kind) == ("opencode", "/repo", "work")
    assert main.session_id == sub.session_id
    assert (main.agent_id, sub.agent_id) == ("", "ses_e177dd900ffeTjWFrYyRZQQW4f")


# Sessions.


@pytest.mark.parametrize(
    ("body", "headers"),
    [
        ({"metadata": {"user_id": '{"device_id": "d", "session_id": "S"}'}}, {}),
        ({"metadata": {"user_id": "user_abc_account__session_S"}}, {}),
        ({}, {"session_id": "S"}),
        ({}, {"x_session_id": "S"}),
        ({"prompt_cache_key": "S"}, {}),
        ({"prompt_cache_key": "other"}, {"x_claude_code_session_id": "S", "session_id": "other"}),
    ],
)
def test_where_a_session_is_told(body: dict[str, Any], headers: dict[str, str]) -> None:
    assert ask(MESSAGES, anthropic(said("go"), **body), **headers).session_id == "S"


def test_a_name_that_is_longer_than_any_clients_is_kept_short() -> None:
    """It is a key of all that is kept of a session."""
    body = anthropic(said("go"))
    long = ask("/v1/messages", body, x_session_id="x" * 50_000, x_parent_session_id="y" * 50_000)
    assert len(long.session_id) < 100
    assert len(long.agent_id) < 100
    other = ask("/v1/messages", body, x_session_id="x" * 50_001, x_parent_session_id="y" * 50_001)
    assert {long.session_id, long.agent_id}.isdisjoint({other.session_id, other.agent_id})
    assert ask("/v1/messages", body, x_session_id="s" * 200).session_id == "s" * 200


def test_sessions_that_nothing_names_go_by_folder_and_first_words() -> None:
    reminder = "<system-reminder>\nContents of CLAUDE.md\n</system-reminder>"

    def session(words: str, folder: str) -> str:
        system = f"# env\nWorking directory: {folder}\n"
        return ask(MESSAGES, anthropic(said(reminder, words), system=system)).session_id

    assert session("fix add()", "/a") == session("fix add()", "/a") != ""
    assert session("fix add()", "/a") != session("fix sub()", "/a")
    assert session("fix add()", "/a") != session("fix add()", "/b")


def test_a_sub_agent_without_a_name() -> None:
    system = [{"type": "text", "text": "x-anthropic-billing-header: cc_version=2; cc_is_subagent=true;"}]
    facts = ask(MESSAGES, anthropic(said("look at it"), system=system), x_claude_code_session_id="S")
    assert facts.session_id == "S"
    assert facts.agent_id.startswith("sub-")


def test_the_parent_of_an_agent() -> None:
    told = {"x_claude_code_session_id": "S", "x_claude_code_agent_id": "b", "x_claude_code_parent_agent_id": "a"}
    assert ask(MESSAGES, anthropic(said("go")), **told).parent_agent_id == "a"


# Work and background.


@pytest.mark.parametrize(
    ("background", "more"),
    [
        ("probe", {"max_tokens": 1}),
        ("no_tools", {"tools": []}),
        ("title", {"tools": [], "max_tokens": 256}),
        ("warmup", {"messages": [said("<system-reminder>x</system-reminder>", "Warmup")]}),
        ("suggestion", {"messages": [said("[SUGGESTION MODE: what next?]")]}),
        ("compaction", {"messages": [said("fix it"), said("CRITICAL: Respond with TEXT ONLY. Do NOT call")]}),
        ("", {"messages": [said("Warmup the cache in app.py")]}),
        ("", {"messages": [said("go"), called("t"), result("t"), {"role": "system", "content": "note"}]}),
    ],
)
def test_what_is_no_work(background: str, more: dict[str, Any]) -> None:
    facts = ask(MESSAGES, {**anthropic(said("go")), **more})
    assert (facts.background, facts.kind) == (background, "background" if background else "work")


@pytest.mark.parametrize(
    ("headers", "background"),
    [
        ({"x_claude_code_request_class": "main"}, ""),
        ({"x_claude_code_request_class": "subagent"}, ""),
        ({"x_claude_code_request_class": "auxiliary"}, "auxiliary"),
        ({"x_openai_subagent": "compact"}, "compaction"),
        ({"x_openai_subagent": "collab_spawn"}, ""),
        ({"x_codex_turn_metadata": '{"request_kind": "prewarm"}'}, "warmup"),
    ],
)
def test_what_clients_call_their_requests(headers: dict[str, str], background: str) -> None:
    assert ask(MESSAGES, anthropic(said("go")), **headers).background == background


def test_paths() -> None:
    assert ask("/drift/s1/v1/messages?beta=true", anthropic(said("go"))).kind == "work"
    assert ask("/v1/messages/count_tokens?beta=true", anthropic(said("go"))).background == "count_tokens"
    assert ask("/v1/responses/compact", {"input": "x", "tools": TOOLS}).background == "compaction"
    body = b'{"messages": []}'
    assert request.read("GET", "/v1/messages", {}, body) is None
    assert request.read("HEAD", "/", {}, b"") is None
    assert request.read("POST", "/v1/models", {}, body) is None
    assert request.read("POST", "/v1/messages", {"Content-Encoding": "zstd"}, body) is None


# What is new.


def test_the_newest_words_are_the_human_s() -> None:
    facts = ask(MESSAGES, anthropic(said("first"), called("t"), result("t"), called("u"), result("u"), said("second")))
    assert (facts.prompt, facts.first_prompt, facts.is_new_prompt) == ("second", "first", True)
    assert [answer.id for answer in facts.results] == ["u"]
    assert facts.anchor == facts.prompt_key


def test_the_same_words_said_again_are_another_prompt() -> None:
    once = anthropic(said("go on"), called("t"), result("t"))
    again = anthropic(*once["messages"], called("u"), result("u"), said("go on"))
    assert ask(MESSAGES, once).prompt_key != ask(MESSAGES, again).prompt_key


def test_text_and_marks_may_be_written_otherwise_in_the_next_request() -> None:
    marked = user([{"type": "text", "text": "fix it", "cache_control": {"type": "ephemeral"}}])
    assert ask(MESSAGES, anthropic(marked)).prompt_key == ask(MESSAGES, anthropic(user("fix it"))).prompt_key


def test_a_retry_is_known_by_its_digest() -> None:
    body = anthropic(said("go"))
    assert ask(MESSAGES, body).digest == ask(MESSAGES, {**body, "model": "other"}).digest
    assert ask(MESSAGES, body).digest != ask(MESSAGES, anthropic(said("go!"))).digest


def test_chat_completions() -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "bash", "arguments": "{}"}}
    conversation = [
        {"role": "system", "content": "Working directory: /repo"},
        user("fix it"),
        {"role": "assistant", "content": None, "tool_calls": [call, {**call, "id": "c2"}]},
        {"role": "tool", "tool_call_id": "c1", "content": "one"},
        {"role": "tool", "tool_call_id": "c2", "content": [{"type": "text", "text": "two"}]},
    ]
    tools = [{"type": "function", "function": {"name": "bash"}}, {"type": "web_search"}]
    facts = ask(CHAT, {"model": "m", "messages": conversation, "tools": tools})
    assert (facts.api, facts.prompt, facts.is_new_prompt, facts.cwd) == ("chat", "fix it", False, "/repo")
    assert facts.results == (CallResult("c1", "one"), CallResult("c2", "two"))
    assert (facts.anchor, facts.tools) == ("c2", ("bash", "web_search"))
    assert {"c1", "c2"} < facts.anchors
    assert not facts.streaming


def test_responses() -> None:
    assert ask(RESPONSES, {"input": "fix it", "tools": TOOLS}).prompt == "fix it"
    facts = ask(RESPONSES, {"input": [], "tools": TOOLS, "previous_response_id": "resp_1"})
    assert facts.server_keeps_history
    assert (facts.prompt, facts.anchor) == ("", "")


@given(JSON, JSON, JSON)
def test_values_of_any_kind_raise_nothing(messages: Any, system: Any, tools: Any) -> None:
    block = {"type": "tool_result", "tool_use_id": tools, "content": messages}
    for turns in (messages, [{"role": "user", "content": messages}, {"role": "user", "content": [block, messages]}]):
        body = {"messages": turns, "input": turns, "system": system, "tools": tools, "metadata": system, "model": tools}
        for path in (MESSAGES, CHAT, RESPONSES):
            assert ask(path, body).session_id


@given(st.binary(max_size=60))
def test_bytes_of_any_kind_raise_nothing(body: bytes) -> None:
    request.read("POST", MESSAGES, {"x-codex-turn-metadata": "{"}, body)
