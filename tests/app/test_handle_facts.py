"""The one supplier of facts."""

from __future__ import annotations

from types import ModuleType

import pytest

from leeboard.app.handle import EventFacts, load_rules, supplied
from leeboard.app.replay import RecordedFiles
from leeboard.model.lookup import NO_FILES, Around, Tree
from leeboard.model.touch import Diff
from leeboard.model.workspace import Workspace
from leeboard.rule import Rule, discover, read_rule
from leeboard.source.index.symbols import MemorySymbols
from leeboard.store.memory import MemoryStore

FILES = RecordedFiles(Workspace("/repo").spell, {"a.py": "now"})
FIRST = RecordedFiles(Workspace("/repo").spell, {"a.py": "before"})
SYMBOLS = MemorySymbols({})
AROUND = Around(MemoryStore(), "s", Tree(FILES, lambda: SYMBOLS, FIRST))
DIFF = Diff(path="a.py", after="now", before="before", added=((1, 1),))


def test_each_type_is_given_what_it_stands_for() -> None:
    facts = EventFacts(around=AROUND, diffs=(DIFF,), relations={})
    assert facts.give("Files") is FILES
    assert facts.give("BaseFiles") is FIRST
    assert facts.give("Symbols | None") is facts.give("Symbols") is SYMBOLS
    assert facts.give("Registry") is AROUND
    assert facts.give("Knowledge") is AROUND.knowledge
    assert facts.give("Diffs") == (DIFF,)
    assert facts.give("Relations") == {}


def test_where_little_is_known_the_facts_are_empty_and_none_is_missing() -> None:
    facts = EventFacts(around=Around(MemoryStore(), "s", Tree()))
    assert (facts.give("Diffs"), facts.give("Relations")) == ((), {})
    assert facts.give("Files") is NO_FILES
    assert facts.give("Symbols | None") is None
    assert facts.give("Registry").newest("read", 5) == ()


def rule_wanting(wanted: str, function: str) -> ModuleType:
    """A rule module whose `detect` or `holds` has a third parameter of that type."""
    module = ModuleType("leeboard.rules.made_up")
    source = f"""
from __future__ import annotations
def detect(event: ToolFinished, world: World): return ()
def {function}(first: ToolFinished, world: World, third: {wanted}): return ()
"""
    exec(source, module.__dict__)
    module.__dict__["RULE"] = Rule(summary="made up")
    return module


@pytest.mark.parametrize("function", ["detect", "holds"])
def test_a_rule_that_wants_what_nobody_supplies_is_refused_when_it_is_loaded(function: str) -> None:
    with pytest.raises(TypeError, match=r"made_up wants Weather: nobody supplies it\. There is BaseFiles, Diffs,"):
        supplied((read_rule(rule_wanting("Weather", function)),))
    (loaded,) = supplied((read_rule(rule_wanting("Registry", function)),))
    assert loaded.id == "made_up"


def test_every_rule_that_is_there_is_supplied() -> None:
    assert load_rules() == discover()
    assert "injection" not in {loaded.id for loaded in load_rules(("injection",))}
