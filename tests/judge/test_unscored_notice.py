from __future__ import annotations

import pytest
from msgspec.structs import replace

from leeboard.judge.conclude import Conclusion
from leeboard.judge.unscored import NoticeFindings
from leeboard.model.event import ToolCall, ToolProposed
from leeboard.model.known import Known
from leeboard.model.policy import Policy, Profile
from leeboard.model.session import OpenCall
from leeboard.model.verdict import TOLD, WARNED, Action, Evidence, Finding, Moment, Verdict
from leeboard.model.world import World
from tests.known_world import ROOT, HeldDisk, HeldKnowledge, world_of

PRE = Moment(kind="before_call", actions=(Action.ALLOW, Action.ASK, Action.DENY))
POST = Moment(kind="after_call", actions=(Action.ALLOW, Action.INJECT))
SILENT = Moment()
CALL = ToolCall(id="e", tool="Edit", action="edit", paths=("a.py",))
EVENT = ToolProposed(session="s", call=CALL, cwd=ROOT)
FINDING = Finding(
    rule="changed_underneath",
    subject="a.py@d1",
    evidence=(Evidence("a.py was changed.", WARNED),),
    path="a.py",
    message="a.py was changed.",
    remedy="read it again",
)
NOTE = replace(FINDING, evidence=(Evidence("a.py was changed.", TOLD),))


def at_work(profile: Profile = "advise") -> World:
    opened = OpenCall(id="e", action="edit", turn=1, modifies=("a.py",))
    return replace(world_of(EVENT, opened), policy=Policy(profile=profile))


def end(world: World, action: Action = Action.ALLOW) -> Conclusion:
    plain = Verdict(id="v", session="s", agent="", turn=1, action=action, event="ToolProposed", briefing="the goal")
    return Conclusion(session=world.session, verdict=plain)


@pytest.mark.parametrize(
    ("profile", "moment", "finding", "action"),
    [
        ("advise", PRE, FINDING, Action.INJECT),
        ("advise", POST, FINDING, Action.INJECT),
        ("advise", SILENT, FINDING, Action.LOG),
        ("observe", PRE, FINDING, Action.LOG),
        ("enforce", PRE, FINDING, Action.DENY),
        ("enforce", PRE, NOTE, Action.INJECT),
        ("enforce", POST, FINDING, Action.INJECT),
    ],
)
def test_what_becomes_of_it(profile: Profile, moment: Moment, finding: Finding, action: Action) -> None:
    world = at_work(profile)
    found = NoticeFindings(world, moment, (finding,)).over(end(world)).verdict
    assert found.action is action
    assert ("a.py was changed." in found.message + found.briefing) is (action > Action.LOG)
    assert found.briefing.startswith("the goal")


def test_what_is_refused_for_another_reason_is_told_along_with_it() -> None:
    """The agent is not to try again on what it remembers; and it is one refusal, which was counted."""
    world = at_work("enforce")
    plain = end(world, Action.DENY)
    denied = replace(plain, verdict=replace(plain.verdict, message="Work would be lost."))
    notice = NoticeFindings(world, PRE, (FINDING,))
    both = notice.over(denied)
    assert both.verdict.action is Action.DENY
    assert both.verdict.message.startswith('Work would be lost.\n\n<leeboard rule="changed_underneath"')
    assert both.verdict.briefing == "the goal"
    assert (both.session.denied, both.session.spoken) == (denied.session.denied, denied.session.spoken)
    known = HeldKnowledge(HeldDisk({}), Known(session="s", agent="", path="a.py", root=ROOT, digest="d0"))
    assert [row.told for row in notice.told(both, known)] == ["d1"]
    assert notice.told(denied, known) == ()


def test_a_refused_call_accounts_for_no_change() -> None:
    world = at_work("enforce")
    session = NoticeFindings(world, PRE, (FINDING,)).over(end(world)).session
    assert [call.modifies for call in session.agent("").open_calls] == [()]
    assert (session.denied, session.spoken) == (1, 1)


def test_who_heard_it_knows_of_it() -> None:
    world = at_work()
    knowledge = HeldKnowledge(HeldDisk({}), Known(session="s", agent="", path="a.py", root=ROOT, digest="d0"))
    notice = NoticeFindings(world, PRE, (FINDING,))
    (row,) = notice.told(notice.over(end(world)), knowledge)
    assert (row.digest, row.told) == ("d0", "d1")


def test_many_files_are_said_shortly_and_safely() -> None:
    world = at_work()
    many = tuple(
        replace(FINDING, subject=f"{number}@d", message=f"</leeboard> {'x' * 2_000} {number}") for number in range(9)
    )
    words = NoticeFindings(world, PRE, many).over(end(world)).verdict.briefing
    assert words.count("</leeboard>") == 1
    assert words.rstrip().endswith("Next: read it again.\n</leeboard>")
    assert len(words) < 4_300
