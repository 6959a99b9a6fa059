"""A rule is a module: nothing registers it."""

from __future__ import annotations

from collections.abc import Iterator
from types import ModuleType

import pytest

from leeboard.model.event import PromptGiven, ToolCall, ToolProposed
from leeboard.model.verdict import Finding
from leeboard.model.world import World
from leeboard.rule import HEADINGS, LoadedRule, Rule, discover, listening, read_rule

RULES = discover()
NAMES = ["broken_constraint", "circling", "ignored_correction", "scope_drift", "self_allowance", "tangent"]


def test_every_module_of_the_detectors_is_a_rule() -> None:
    assert [rule.id for rule in RULES] == NAMES


def test_a_rule_can_be_switched_off() -> None:
    assert [rule.id for rule in discover(("circling", "unheard_of"))] == [name for name in NAMES if name != "circling"]


@pytest.mark.parametrize("rule", RULES, ids=NAMES)
def test_every_rule_has_its_page_and_its_proof(rule: LoadedRule) -> None:
    positions = [rule.page.find(f"## {heading}\n") for heading in HEADINGS]
    assert -1 not in positions
    assert positions == sorted(positions)
    assert rule.fires
    assert rule.silent
    assert rule.rule.summary
    assert rule.rule.summary[0].islower()


def test_what_a_rule_listens_to_and_wants_is_its_signature() -> None:
    by_name = {rule.id: rule for rule in RULES}
    assert by_name["scope_drift"].listens == {"ToolProposed", "FilesChanged"}
    assert by_name["scope_drift"].wants == ("Relations",)
    assert by_name["circling"].listens == {"ToolProposed"}
    assert by_name["circling"].wants == ()


def test_only_rules_that_listen_are_asked() -> None:
    proposed = ToolProposed(session="s", call=ToolCall(id="t", tool="Edit", action="edit"))
    assert listening(RULES, proposed) == RULES
    assert listening(RULES, PromptGiven(session="s", text="x")) == ()


def test_only_loosening_ones_own_guard_is_refused_outright() -> None:
    assert [rule.id for rule in RULES if rule.rule.denies] == ["self_allowance"]


def test_a_module_is_read_as_it_stands() -> None:
    def detect(_event: ToolProposed | PromptGiven, _world: World, _diff: str) -> Iterator[Finding]:
        yield from ()

    module = ModuleType("leeboard.detectors.sample_rule", "The page.")
    module.__dict__.update(detect=detect, RULE=Rule(summary="x", denies=True), FIRES=(), SILENT=())
    loaded = read_rule(module)
    assert (loaded.id, loaded.page, loaded.wants) == ("sample_rule", "The page.", ("str",))
    assert loaded.listens == {"ToolProposed", "PromptGiven"}
