"""A run seen through hooks counts the same turns as its transcript."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from leeboard.analysis.analyse import analyse
from leeboard.model.event import (
    AgentEnded,
    AgentStarted,
    Event,
    MessageSaid,
    PromptGiven,
    Stopped,
    ThoughtShown,
    ToolCall,
    ToolFinished,
    ToolProposed,
    TurnEnded,
)
from leeboard.model.fold import counts, fold
from leeboard.model.session import Session
from leeboard.model.workspace import Workspace

Message = tuple[int, bool]
"""Number of calls of an assistant message, and whether it says something before them."""


def call(name: str) -> ToolCall:
    return ToolCall(id=name, tool="Read", action="read", paths=("a.py",))


def in_transcript(exchanges: list[list[Message]], agent: str = "") -> list[Event]:
    events: list[Event] = []
    for number, messages in enumerate(exchanges):
        if not agent:
            events.append(PromptGiven(session="s", source="transcript", key=f"prompt:{number}", text="fix it"))
        for place, (calls, speaks) in enumerate(messages):
            message = f"m{agent}{number}.{place}"
            base = {"session": "s", "source": "transcript", "message": message, "agent": agent}
            names = [f"{message}.{one}" for one in range(calls)]
            if speaks or not calls:
                events.append(MessageSaid(**base, key=f"say:{message}", text="now"))  # type: ignore[arg-type] # one base for all
            events += [ToolProposed(**base, key=f"call:{name}", call=call(name)) for name in names]  # type: ignore[arg-type] # as above
            for name in names:
                finished = ToolFinished(**base, key=f"result:{name}", call=call(name), outcome="done")  # type: ignore[arg-type] # as above
                events.append(finished)
    return events


def in_hooks(exchanges: list[list[Message]], *, batches: bool, agent: str = "") -> list[Event]:
    """Hooks show no text; the last message of an exchange, which calls nothing, is a stop."""
    events: list[Event] = []
    for number, messages in enumerate(exchanges):
        if not agent:
            key = f"prompt:{number}" if batches else ""
            events.append(PromptGiven(session="s", key=key, text="fix it"))
        for place, (calls, _speaks) in enumerate(messages):
            names = [f"m{agent}{number}.{place}.{one}" for one in range(calls)]
            events += [ToolProposed(session="s", agent=agent, key=f"call:{name}", call=call(name)) for name in names]
            events += [
                ToolFinished(session="s", agent=agent, key=f"result:{name}", call=call(name), outcome="done")
                for name in names
            ]
            if batches and names:
                events.append(TurnEnded(session="s", agent=agent, key=f"batch:{names[0]}", calls=tuple(names)))
        if not agent:
            events.append(Stopped(session="s"))
    return events


def folded(events: list[Event]) -> Session:
    session = Session(id="s")
    for event in events:
        if counts(session, event):
            session, _ = fold(session, analyse(event, Workspace("/repo")))
    return session


working = st.lists(st.tuples(st.integers(1, 3), st.booleans()), max_size=4)
runs = st.lists(working.map(lambda messages: [*messages, (0, True)]), min_size=1, max_size=3)


@given(runs, st.booleans())
def test_hooks_and_transcript_count_alike(exchanges: list[list[Message]], batches: bool) -> None:  # noqa: FBT001 - drawn
    """Parallel calls, messages that only say something, stops; with the client's batch event and without it."""
    expected = sum(len(messages) for messages in exchanges)
    assert folded(in_transcript(exchanges)).turns == expected
    assert folded(in_hooks(exchanges, batches=batches)).turns == expected


@given(runs)
def test_a_sub_agents_turns_count_alike(exchanges: list[list[Message]]) -> None:
    """Hooks show its last message as its end."""
    run = exchanges[:1]
    ended = AgentEnded(session="s", agent="sub", key="agent-ended:sub", agent_type="Explore")
    started = AgentStarted(session="s", agent="sub", key="agent-started:sub")
    through_hooks = [started, *in_hooks(run, batches=True, agent="sub"), ended]
    from_transcript = [
        replace(started, source="transcript"),
        *in_transcript(run, agent="sub"),
        replace(ended, source="transcript"),
    ]
    assert folded(through_hooks).turns == folded(from_transcript).turns == len(run[0])


def test_the_transcript_adds_no_turns_where_hooks_are_live() -> None:
    run: list[list[Message]] = [[(2, True), (1, False), (0, True)]]
    hooks, transcript = in_hooks(run, batches=True), in_transcript(run)
    session = folded([*hooks, *transcript])
    assert session.turns == 3
    assert session.agent("").turn == 3


def test_a_batch_whose_calls_nobody_saw_is_a_turn() -> None:
    session = folded(
        [PromptGiven(session="s", key="prompt:1", text="go"), TurnEnded(session="s", key="batch:x", calls=("x",))]
    )
    assert session.turns == 1


def test_thoughts_and_words_of_one_message_are_one_turn() -> None:
    said = [
        ThoughtShown(session="s", source="transcript", key="say:m:0", message="m", text="hm"),
        MessageSaid(session="s", source="transcript", key="say:m:1", message="m", text="so"),
    ]
    assert folded([*said]).turns == 1


@pytest.mark.parametrize("batches", [True, False])
def test_a_prompt_begins_anew(batches: bool) -> None:  # noqa: FBT001 - a column of the table
    """A call that was open when the human interrupted does not swallow the next turn."""
    first = PromptGiven(session="s", key="prompt:1" if batches else "", text="go")
    lost = ToolProposed(session="s", key="call:1", call=call("1"))
    again = PromptGiven(session="s", key="prompt:2" if batches else "", text="no, this")
    following = ToolProposed(session="s", key="call:2", call=call("2"))
    assert folded([first, lost, again, following]).turns == 2
