from __future__ import annotations

import json

import pytest

from leeboard.clients.opencode import CLIENT
from leeboard.clients.opencode.hooks import parse, render
from leeboard.model.event import AgentStarted, ContextCompacted, ToolFinished, ToolProposed
from leeboard.model.verdict import Action
from tests.recorded_clients import loaded, payload, payloads, said


def test_a_recorded_session_is_told_call_by_call() -> None:
    calls = [parse(line, 1.0) for line in payloads("opencode")]
    assert {(call.client, call.session, call.cwd) for call in calls} == {("opencode", calls[0].session, "/repo")}
    events = [event for call in calls for event in call.events]
    proposed = [event.call for event in events if isinstance(event, ToolProposed)]
    done = [event for event in events if isinstance(event, ToolFinished)]
    assert [call.action for call in proposed] == ["read", "read", "edit", "edit", "edit", "bash"]
    assert [(event.call.action, event.outcome) for event in done] == [
        *(("read", "done"), ("read", "done"), ("edit", "done"), ("edit", "done"), ("bash", "failed")),
    ]
    assert done[-1].output == "out\n"
    assert {event.call.id for event in done} < {call.id for call in proposed}


def test_a_session_below_another_is_its_agent() -> None:
    told = {"event": "agent.created", "session": "root", "agent": "child", "cwd": "/repo"}
    call = parse(json.dumps(told).encode(), 1.0)
    assert (call.session, call.agent, call.kind) == ("root", "child", "agent_start")
    assert isinstance(call.events[0], AgentStarted)
    compacted = parse(json.dumps({**told, "event": "session.compacted"}).encode(), 1.0)
    assert isinstance(compacted.events[0], ContextCompacted)


@pytest.mark.parametrize(
    ("event", "action", "answer"),
    [
        ("tool.execute.before", Action.DENY, {"refuse": "words"}),
        ("tool.execute.before", Action.ASK, None),
        ("tool.execute.after", Action.INJECT, {"words": "words"}),
        ("chat.message", Action.INJECT, {"words": "words"}),
        ("session.idle", Action.INJECT, None),
    ],
)
def test_the_plugin_is_told_what_to_do(event: str, action: Action, answer: object) -> None:
    assert loaded(render(said(action), parse(payload("opencode", event), 1.0))) == answer


def test_what_is_for_the_person_stands_apart() -> None:
    call = parse(payload("opencode", "tool.execute.before"), 1.0)
    assert loaded(render(said(Action.DENY), call, for_person="seen")) == {"refuse": "words", "person": "seen"}
    assert loaded(CLIENT.telling_person(b'{"words": "a"}', "seen")) == {"words": "a", "person": "seen"}
