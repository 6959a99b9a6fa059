from __future__ import annotations

import pytest

from leeboard.analysis.analyse import analyse
from leeboard.judge.progress import lull_after, wrote_last
from leeboard.judge.urgency import ends_turn, is_pause
from leeboard.model.event import (
    Event,
    MessageSaid,
    PromptGiven,
    Stopped,
    TextEdit,
    ToolCall,
    ToolFinished,
    ToolProposed,
    TurnEnded,
)
from leeboard.model.session import AgentState
from leeboard.model.verdict import Moment
from leeboard.model.workspace import Workspace

EDIT = ToolCall(id="t", tool="Edit", action="edit", paths=("/repo/a.py",), edits=(TextEdit("a", "b"),))
TESTS = ToolCall(id="t", tool="Bash", action="bash", command="python -m pytest -q tests")
LOOK = ToolCall(id="t", tool="Bash", action="bash", command="ls src")


def after(event: Event, agent: AgentState | None = None) -> bool:
    return lull_after(event, analyse(event, Workspace("/repo")), agent or AgentState())


def test_a_diff_followed_by_new_plans_is_a_pause() -> None:
    """SW-138."""
    done = ToolFinished(session="s", call=EDIT, outcome="done")
    wrote = wrote_last(done, analyse(done, Workspace("/repo")), AgentState())
    assert wrote
    assert after(MessageSaid(session="s", text="Now the next part."), AgentState(wrote=wrote))
    assert not after(MessageSaid(session="s", text="Let me look at the next file."))


@pytest.mark.parametrize("text", ["That completes the parser.", "Step 2 is done."])
def test_a_sub_task_said_to_be_done_is_a_pause(text: str) -> None:
    """SW-139."""
    assert after(MessageSaid(session="s", text=text))


def test_waiting_for_tests_is_a_pause_and_the_next_edit_ends_it() -> None:
    """SW-140."""
    assert after(ToolProposed(session="s", call=TESTS))
    assert not after(ToolProposed(session="s", call=LOOK))
    assert not after(ToolProposed(session="s", call=EDIT), AgentState(lull=True))


def test_the_end_of_a_chunk_is_one_where_the_client_says_so() -> None:
    """SW-141."""
    assert is_pause(Moment(kind="batch_end", pause=True), AgentState())
    assert not is_pause(Moment(kind="after_call"), AgentState())
    assert is_pause(Moment(kind="after_call"), AgentState(lull=True))


def test_what_ends_a_turn() -> None:
    ends: list[Event] = [TurnEnded(session="s"), Stopped(session="s"), PromptGiven(session="s", text="go on")]
    assert all(ends_turn(event) for event in ends)
    assert not ends_turn(ToolFinished(session="s", call=EDIT, outcome="done"))
