"""What a project's own rules find in a call."""

from __future__ import annotations

from leeboard.testing.scenario import play

RULE = "own {id: use-the-logger, language: python, message: no print here, note: use log, rule: {pattern: print($$$)}}"


def test_a_finding_names_the_place_the_rule_and_what_to_do() -> None:
    verdict = play((RULE, "@ fix src/a.py", "write src/a.py | print(1)")).spoken()[0]
    assert "src/a.py:1: no print here (use-the-logger, the scenario:1)" in verdict.message
    assert verdict.paths == ("use-the-logger:src/a.py",)


def test_what_is_only_logged_is_on_record_and_says_nothing() -> None:
    played = play((RULE.replace("note: use log", "then: log"), "@ fix src/a.py", "write src/a.py | print(1)"))
    assert not played.spoken()
    assert played.proposed()[-1].rules == ("own_rule",)


def test_an_edit_after_the_tests_makes_them_old() -> None:
    rule = "own {id: t, message: m, then: refuse, when: {command: git commit, since-last-edit: {not-run: pytest}}}"
    lines = (rule, "@ fix src/a.py", "edit src/a.py", "$ pytest", "edit src/a.py | a => b", "$ git commit -am x")
    assert play(lines).proposed()[-1].rules == ("own_refusal",)
