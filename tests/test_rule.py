"""A rule is a module: nothing registers it, and no list anywhere names them all."""

from __future__ import annotations

import importlib
import re
from collections import Counter
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from types import ModuleType

import pytest

import leeboard.rules
from leeboard.errors import StateError
from leeboard.model.event import MessageSaid, PromptGiven, ToolProposed, TreeChecked
from leeboard.model.verdict import Finding, signal_classes
from leeboard.model.world import World
from leeboard.rule import (
    HEADINGS,
    LETTERS,
    UNREADABLE,
    Header,
    LoadedRule,
    Rule,
    Traits,
    code_of,
    discover,
    header_text,
    listening,
    parse_header,
    permit_of,
    read_rule,
    rule_named,
    sources,
    with_code,
)

RULES = discover()
FOLDER = Path(leeboard.rules.__path__[0])
NAMES = sorted(path.stem for path in FOLDER.glob("[!_]*.py"))
SEED = {"".join(pair) for pair in product("ABCD", "123")}
"""The classes that the seed of this work named."""


def of_channel(channel: str) -> list[LoadedRule]:
    return [rule for rule in RULES if rule.channel == channel]


def test_every_module_of_the_detectors_is_a_rule() -> None:
    assert [rule.id for rule in RULES] == NAMES
    assert len(NAMES) > 10


def test_the_rules_that_judge_a_tree() -> None:
    """Each knows the way back."""
    judging = listening(RULES, TreeChecked)
    assert judging
    assert all(loaded.rule.countersteer is not None for loaded in judging)


def test_a_rule_can_be_switched_off() -> None:
    first, *others = NAMES
    assert [rule.id for rule in discover((first, "unheard_of"))] == others


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_every_rule_has_its_page_and_its_proof(rule: LoadedRule) -> None:
    positions = [rule.page.find(f"## {heading}\n") for heading in HEADINGS]
    assert -1 not in positions
    assert positions == sorted(positions)
    assert rule.fires
    assert rule.silent
    assert rule.rule.summary
    assert rule.rule.summary[0].islower()


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_every_rule_has_a_code_that_says_where_it_belongs(rule: LoadedRule) -> None:
    prefix = rule.traits.subclass or LETTERS[rule.channel]
    assert re.fullmatch(rf"LB-{prefix}\d{{{4 - len(prefix)},}}", rule.code)
    assert re.fullmatch(r"LB-[A-Z]\d{3,}", rule.code)


def test_no_code_is_given_twice() -> None:
    assert [code for code, times in Counter(rule.code for rule in RULES).items() if times > 1] == []
    assert not set(LETTERS.values()) & {rule.traits.subclass[:1] for rule in RULES}


def test_a_rule_is_found_by_its_id_and_by_its_code() -> None:
    for rule in RULES:
        assert rule_named(rule.id) is rule_named(rule.code) is rule_named(rule.code.lower()) is rule
        assert (code_of(rule.id), with_code(rule.id)) == (rule.code, f"{rule.id} {rule.code}")
        assert permit_of(rule.id) == rule.traits.permit
    assert rule_named("unheard_of") is None
    assert (code_of("unheard_of"), with_code("unheard_of"), permit_of("unheard_of")) == ("", "unheard_of", "word")


def test_what_a_rule_listens_to_and_wants_is_its_signature() -> None:
    by_name = {rule.id: rule for rule in RULES}
    assert by_name["scope_drift"].listens == {"ToolProposed", "FilesChanged", "TreeChecked"}
    assert by_name["scope_drift"].wants == ("Relations",)
    assert by_name["circling"].listens == {"ToolProposed"}
    assert by_name["circling"].wants == ()


def test_only_rules_that_listen_are_asked() -> None:
    asked = listening(RULES, MessageSaid)
    assert {rule.id for rule in asked} == {rule.id for rule in RULES if "MessageSaid" in rule.listens}
    assert 0 < len(asked) < len(RULES)


def test_the_twelve_classes_are_there_each_in_a_file_of_its_own() -> None:
    """SW-20: A, B, C, D, each on its own."""
    assert {rule.traits.subclass for rule in of_channel("signal")} >= SEED
    assert signal_classes().subclasses.keys() <= {rule.traits.subclass for rule in RULES}


def test_what_is_read_from_the_source_is_what_the_module_says() -> None:
    for rule in RULES:
        same = read_rule(importlib.import_module(f"leeboard.rules.{rule.id}"))
        assert (rule.listens, rule.wants, rule.holds_wants) == (same.listens, same.wants, same.holds_wants)
        assert rule.traits == same.traits


def test_what_is_cut_out_of_a_source_says_what_all_of_it_says() -> None:
    for _, source in sources():
        header = parse_header(header_text(source))
        assert header == parse_header(source)
        assert header != UNREADABLE


CAN_NOT_BE_TAKEN_BACK = {"irreversible_command", "lookalike_package", "lost_work", "protected_file", "secret_sent"}
RULED_OUT = {"broken_constraint", "own_refusal"}


def test_what_is_refused_outright() -> None:
    """Loosening one's own guard, which the user does in their own terminal, wrong moves in a workflow, what can not be
    taken back, and what the user ruled out in so many words.
    """
    for rule in RULES:
        by_name = rule.id in CAN_NOT_BE_TAKEN_BACK | RULED_OUT
        assert not rule.traits.denies or rule.channel == "guard" or rule.traits.permit == "terminal" or by_name


def test_the_rules_that_guard_a_workflow() -> None:
    """SH-51 to SH-58: each in a file of its own. They refuse a call, or keep an agent from ending."""
    guards = of_channel("guard")
    assert len(guards) >= 8
    assert {rule.id for rule in guards if not rule.traits.denies} == {
        rule.id for rule in guards if rule.listens == {"StopProposed"}
    }


def test_some_rule_tells_of_others() -> None:
    assert of_channel("inform")


PAGE = '"""A page: guards=True, channel="guard".\n\nRULE = Rule(channel="guard")\n\ndef detect(event: Wrong, world: World):\n"""\n'
PLAIN = """
RULE = Rule(code="LB-S900", summary="guards=True, (a) list", countersteer=Countersteer(action="x"))

GUARD = 'channel="guard"'


def detect(
    event: ToolProposed | FilesChanged,
    world: World,
    symbols: Symbols | None,
    known: Mapping[str, tuple[int, str]],
) -> Iterator[Finding]:
    yield from ()


def holds(finding: Finding, world: World, files: Files) -> bool:
    return True
"""
READ = Header(
    traits=Traits(code="LB-S900"),
    listens=("ToolProposed", "FilesChanged"),
    wants=("Symbols | None", "Mapping[str, tuple[int, str]]"),
    holds_wants=("Files",),
)


@pytest.mark.parametrize(
    "source",
    [
        PAGE + PLAIN,
        PLAIN,
        PAGE + PLAIN.replace('summary="', 'summary="""one\n\n').replace(' list"', ' list"""'),
        PAGE + PLAIN.replace("\nRULE = ", "\nRULE: Rule = ").replace("RULE: Rule", "RULE  "),
    ],
    ids=["with a page", "without", "a text with an empty line", "laid out otherwise"],
)
def test_a_header_is_parsed_and_not_searched(source: str) -> None:
    text = header_text(source.encode())
    assert parse_header(text, source.encode()) == READ


@pytest.mark.parametrize(
    "source",
    [b"def detect(", b"RULE = 1", b"RULE = Rule()\n\ndef detect(event, world): ...", b"\0", PAGE.encode()],
)
def test_a_file_that_is_no_rule_is_asked_and_fails_on_record(source: bytes) -> None:
    assert parse_header(header_text(source), source) == UNREADABLE


def test_a_trait_that_no_constant_tells_is_refused_when_the_rule_is_imported(monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("leeboard.rules.made_up")
    module.__dict__.update(RULE=Rule(summary="x", channel="guard"))
    monkeypatch.setattr(importlib, "import_module", lambda _name: module)
    with pytest.raises(StateError, match="made_up: what RULE says"):
        _ = LoadedRule(module.__name__, READ).rule


@pytest.mark.parametrize(("channel", "subclass"), [("signal", ""), ("score", "A1"), ("guard", "B2")])
def test_a_signal_has_a_class_and_nothing_else_has(channel: str, subclass: str) -> None:
    with pytest.raises(ValueError, match="do not go together"):
        Rule(summary="x", channel=channel, subclass=subclass)  # type: ignore[arg-type]  # of these three


def test_a_module_is_read_as_it_stands() -> None:
    def detect(_event: ToolProposed | PromptGiven, _world: World, _diff: str) -> Iterator[Finding]:
        yield from ()

    module = ModuleType("leeboard.rules.sample_rule", "The page.")
    module.__dict__.update(detect=detect, RULE=Rule(summary="x", denies=True), FIRES=(), SILENT=())
    loaded = read_rule(module)
    assert (loaded.id, loaded.page, loaded.wants) == ("sample_rule", "The page.", ("str",))
    assert loaded.listens == {"ToolProposed", "PromptGiven"}
