"""A rule is a module: nothing registers it."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from types import ModuleType

import pytest

from leeboard.model.event import MessageSaid, PromptGiven, ToolProposed, TreeChecked
from leeboard.model.verdict import Finding
from leeboard.model.world import World
from leeboard.rule import HEADINGS, LoadedRule, Rule, discover, listening, read_rule

RULES = discover()
SCORED = ["broken_constraint", "circling", "ignored_correction", "scope_drift", "self_allowance", "tangent"]
CLASSES = {
    "duplicate_build": "A1",
    "pattern_contradiction": "A2",
    "disguised_modification": "A3",
    "credential": "B1",
    "injection": "B2",
    "weak_crypto": "B3",
    "refetched_context": "C1",
    "rebuilt_work": "C2",
    "reopened_decision": "C3",
    "unrelated_refactoring": "D1",
    "feature_expansion": "D2",
    "research_detour": "D3",
}
TREE = {
    "missing_contract": "missing_contract",
    "invalid_contract": "invalid_contract",
    "file_scope": "scope_drift",
    "dependency_drift": "dependency_drift",
    "churn_files": "churn_files",
    "churn_loc": "churn_loc",
    "hardening_in_core": "hardening_in_core",
    "non_goal_touched": "non_goal_touched",
    "acceptance_unmet": "acceptance_unmet",
    "secret_found": "secret_found",
    "unseen_files": "not_analysed",
    "contract_changed": "contract_changed",
    "broken_constraint": "broken_constraint",
    "scope_drift": "scope_drift",
}
"""Rules that judge a work tree, and what a drift report calls what they find."""
GUARDS = {
    **dict.fromkeys(("fsm_fields", "plan_mode", "prompt_guard", "unit_type", "workflow_guard"), True),
    **dict.fromkeys(("failing_gates", "iteration_owed", "missing_deps"), False),
}
"""Rules that keep a workflow in order, and whether they refuse a call; the others keep an agent from ending."""
INFORMS = ["changed_underneath"]
"""Rules that tell of what others did to files."""
AFTERWARDS = ["changed_guard"]
"""Rules that judge what a call turned out to have changed."""
NAMES = sorted({*SCORED, *CLASSES, *TREE, *GUARDS, *INFORMS, *AFTERWARDS})


def test_every_module_of_the_detectors_is_a_rule() -> None:
    assert [rule.id for rule in RULES] == NAMES


def test_the_rules_that_judge_a_tree() -> None:
    """Each knows the way back."""
    judging = listening(RULES, TreeChecked)
    assert {loaded.id: loaded.rule.kind or loaded.id for loaded in judging} == TREE
    assert all(loaded.rule.countersteer is not None for loaded in judging)


def test_a_rule_can_be_switched_off() -> None:
    assert [rule.id for rule in discover(("circling", "unheard_of"))] == [name for name in NAMES if name != "circling"]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
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
    assert by_name["scope_drift"].listens == {"ToolProposed", "FilesChanged", "TreeChecked"}
    assert by_name["scope_drift"].wants == ("Relations",)
    assert by_name["circling"].listens == {"ToolProposed"}
    assert by_name["circling"].wants == ()


def test_only_rules_that_listen_are_asked() -> None:
    assert {rule.id for rule in listening(RULES, ToolProposed)} >= {*SCORED, "credential", "injection"}
    assert "scope_drift" not in {rule.id for rule in listening(RULES, MessageSaid)}


def test_the_twelve_classes_are_there_each_in_a_file_of_its_own() -> None:
    """SW-20: A, B, C, D, each on its own."""
    assert {rule.id: rule.rule.subclass for rule in RULES if rule.has_signals} == CLASSES
    assert all(not rule.rule.subclass for rule in RULES if not rule.has_signals)


def test_what_is_read_from_the_source_is_what_the_module_says() -> None:
    for rule in RULES:
        module = importlib.import_module(f"leeboard.detectors.{rule.id}")
        same = read_rule(module)
        assert (rule.listens, rule.wants, rule.holds_wants) == (same.listens, same.wants, same.holds_wants)
        assert (rule.has_signals, rule.guards, rule.informs) == (same.has_signals, same.guards, same.informs)


def test_only_loosening_ones_own_guard_and_wrong_moves_in_a_workflow_are_refused_outright() -> None:
    denying = {rule.id for rule in RULES if rule.rule.denies}
    assert denying == {"self_allowance", *(name for name, denies in GUARDS.items() if denies)}


def test_the_rules_that_guard_a_workflow() -> None:
    """SH-51 to SH-58: each in a file of its own."""
    assert {rule.id: rule.rule.denies for rule in RULES if rule.guards} == GUARDS


def test_the_rules_that_tell_of_others() -> None:
    assert [rule.id for rule in RULES if rule.informs] == INFORMS


def test_a_module_is_read_as_it_stands() -> None:
    def detect(_event: ToolProposed | PromptGiven, _world: World, _diff: str) -> Iterator[Finding]:
        yield from ()

    module = ModuleType("leeboard.detectors.sample_rule", "The page.")
    module.__dict__.update(detect=detect, RULE=Rule(summary="x", denies=True), FIRES=(), SILENT=())
    loaded = read_rule(module)
    assert (loaded.id, loaded.page, loaded.wants) == ("sample_rule", "The page.", ("str",))
    assert loaded.listens == {"ToolProposed", "PromptGiven"}
