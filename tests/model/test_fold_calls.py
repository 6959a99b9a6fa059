"""A call only moves forward, and only what was carried out leaves a trace."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from leeboard.analysis.analyse import analyse
from leeboard.model.event import Outcome, TextEdit, ToolCall, ToolFinished, ToolProposed
from leeboard.model.fold import closed, opened
from leeboard.model.ledger import Mention, Met
from leeboard.model.session import OPEN_CALL_WINDOW, AgentState, Session
from leeboard.model.workspace import Workspace

PLACE = Workspace("/repo")
EDIT = ToolCall(id="t1", tool="Edit", action="edit", paths=("src/auth/token.ts",), edits=(TextEdit("a", "b"),))
DIFF = ToolCall(id="t2", tool="Bash", action="bash", command="git diff")
READ = ToolCall(id="t3", tool="Read", action="read", paths=("src/auth/token.ts",))


def propose(agent: AgentState, call: ToolCall) -> AgentState:
    return opened(agent, analyse(ToolProposed(session="s", call=call), PLACE), call)


def finish(
    session: Session, agent: AgentState, call: ToolCall, outcome: Outcome = "done", output: str = ""
) -> tuple[Session, AgentState, tuple[Mention, ...]]:
    event = ToolFinished(session="s", call=call, outcome=outcome, output=output)
    return closed(session, agent, analyse(event, PLACE), event)


def judged(agent: AgentState, **changes: Any) -> AgentState:
    return replace(agent, open_calls=tuple(replace(call, **changes) for call in agent.open_calls))


def test_an_edit_that_was_done_is_part_of_the_work() -> None:
    session, agent, mentions = finish(Session(id="s"), propose(AgentState(), EDIT), EDIT)
    assert (agent.open_calls, agent.edits, agent.last_good) == ((), 1, "src/auth/token.ts")
    assert session.contract.scope == ("src/auth/",)
    edited = {mention.term for mention in mentions if mention.met & Met.EDITED}
    assert edited == {"src/auth/token.ts", "name:token.ts", "name:token", "src/auth/", "src/"}


@pytest.mark.parametrize("outcome", ["denied", "failed"])
def test_an_edit_that_was_not_done_touched_nothing(outcome: Outcome) -> None:
    """Proposed is not done."""
    session, agent, mentions = finish(Session(id="s"), propose(AgentState(), EDIT), EDIT, outcome)
    assert (agent.open_calls, agent.edits, agent.marks, agent.last_good) == ((), 0, (), "")
    assert (session.contract.scope, mentions) == ((), ())


def test_an_edit_off_course_leaves_only_the_trace_that_it_strayed() -> None:
    session, agent, mentions = finish(Session(id="s"), judged(propose(AgentState(), EDIT), aligned=False), EDIT)
    assert mentions == (Mention("src/auth/token.ts", Met.STRAYED),)
    assert (agent.edits, agent.last_good, session.contract.scope) == (0, "", ())
    assert [mark.path for mark in agent.marks] == ["src/auth/token.ts"]


def test_a_doubtful_edit_does_not_pave_the_next() -> None:
    session, agent, mentions = finish(Session(id="s"), judged(propose(AgentState(), EDIT), seeds=False), EDIT)
    assert mentions == (Mention("src/auth/token.ts", Met.EDITED),)
    assert (agent.edits, session.contract.scope) == (1, ())


def test_a_result_that_comes_first_closes_the_call_for_good() -> None:
    """Whichever report comes first: the late proposal must not open a call that never ends."""
    _, agent, _ = finish(Session(id="s"), AgentState(), EDIT)
    assert agent.early == ("t1",)
    late = propose(agent, EDIT)
    assert (late.open_calls, late.early) == ((), ())


def test_a_call_is_open_once() -> None:
    assert len(propose(propose(AgentState(), EDIT), EDIT).open_calls) == 1


def test_open_calls_are_bounded() -> None:
    agent = AgentState()
    for number in range(OPEN_CALL_WINDOW * 2):
        agent = propose(agent, replace(EDIT, id=f"t{number}"))
    assert len(agent.open_calls) == OPEN_CALL_WINDOW


def test_a_failing_run_is_remembered_and_a_read_before_the_first_edit_is_exploring() -> None:
    run = ToolCall(id="r", tool="Bash", action="bash", command="pytest")
    _, agent, _ = finish(Session(id="s"), propose(AgentState(), run), run, "failed", "E assert 1 == 2")
    assert [mark.kind for mark in agent.marks] == ["failure"]
    session, agent, mentions = finish(Session(id="s"), propose(AgentState(), READ), READ)
    assert session.reads == 1
    assert Mention("src/auth/token.ts", Met.READ | Met.EXPLORED) in mentions
    _, _, later = finish(session, AgentState(edits=1), READ)
    assert Mention("src/auth/token.ts", Met.READ) in later


@pytest.mark.parametrize(
    ("forced", "call", "outcome", "mode"),
    [
        ("src/auth/token.ts", READ, "done", "NORMAL"),
        ("src/auth/token.ts", EDIT, "done", "NORMAL"),
        ("src/auth/token.ts", READ, "failed", "FORCED"),
        ("src/auth/token.ts", READ, "denied", "FORCED"),
        ("src/auth/token.ts", DIFF, "done", "FORCED"),
        ("src/other.ts", READ, "done", "FORCED"),
        ("", DIFF, "done", "NORMAL"),
        ("", DIFF, "failed", "FORCED"),
        ("", READ, "done", "FORCED"),
    ],
)
def test_forced_ends_with_the_result_of_the_forced_action(
    forced: str, call: ToolCall, outcome: Outcome, mode: str
) -> None:
    """AD-102: not with its proposal, not with a failed one, not with another action."""
    session = Session(id="s", mode="FORCED", forced=forced, escalation=3, uncorrected=3)
    agent = propose(AgentState(), call)
    ended, _, _ = finish(session, agent, call, outcome)
    assert ended.mode == mode
    assert ended.escalation == (0 if mode == "NORMAL" else 3)


def test_scope_grows_by_folders_and_not_outside_the_tree() -> None:
    outside = replace(EDIT, paths=("/etc/hosts",))
    session, _, _ = finish(Session(id="s"), propose(AgentState(), outside), outside)
    assert session.contract.scope == ()
    root = replace(EDIT, paths=("setup.py",))
    session, _, _ = finish(Session(id="s"), propose(AgentState(), root), root)
    assert session.contract.scope == ("setup.py",)
