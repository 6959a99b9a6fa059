"""What the signals of one event want of the moment."""

from __future__ import annotations

from collections.abc import Iterator
from types import ModuleType

import pytest
from msgspec.structs import replace

from leeboard.app.replay import MOMENTS, RecordedFiles
from leeboard.judge.conclude import NO_SIGNALS, Signals
from leeboard.judge.signals import judge_signals
from leeboard.judge.urgency import SELF_CORRECTED, USER_DIRECTED
from leeboard.model.contract import Allowance
from leeboard.model.event import Event, ToolCall, ToolFinished, ToolProposed, TurnEnded
from leeboard.model.policy import Policy, Profile
from leeboard.model.session import AgentState, Pending, Session
from leeboard.model.verdict import Action, Evidence, Finding, Moment, Signal
from leeboard.model.workspace import Workspace
from leeboard.model.world import Analysis, World
from leeboard.rule import Rule, read_rule

BEFORE, AFTER = MOMENTS[ToolProposed], MOMENTS[TurnEnded]
CALL = ToolCall(id="t", tool="Write", action="write", paths=("a.py",))
PROPOSED, DONE, ENDED = (
    ToolProposed(session="s", call=CALL),
    ToolFinished(session="s", call=CALL, outcome="done"),
    TurnEnded(session="s"),
)


def finding(subclass: str = "B1", path: str = "a.py", confidence: float = 0.95) -> Finding:
    return Finding(
        rule="marked",
        subject=f"{path}:{subclass}",
        evidence=(Evidence("It is marked."),),
        confidence=confidence,
        path=path,
        line=1,
        message="Take it out.",
        signal=Signal(subclass=subclass, rework_cost=4, self_correct_prob=0.7),
    )


def detect(_event: ToolFinished, _world: World) -> Iterator[Finding]:
    yield finding("A2")


MODULE = ModuleType("leeboard.rules.marked")
MODULE.__dict__.update(detect=detect, RULE=Rule(summary="x", channel="signal", subclass="A2"), FIRES=(), SILENT=())
RULES = (read_rule(MODULE),)


def world(event: Event, *pending: Pending, profile: Profile = "advise", turn: int = 6) -> World:
    agent = AgentState(turn=turn, pending=pending)
    return World(
        session=Session(id="s", agents=(agent,)),
        agent=agent,
        analysis=Analysis(event=event),
        policy=Policy(profile=profile),
        workspace=Workspace("/repo"),
    )


def waiting(found: Finding, urgency: float = 2.8) -> Pending:
    return Pending(id=f"s{found.subject}", finding=found, turn=5, urgency=urgency, disposition="QUEUE")


def heard(place: World, moment: Moment, *found: Finding, texts: dict[str, str] | None = None) -> tuple[World, Signals]:
    """The file still has the mark unless it is given otherwise."""
    files = RecordedFiles(Workspace("/repo").spell, {"a.py": "marked"} if texts is None else texts)
    return judge_signals(place, moment, RULES, found, lambda name: files if name == "Files" else None)


def test_nothing_found_and_nothing_waiting_changes_nothing() -> None:
    before = world(ENDED)
    assert heard(before, AFTER) == (before, NO_SIGNALS)


def test_findings_that_only_cost_score_are_none_of_its_business() -> None:
    before = world(PROPOSED)
    assert heard(before, BEFORE, replace(finding(), signal=None)) == (before, NO_SIGNALS)


def test_a_secret_is_denied_where_a_call_can_be() -> None:
    _, signals = heard(world(PROPOSED), BEFORE, finding())
    assert signals.denial is not None
    assert [one.state for one in signals.judged] == ["fired"]


@pytest.mark.parametrize(("profile", "moment"), [("observe", BEFORE), ("advise", AFTER)])
def test_elsewhere_it_waits_to_be_told(profile: Profile, moment: Moment) -> None:
    after, signals = heard(world(PROPOSED, profile=profile), replace(moment, actions=(Action.ALLOW,)), finding())
    assert (signals.denial, signals.due) == (None, None)
    assert [one.id for one in after.agent.pending] == [one.id for one in signals.judged]


def test_what_waits_is_due_when_its_turn_has_passed() -> None:
    """SW-133."""
    pending = waiting(finding("A2"))
    assert heard(world(ENDED, pending), AFTER)[1].due == pending
    assert heard(world(ENDED, pending, turn=5), AFTER)[1] is NO_SIGNALS


def test_what_no_longer_stands_is_dropped_and_the_next_one_said() -> None:
    """SW-164: the worst is asked for first."""
    gone, stands = waiting(finding("A2", "b.py"), 3.2), waiting(finding("A2"), 2.4)
    after, signals = heard(world(ENDED, gone, stands), AFTER)
    assert signals.due == stands
    assert [(one.id, one.state, one.note) for one in signals.judged] == [(gone.id, "self-corrected", SELF_CORRECTED)]
    assert after.agent.pending == (stands,), "it leaves the queue when it is spoken"


def allowed(found: Finding) -> Allowance:
    return Allowance(id="a1", fingerprint=found.fingerprint, reason="fine")


def test_what_a_person_allowed_is_logged_and_never_denied() -> None:
    """SW-161."""
    place = replace(world(PROPOSED), allowances=(allowed(finding()),))
    _, signals = heard(place, BEFORE, finding())
    assert signals.denial is None
    assert [(one.state, one.note) for one in signals.judged] == [("logged", USER_DIRECTED)]


def test_what_is_allowed_after_a_denial_is_on_record_beside_it() -> None:
    after, first = heard(world(PROPOSED), BEFORE, finding())
    after, second = heard(replace(after, allowances=(allowed(finding()),)), BEFORE, finding())
    assert [(one.state, one.note) for one in second.judged] == [("logged", USER_DIRECTED)]
    assert second.judged[0].id != first.judged[0].id
    assert heard(after, BEFORE, finding())[1] is NO_SIGNALS, "once"


@pytest.mark.parametrize("how", ["allowed", "ordered"])
def test_what_is_permitted_while_it_waits_is_not_said(how: str) -> None:
    pending = waiting(finding("A2"))
    place = world(ENDED, pending)
    if how == "allowed":
        place = replace(place, allowances=(allowed(pending.finding),))
    else:
        place = replace(place, session=replace(place.session, lifted=(pending.finding.fingerprint,)))
    after, signals = heard(place, AFTER)
    assert signals.due is None
    assert [(one.state, one.note) for one in signals.judged] == [("dropped", USER_DIRECTED)]
    assert after.agent.pending == ()
