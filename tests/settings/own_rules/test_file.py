"""Files of a project's own rules: what they say, and how a wrong one is complained of."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.settings.own_rules.file import LONGEST, parse_rules
from leeboard.settings.own_rules.match import fires

PAGE = Path(__file__).resolve().parents[3] / "docs" / "own-rules.md"
EXAMPLES = re.findall(r"```yaml\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)


def test_the_page_has_three_examples() -> None:
    assert len(EXAMPLES) == 3


@pytest.mark.parametrize("text", EXAMPLES)
def test_the_examples_of_the_page_hold(text: str) -> None:
    found = parse_rules(text, "page.yml")
    assert not found.problems
    (rule,) = found.rules
    assert {sample.fires for sample in found.samples} == {True, False}
    assert [sample for sample in found.samples if fires(rule, sample) != sample.fires] == []


def test_several_rules_stand_in_one_file() -> None:
    found = parse_rules("id: a\nmessage: m\nwhen: {path: x}\n---\nid: b\nmessage: n\nwhen: {command: npm}\n", "f.yml")
    assert [(rule.id, rule.line, rule.does) for rule in found.rules] == [("a", 1, "say"), ("b", 5, "say")]


@pytest.mark.parametrize(
    ("text", "line", "key", "words"),
    [
        ("id: a\nmesage: m\n", 2, "mesage", "did you mean message?"),
        ("id: a\nmessage: m\nwhen:\n  pat: x\n", 4, "when.pat", "did you mean path?"),
        ("id: a\nmessage: m\nwhen: {path: x}\nthen: deny\n", 4, "then", "say, refuse, log"),
        ("id: a\nmessage: 3\nwhen: {path: x}\n", 2, "message", "has to be a text"),
        ("id: a\nmessage: m\n", 1, "rule", "about everything"),
        ("id: a\nmessage: m\nlanguage: klingon\nrule: {pattern: x}\n", 3, "language", "is not one of"),
        ("id: a\nmessage: m\nlanguage: python\nrule: {kind: nonsense}\n", 4, "rule", "nonsense"),
        ("id: a\nmessage: m\nlanguage: python\nrule: {patern: x}\n", 4, "rule", "unknown field"),
        ("id: a\nmessage: m\nwhen: {path: [1]}\n", 3, "when.path", "list of texts"),
        ("id: [a\n", 2, "", ""),
        ("id: &x a\nmessage: *x\n", 2, "", "alias"),
        ("- a\n", 1, "", "has to be a table"),
        ("id: a\nmessage: m\nwhen: {path: x}\nsamples: {fires: 3}\n", 4, "samples.fires", "has to be a list"),
    ],
)
def test_what_is_wrong_is_named_with_line_and_key(text: str, line: int, key: str, words: str) -> None:
    found = parse_rules(text, "f.yml")
    assert not found.rules
    (problem,) = found.problems
    assert (problem.line, problem.key) == (line, key)
    assert words in problem.text
    assert str(problem).startswith(f"f.yml:{line}:")


def test_one_wrong_rule_leaves_the_others() -> None:
    found = parse_rules("id: a\nmessage: m\nwhen: {path: x}\n---\nid: b\n", "f.yml")
    assert [rule.id for rule in found.rules] == ["a"]
    assert [problem.key for problem in found.problems] == ["message"]


def test_what_is_too_long_or_too_deep_is_not_read() -> None:
    assert parse_rules("# " + "x" * LONGEST, "f.yml").problems
    assert "levels" in parse_rules("id: " + "[" * 60 + "]" * 60, "f.yml").problems[0].text


@given(st.text(max_size=200))
def test_any_text_is_read(text: str) -> None:
    parse_rules(text, "f.yml")
