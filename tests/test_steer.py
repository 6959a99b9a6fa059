"""One analysed event and what is known, to what is known next and the one answer."""

from __future__ import annotations

from typing import get_args

import msgspec
from msgspec.structs import replace

from leeboard.analysis.analyse import analyse
from leeboard.app.handle import SILENT, EventFacts
from leeboard.app.replay import MOMENTS
from leeboard.judge.score import detect
from leeboard.model.event import (
    ActionType,
    Event,
    FilesChanged,
    PromptGiven,
    SessionEnded,
    SessionStarted,
    Stopped,
    ToolCall,
    ToolProposed,
)
from leeboard.model.lookup import Around, Tree
from leeboard.model.outcome import Outcome
from leeboard.model.policy import Policy
from leeboard.model.session import AgentState, Goal, Session
from leeboard.model.verdict import Action, Moment
from leeboard.model.workspace import Workspace
from leeboard.model.world import World
from leeboard.rule import discover
from leeboard.steer import Lookup, Recall, Supply, SurroundingsWant, Want, is_action, steer
from leeboard.store.memory import MemoryStore

PLACE = Workspace("/repo")


def world(event: Event, session: Session | None = None) -> World:
    session = session or Session(id="s")
    return World(
        session=session,
        agent=session.agent(event.agent),
        analysis=analyse(event, PLACE),
        policy=Policy(),
        workspace=PLACE,
    )


def edit(path: str) -> ToolProposed:
    return ToolProposed(session="s", key="call:t", call=ToolCall(id="t", tool="Edit", action="edit", paths=(path,)))


def driven(event: Event, session: Session | None = None, moment: Moment = SILENT) -> tuple[list[str], Outcome]:
    """What it asked for, and how it ended, with an empty ledger."""
    steering = steer(world(event, session), moment, discover())
    asked: list[str] = []
    try:
        wanted = next(steering)
        while True:
            asked += wanted.terms if isinstance(wanted, Lookup) else ("past",) if isinstance(wanted, Recall) else ()
            wanted = steering.send(answer(wanted))
    except StopIteration as end:
        outcome: Outcome = end.value
        return asked, outcome


def answer(wanted: Want) -> object:
    store = MemoryStore()
    match wanted:
        case SurroundingsWant():
            return Around(store, "s", Tree())
        case Lookup():
            return {}
        case Supply():
            return EventFacts(around=wanted.around, diffs=wanted.diffs, relations=wanted.relations).give
        case _:
            return ()


def test_it_asks_for_rows_of_the_changed_path_and_nothing_else() -> None:
    asked, outcome = driven(edit("src/auth/token.ts"))
    assert {"src/auth/token.ts", "name:token.ts", "src/auth/"} <= set(asked)
    assert outcome.key == "call:t"
    assert driven(PromptGiven(session="s", text="fix it"))[0] == []


def test_edits_writes_and_shell_lines_are_judged_and_reads_are_not() -> None:
    """AD-01."""
    judged = {
        action: is_action(
            world(replace(edit("a.py"), call=ToolCall(id="t", tool=action, action=action, paths=("a.py",))))
        )
        for action in get_args(ActionType)
    }
    assert judged == {"edit": True, "write": True, "bash": True, "read": False, "other": False}
    assert is_action(world(FilesChanged(session="s", paths=("a.py",))))
    assert not is_action(world(Stopped(session="s")))


def test_what_a_script_changed_is_judged_like_an_edit() -> None:
    """A ban holds for what is seen in the tree afterwards, too."""
    _, told = driven(PromptGiven(session="s", text="Fix src/a.py. Don't modify the schema."))
    _, outcome = driven(FilesChanged(session="s", paths=("db/schema.sql",)), told.session)
    assert outcome.verdict.score <= 2
    assert "broken_constraint" in outcome.verdict.rules
    assert outcome.session.history[-1].level == "halt"


def test_a_record_is_written_at_stops_and_ends_alone() -> None:
    """AD-24."""
    assert driven(Stopped(session="s"))[1].capture is not None
    assert driven(SessionEnded(session="s"))[1].capture is not None
    assert driven(edit("a.py"))[1].capture is None


def test_a_briefing_needs_a_moment_for_words() -> None:
    session = Session(id="s", goals=(Goal(text="fix it", exchange=1),), agents=(AgentState(),))
    start = SessionStarted(session="s", reason="compact")
    open_moment = Moment(kind="start", actions=(Action.ALLOW, Action.INJECT), pause=True)
    assert driven(start, session, open_moment)[1].verdict.briefing
    assert driven(start, session, open_moment)[0] == ["past"], "what was done is only looked up for a briefing"
    assert not driven(start, session, MOMENTS[ToolProposed])[1].verdict.briefing


def test_it_is_a_function_of_its_input() -> None:
    one, other = driven(edit("src/a.py")), driven(edit("src/a.py"))
    assert one == other
    assert msgspec.json.encode(one[1]) == msgspec.json.encode(other[1])


def test_a_rule_that_is_passed_over_would_have_found_nothing() -> None:
    """No contract, no limit, no correction: what rests on one of them is silent when it is asked all the same."""
    resting = tuple(loaded for loaded in discover() if loaded.traits.only_where)
    assert resting
    bare = world(edit("/repo/billing/pay.py"))
    assert detect(bare, resting, EventFacts(around=Around(MemoryStore(), "s", Tree())).give, scored=True) == ()
