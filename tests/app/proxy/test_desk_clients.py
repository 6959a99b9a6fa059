"""Codex and opencode behind the same desk: other APIs and other names, the same course of things."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

from leeboard.app.proxy.desk import ProxyDesk
from leeboard.app.proxy.orders import CarriedTimes, RequestOrders
from leeboard.wire.request import read
from leeboard.wire.rewriters import open_rewriter
from leeboard.wire.seam import CallRuling, RequestFacts
from leeboard.wire.splice import splice
from tests.app.proxy.conftest import GOAL, PLACELESS
from tests.wire.answers import chat_stream, custom_call, function_call, responses_stream, said, thought
from tests.wire_agent import known_session, stored

JSON = dict[str, Any]
STRAY = "*** Begin Patch\n*** Update File: src/styles/theme.css\n@@\n-a = 1\n+a = 2\n*** End Patch"
RIGHT = STRAY.replace("styles/theme.css", "auth/token.py")


@pytest.fixture
def desk(root: Path) -> ProxyDesk:
    return ProxyDesk({"LEEBOARD_PROFILE": "enforce"}, str(root))


def asked(desk: ProxyDesk, path: str, headers: dict[str, str], body: JSON) -> tuple[RequestFacts, RequestOrders, bytes]:
    """The request as the desk and the provider get it."""
    data = msgspec.json.encode(body)
    facts = read("POST", path, headers, data)
    assert facts is not None
    orders = desk.request(facts)
    spliced = splice(data, facts, orders.insertions)
    assert spliced.placed == orders.insertions
    desk.delivered(facts, orders)
    return facts, orders, spliced.body


def carried(desk: ProxyDesk, facts: RequestFacts, stream: bytes) -> tuple[dict[str, CallRuling], bytes]:
    """What the desk ruled, and what the client got."""
    rewriter = open_rewriter(facts, "text/event-stream")
    assert rewriter is not None
    rulings: dict[str, CallRuling] = {}
    written = b""
    for seen in (rewriter.feed(stream), rewriter.close()):
        written += seen.data
        ruled = desk.judge(facts, seen.calls, seen.reasoning) if seen.calls or seen.reasoning else {}
        for call in seen.calls:
            written += rewriter.rule(call.id, ruled[call.id])
        rulings |= ruled
    desk.finished(facts, rewriter.summary, CarriedTimes())
    return rulings, written


def verdicts(rulings: dict[str, CallRuling]) -> list[str]:
    return [ruling.verdict for ruling in rulings.values()]


class Codex:
    """Its requests: the whole conversation as items, with the folder in the first of them."""

    def __init__(self, root: Path) -> None:
        self.headers = {"session-id": "c1", "thread-id": "c1", "originator": "codex_exec"}
        context = f"<environment_context>\n<cwd>{root}</cwd>\n</environment_context>"
        self.items: list[JSON] = [self._message(context)]

    def body(self, *more: JSON) -> JSON:
        self.items += more
        tools = [{"type": "function", "name": "exec_command"}, {"type": "custom", "name": "apply_patch"}]
        return {"model": "gpt", "input": self.items, "tools": tools, "stream": True, "store": False}

    def asks(self, words: str) -> JSON:
        return self.body(self._message(words))

    def _message(self, words: str) -> JSON:
        return {"type": "message", "role": "user", "content": [{"type": "input_text", "text": words}]}


def outputs(*told: tuple[str, str, str]) -> list[JSON]:
    return [{"type": f"{kind}_output", "call_id": id_, "output": text} for kind, id_, text in told]


def test_codex_is_stopped_and_goes_on(desk: ProxyDesk, root: Path) -> None:
    codex = Codex(root)
    facts, _, _ = asked(desk, "/v1/responses", codex.headers, codex.asks(GOAL))
    assert (facts.client, facts.session_id, facts.cwd) == ("codex", "c1", str(root))
    items = [thought("r1", "The theme first."), custom_call("k1", STRAY), function_call("k2", cmd="ls src/auth")]
    rulings, written = carried(desk, facts, responses_stream(items))
    assert verdicts(rulings) == ["withhold", "release"]
    assert b"Begin Patch" not in written
    assert b"echo 'Leeboard held this call back" in written
    assert known_session("c1").mode == "DRIFTED"
    done = "Chunk ID: 1\nWall time: 0.1 seconds\nProcess exited with code 0\nOutput:\nok"
    kept = [function_call("k1", cmd="echo"), function_call("k2", cmd="ls src/auth")]
    back = codex.body(*kept, *outputs(("function_call", "k1", done), ("function_call", "k2", done)))
    facts, orders, _ = asked(desk, "/v1/responses", codex.headers, back)
    assert orders.insertions == (), "the words were printed in the loop"
    rulings, _ = carried(desk, facts, responses_stream([custom_call("k3", RIGHT)]))
    assert verdicts(rulings) == ["release"]
    assert known_session("c1").mode == "NORMAL"
    store = stored()
    assert [step.action_type for step in store.steps("c1")] == ["bash"]
    store.close()


def test_codex_is_corrected_within_its_loop(root: Path) -> None:
    desk = ProxyDesk({}, str(root))
    codex = Codex(root)
    facts, _, _ = asked(desk, "/v1/responses", codex.headers, codex.asks(PLACELESS))
    carried(desk, facts, responses_stream([said("m1", "Now the theme."), custom_call("k1", STRAY)]))
    back = codex.body(custom_call("k1", STRAY), *outputs(("custom_tool_call", "k1", "Success. Updated the files.")))
    _, orders, body = asked(desk, "/v1/responses", codex.headers, back)
    assert "src/styles/theme.css" in orders.insertions[0].text
    last = msgspec.json.decode(body)["input"][-1]
    assert (last["type"], last["role"]) == ("message", "user")
    store = stored()
    (step,) = store.steps("c1")
    store.close()
    assert (step.drift_type, step.reasoning) == ("minor", "Now the theme.")


def test_a_thread_of_codex_is_a_sub_agent(desk: ProxyDesk, root: Path) -> None:
    codex = Codex(root)
    asked(desk, "/v1/responses", codex.headers, codex.asks(GOAL))
    thread = Codex(root)
    thread.headers |= {"thread-id": "c2", "x-codex-parent-thread-id": "c1"}
    facts, _, _ = asked(desk, "/v1/responses", thread.headers, thread.asks("change whatever you like"))
    assert (facts.session_id, facts.agent_id) == ("c1", "c2")
    assert known_session("c1").contract.objective == GOAL
    rulings, _ = carried(desk, facts, responses_stream([custom_call("k9", STRAY)]))
    assert verdicts(rulings) == ["withhold"]


@pytest.mark.parametrize("tools", [("bash", "edit"), ("edit",)])
def test_opencode_by_chat_completions(desk: ProxyDesk, root: Path, tools: Sequence[str]) -> None:
    headers = {"user-agent": "opencode/1.18", "x-session-id": "o1"}
    system = {"role": "system", "content": f"You are opencode.\nWorking directory: {root}\n"}
    body: JSON = {
        "model": "gpt",
        "stream": True,
        "tools": [{"type": "function", "function": {"name": name}} for name in tools],
        "messages": [system, {"role": "user", "content": GOAL}],
    }
    facts, orders, _ = asked(desk, "/v1/chat/completions", headers, body)
    assert (facts.client, facts.session_id, orders.may_withhold) == ("opencode", "o1", True)
    sent = {"filePath": f"{root}/src/styles/theme.css", "oldString": "a = 1", "newString": "a = 2"}
    call = ("t1", "edit", msgspec.json.encode(sent).decode())
    rulings, written = carried(desk, facts, chat_stream("I make it nicer.", [call]))
    assert verdicts(rulings) == ["withhold"]
    assert b"oldString" not in written
    assert (b"echo 'Leeboard held" in written) is ("bash" in tools)
    assert known_session("o1").denied == 1
