"""A run that was followed through hooks counts the same turns, and scores the same calls, as its transcript."""

from __future__ import annotations

from pathlib import Path

import pytest

from leeboard.app.replay import play
from leeboard.model.event import Event, ToolProposed
from leeboard.model.session import Session
from leeboard.model.verdict import Verdict
from tests.e2e.desk import Desk
from tests.e2e.long_work import work

pytestmark = pytest.mark.e2e

Turns = dict[str, tuple[str, int]]
"""Tool-use id to the agent and its turn."""


def replayed_turns(files: list[Path]) -> Turns:
    turns: Turns = {}

    def note(event: Event, verdict: Verdict | None, _session: Session) -> None:
        if isinstance(event, ToolProposed) and verdict is not None:
            turns[event.call.id] = (event.agent, verdict.turn)

    for file in files:
        play(file.read_bytes(), observer=note)
    return turns


def followed_turns(desk: Desk, session: str) -> Turns:
    with desk.store() as store:
        told = store.verdicts(session)
    return {one.tool_use_id: (one.agent, one.turn) for one in told if one.event == "ToolProposed"}


def test_hooks_and_transcript_count_the_same_turns(desk: Desk) -> None:
    """Calls in parallel, failed, refused and unknown ones, a sub-agent, a compaction, words alone and a resumption."""
    first, second = work(desk)
    assert [request.kind for request in first.requests].count("summary") == 1
    files = desk.transcripts(first.session)
    summaries = [desk.leeboard("replay", "--json", str(file))[-1] for file in files]
    followed = desk.session(first.session)
    assert second.session == first.session
    assert [summary["turns"] for summary in summaries] == [12, 3]
    assert followed.turns == 15
    assert followed.scored == sum(summary["scored"] for summary in summaries)
    assert followed_turns(desk, first.session) == replayed_turns(files)
    assert followed.agent("").open_calls == ()
    assert followed.denied == 1
