"""What the rules find in one event: who is asked, and what is kept of what they say."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import ModuleType

import pytest
from msgspec.structs import replace

from leeboard.judge.score import detect
from leeboard.model.event import ToolCall, ToolProposed
from leeboard.model.lookup import Files
from leeboard.model.verdict import Evidence, Finding, Signal
from leeboard.model.world import World
from leeboard.rule import LoadedRule, Rule, read_rule
from leeboard.secrets.redaction import REDACTED
from tests.known_world import world_of

EDIT = ToolProposed(session="s", key="call:t", call=ToolCall(id="t", tool="Edit", action="edit", paths=("a.py",)))
SIGNAL = Signal(subclass="A1", rework_cost=3, self_correct_prob=0.8)
SECRET = "gh" + "p_" + "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0fG3hJ6"
PLAIN = Finding(rule="plain", subject="a.py", evidence=(Evidence("x", -3),))


def rule(name: str, function: Callable[..., Iterator[Finding]], says: Rule | None = None) -> LoadedRule:
    module = ModuleType(f"leeboard.rules.{name}")
    module.__dict__.update(detect=function, RULE=says or Rule(summary="x"), FIRES=(), SILENT=())
    return read_rule(module)


def saying(*findings: Finding, says: Rule | None = None) -> LoadedRule:
    def find(_event: ToolProposed, _world: World) -> Iterator[Finding]:
        yield from findings

    return rule(findings[0].rule, find, says)


def found_by(*rules: LoadedRule, scored: bool = True, plan_root: str = "") -> tuple[Finding, ...]:
    world = replace(world_of(EDIT), plan_root=plan_root)
    return detect(world, rules, lambda _name: None, scored=scored)


def test_a_crashing_rule_is_a_finding_and_the_others_still_count() -> None:
    def crash(_event: ToolProposed, _world: World) -> Iterator[Finding]:
        raise ZeroDivisionError

    found = found_by(rule("boom", crash), saying(replace(PLAIN, rule="zeal")))
    assert [(finding.rule, finding.subject, finding.delta) for finding in found] == [
        ("detector_crash", "boom", 0),
        ("zeal", "a.py", -3),
    ]
    assert found[0].evidence[0].text == "boom crashed: ZeroDivisionError"


def test_a_rule_that_crashes_half_way_keeps_what_it_found() -> None:
    def half(_event: ToolProposed, _world: World) -> Iterator[Finding]:
        yield replace(PLAIN, rule="half")
        raise KeyError

    assert [finding.rule for finding in found_by(rule("half", half))] == ["detector_crash", "half"]


@pytest.mark.parametrize(
    ("says", "scored", "plan_root", "is_asked"),
    [
        (Rule(summary="x"), True, "", True),
        (Rule(summary="x"), False, "", False),
        (Rule(summary="x", channel="signal", subclass="A1"), False, "", True),
        (Rule(summary="x", channel="inform"), False, "", True),
        (Rule(summary="x", channel="guard"), True, "", False),
        (Rule(summary="x", channel="guard"), False, "/repo", True),
    ],
)
def test_who_is_asked(says: Rule, plan_root: str, *, scored: bool, is_asked: bool) -> None:
    """What takes from the score speaks of actions only, and guards only where a workflow lives."""
    assert bool(found_by(saying(PLAIN, says=says), scored=scored, plan_root=plan_root)) == is_asked


def test_a_rule_is_given_what_it_asks_for_by_name() -> None:
    def find(_event: ToolProposed, _world: World, facts: Files) -> Iterator[Finding]:
        yield replace(PLAIN, subject=str(facts))

    world = world_of(EDIT)
    (found,) = detect(world, (rule("plain", find),), lambda name: f"the {name}", scored=True)
    assert found.subject == "the Files"


def test_they_stand_class_by_class() -> None:
    late, early = (replace(PLAIN, rule=name, signal=replace(SIGNAL, subclass=name)) for name in ("C2", "B1"))
    assert [finding.rule for finding in found_by(saying(late), saying(early), saying(PLAIN))] == ["plain", "B1", "C2"]


def test_no_secret_is_kept() -> None:
    told = replace(PLAIN, subject=SECRET, evidence=(Evidence(SECRET),), message=SECRET, remedy=SECRET, signal=SIGNAL)
    (found,) = found_by(saying(told))
    assert (found.subject, found.evidence[0].text, found.message, found.remedy) == (REDACTED,) * 4


def test_nor_in_the_subject_of_what_takes_from_the_score() -> None:
    """A file may be named after a key."""
    (found,) = found_by(saying(replace(PLAIN, subject=SECRET, message=SECRET)))
    assert (found.subject, found.message) == (REDACTED, REDACTED)
