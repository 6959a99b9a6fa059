"""One run of the real client, told by its hooks and by its transcript: both tell the same turns and the same calls.

Calls in parallel, failed, refused and unknown ones, a sub-agent, a compaction, messages of words alone, and a second
sitting. `python -m tests.e2e.record_hook_run` records it anew.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from leeboard.app.handle import SILENT, RunSetting, handle
from leeboard.app.replay import Replayed, play
from leeboard.clients.claude_code.hooks import parse
from leeboard.clients.claude_code.transcript import TranscriptReader
from leeboard.model.event import Event, MessageSaid, ThoughtShown, ToolProposed
from leeboard.model.policy import Policy
from leeboard.model.session import Session
from leeboard.model.verdict import Verdict
from leeboard.model.workspace import Workspace
from leeboard.rule import discover
from leeboard.store.memory import MemoryStore

RUNS = Path(__file__).parent / "fixtures" / "hook_runs"
PAYLOADS = (RUNS / "long-work.hooks.jsonl").read_bytes().splitlines()
TRANSCRIPT = (RUNS / "long-work.transcript.jsonl").read_bytes()
SUB_AGENT = (RUNS / "long-work.agent.jsonl").read_bytes()
WORDS = (MessageSaid, ThoughtShown)
ENFORCE = Policy(profile="enforce")

Turns = dict[str, tuple[str, int]]
"""Tool-use id to the agent and its turn."""


class Followed:
    """The run as the hooks tell it; before each of them so many lines of the transcript are read, where it has them."""

    def __init__(self, lines_read: tuple[int, ...] = ()) -> None:
        self.store = MemoryStore()
        self.turns: Turns = {}
        self._setting = RunSetting(workspace=Workspace("/repo"), policy=ENFORCE, rules=discover(()))
        self._told: set[str] = set()
        transcript = Transcript()
        for position, payload in enumerate(PAYLOADS):
            call = parse(payload, float(position))
            for event in transcript.read(lines_read[position] if lines_read else 0, self._told):
                handle((event,), SILENT, self.store, self._setting)
            verdict = handle(call.events, call.moment, self.store, self._setting) if call.events else None
            self._note(call.events, verdict)

    @property
    def session(self) -> Session:
        (found,) = self.store.sessions(None, 9)
        return found

    def _note(self, events: tuple[Event, ...], verdict: Verdict | None) -> None:
        for event in events:
            self._told.add(event.key)
            if isinstance(event, ToolProposed) and verdict is not None:
                self.turns[event.call.id] = (event.agent, verdict.turn)


class Transcript:
    """Lags behind the hooks: only words stand in it before a hook has told of them."""

    def __init__(self) -> None:
        reader = TranscriptReader("")
        self._lines = [reader.feed(line) for line in TRANSCRIPT.splitlines(keepends=True)]
        self._at = 0

    def read(self, lines: int, told: set[str]) -> list[Event]:
        events: list[Event] = []
        for line in self._lines[self._at : self._at + lines]:
            if any(event.key and event.key not in told and not isinstance(event, WORDS) for event in line):
                break
            events += line
            self._at += 1
        return events


def replayed(data: bytes) -> tuple[Replayed, Turns]:
    turns: Turns = {}

    def note(event: Event, verdict: Verdict | None, _session: Session) -> None:
        if isinstance(event, ToolProposed) and verdict is not None:
            turns[event.call.id] = (event.agent, verdict.turn)

    return play(data, policy=ENFORCE, observer=note), turns


@pytest.fixture(scope="module")
def followed() -> Followed:
    return Followed()


def test_the_same_turns_in_all(followed: Followed) -> None:
    main, sub_agent = play(TRANSCRIPT).session, play(SUB_AGENT).session
    assert (main.turns, sub_agent.turns) == (12, 3)
    assert followed.session.turns == main.turns + sub_agent.turns


def test_every_call_in_the_same_turn_of_the_same_agent(followed: Followed) -> None:
    (_, main), (_, sub_agent) = replayed(TRANSCRIPT), replayed(SUB_AGENT)
    assert len(main | sub_agent) == len(main) + len(sub_agent) == 16
    assert followed.turns == main | sub_agent


def test_the_same_calls_are_scored(followed: Followed) -> None:
    (main, _), (sub_agent, _) = replayed(TRANSCRIPT), replayed(SUB_AGENT)
    assert followed.session.scored == main.session.scored + sub_agent.session.scored == 10
    assert followed.session.last_score == main.session.last_score == 10


def test_no_call_stays_open(followed: Followed) -> None:
    """Refused and unknown calls end too, though no hook tells of their end but the batch's."""
    assert [agent.open_calls for agent in followed.session.agents if agent.open_calls] == []
    assert followed.session.status == "completed"


@given(st.lists(st.integers(min_value=0, max_value=9), min_size=len(PAYLOADS), max_size=len(PAYLOADS)))
@settings(max_examples=25, deadline=None)
def test_a_transcript_read_beside_the_hooks_adds_no_turn(lines_read: list[int]) -> None:
    told_twice = Followed(tuple(lines_read))
    assert told_twice.session.turns == 15
    assert told_twice.session.scored == 10
    assert told_twice.session.agent("").open_calls == ()
