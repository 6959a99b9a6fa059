"""Code and commands held against a project's own rules."""

from __future__ import annotations

from leeboard.model.own_rule import OwnRule
from leeboard.model.touch import Diff
from leeboard.settings.own_rules.match import is_about, lines_in, runs, why_wrong
from leeboard.shell.effects import shell_effects

PRINT = OwnRule(id="p", file="f.yml", message="m", language="python", matcher={"rule": {"pattern": "print($$$)"}})


def test_only_lines_that_are_written_count() -> None:
    text = "print(1)\nx = 1\nprint(2)\n"
    assert lines_in(PRINT, Diff(path="a.py", after=text, before="", added=((1, 3),))) == (1, 3)
    assert lines_in(PRINT, Diff(path="a.py", after=text, before="print(1)\n", added=((2, 3),))) == (3,)
    assert lines_in(PRINT, Diff(path="a.ts", after=text, before="", added=((1, 3),))) == ()


def test_a_rule_may_name_constraints() -> None:
    matcher = {"rule": {"pattern": "print($A)"}, "constraints": {"A": {"regex": "^secret"}}}
    rule = OwnRule(id="p", file="f", message="m", language="python", matcher=matcher)
    assert lines_in(rule, Diff(path="a.py", after="print(a)\nprint(secret)\n", before="", added=((1, 2),))) == (2,)


def test_what_ast_grep_does_not_take_is_said() -> None:
    wrong = OwnRule(id="p", file="f", message="m", language="python", matcher={"rule": {"regex": "("}})
    assert why_wrong(PRINT) == ""
    assert why_wrong(wrong)


def test_tools_are_known_by_name_and_by_what_they_do() -> None:
    rule = OwnRule(id="p", file="f", message="m", tools=("write", "shell"), paths=("x",))
    assert is_about(rule, "Write", "write")
    assert is_about(rule, "Bash", "bash")
    assert not is_about(rule, "Edit", "edit")


def test_a_command_counts_until_the_other_was_run() -> None:
    rule = OwnRule(id="p", file="f", message="m", commands=("git commit",), not_run=("pytest",))

    def started(line: str) -> tuple[object, ...]:
        return shell_effects(line, "/").started

    assert runs(rule, started("bash -c 'git commit -m x'"), ())  # type: ignore[arg-type]  # as the line starts them
    assert not runs(rule, started("git commit"), (started("uv run pytest"),))  # type: ignore[arg-type]  # as above
    assert not runs(rule, started("echo git commit"), ())  # type: ignore[arg-type]  # as above
