"""What is found outside the score: kept from it, and said over the answer that it gave."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from leeboard.judge.conclude import Conclusion
from leeboard.judge.unscored import Aside, set_aside
from leeboard.model.contract import Allowance
from leeboard.model.event import ToolCall, ToolProposed
from leeboard.model.known import Known
from leeboard.model.policy import Policy, Profile
from leeboard.model.verdict import WARNED, Action, Evidence, Finding, Moment, Verdict
from leeboard.model.world import World
from leeboard.rule import Channel, Header, LoadedRule, Traits
from tests.known_world import ROOT, HeldDisk, HeldKnowledge, world_of

BEFORE = Moment(kind="before_call", actions=(Action.ALLOW, Action.ASK, Action.DENY))
EVENT = ToolProposed(session="s", call=ToolCall(id="e", tool="Edit", action="edit", paths=("a.py",)), cwd=ROOT)
CHANNELS: dict[str, Channel] = {"guard": "guard", "inform": "inform", "plain": "score"}
RULES = tuple(
    LoadedRule(name, Header(traits=Traits(channel=channel), listens=("ToolProposed",)))
    for name, channel in CHANNELS.items()
)


def finding(rule: str) -> Finding:
    told = f"{rule} speaks."
    return Finding(rule=rule, subject="a.py@d1", evidence=(Evidence(told, WARNED),), path="a.py", message=told)


GUARD, INFORM, PLAIN = finding("guard"), finding("inform"), finding("plain")


def world(profile: Profile = "advise", plan_root: str = ROOT) -> World:
    return replace(world_of(EVENT), plan_root=plan_root, policy=Policy(profile=profile))


def aside(place: World, *found: Finding) -> Aside:
    apart, _ = set_aside(place, BEFORE, RULES, found)
    assert apart is not None
    return apart


def plain_end(place: World) -> Conclusion:
    allowed = Verdict(id="v", session="s", agent="", turn=1, action=Action.ALLOW, event="ToolProposed")
    return Conclusion(session=place.session, verdict=allowed)


def test_each_finding_is_in_one_place() -> None:
    apart, rest = set_aside(world(), BEFORE, RULES, (PLAIN, INFORM, GUARD))
    assert apart is not None
    assert apart.findings == (GUARD, INFORM)
    assert rest == (PLAIN,)


@pytest.mark.parametrize("found", [(), (PLAIN,)])
def test_what_takes_from_the_score_is_left(found: tuple[Finding, ...]) -> None:
    assert set_aside(world(), BEFORE, RULES, found) == (None, found)


def test_without_a_workflow_nothing_is_guarded() -> None:
    assert set_aside(world(plan_root=""), BEFORE, RULES, (GUARD,)) == (None, (GUARD,))


@pytest.mark.parametrize("found", [GUARD, INFORM])
def test_what_a_person_allowed_is_neither_said_nor_scored(found: Finding) -> None:
    allowing = replace(world(), allowances=(Allowance(id="l1", rule=found.rule),))
    assert set_aside(allowing, BEFORE, RULES, (found, PLAIN)) == (None, (PLAIN,))


@pytest.mark.parametrize(
    ("profile", "found", "refuses"),
    [
        ("advise", GUARD, True),
        ("observe", GUARD, False),
        ("enforce", INFORM, True),
        ("advise", INFORM, False),
    ],
)
def test_either_may_refuse(profile: Profile, found: Finding, *, refuses: bool) -> None:
    place = world(profile)
    apart = aside(place, found)
    assert apart.refuses == refuses
    assert (apart.over(plain_end(place)).verdict.action is Action.DENY) == refuses


def test_nothing_is_added_to_a_refusal() -> None:
    place = world()
    apart = aside(place, GUARD, INFORM)
    verdict = apart.over(plain_end(place)).verdict
    assert verdict.action is Action.DENY
    assert "guard speaks." in verdict.message
    assert "inform speaks." not in verdict.message + verdict.briefing


def test_what_the_agent_was_told_it_knows() -> None:
    place = world()
    row = Known(session="s", agent="", path="a.py", root=ROOT, digest="d0")
    knowledge = HeldKnowledge(HeldDisk({"a.py": ("x", 1.0)}), row)
    apart = aside(place, INFORM)
    assert apart.told(apart.over(plain_end(place)), knowledge, ()) == (replace(row, told="d1"),)
    assert apart.told(plain_end(place), knowledge, ()) == (), "it was not said"
