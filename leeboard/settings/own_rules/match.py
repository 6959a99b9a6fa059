"""Code, files and commands held against a project's own rules."""

from __future__ import annotations

from typing import Any, cast

from leeboard.model.own_rule import OwnRule, RuleSample
from leeboard.model.text import lazy, matches
from leeboard.model.touch import Diff, Started
from leeboard.source.syntax import LANGUAGES, parse
from leeboard.text.language import language_of

_NUMBER = lazy(r"^\s*\d+:\s*")
_TOOLS = {"edit": "edit", "write": "write", "bash": "bash", "shell": "bash", "multiedit": "edit"}


def why_wrong(rule: OwnRule) -> str:
    """What ast-grep has against the rule; empty where it takes it."""
    if rule.language not in LANGUAGES:
        return f"language {rule.language!r} is not one of {', '.join(sorted(LANGUAGES))}"
    try:
        _find(rule, "")
    except BaseException as error:
        # The library raises bare exceptions for a rule it does not take, and a panic of its native side is none.
        if type(error) in {Exception, RuntimeError, TypeError, ValueError} or type(error).__name__ == "PanicException":
            return _in_short(str(error)) or "it is no rule of ast-grep"
        raise
    return ""


def _in_short(error: str) -> str:
    """The innermost causes, without where in the library they came from."""
    said = error.partition("Stack backtrace")[0].splitlines()
    causes = [_NUMBER.sub("", line).strip() for line in said if line.strip()]
    return "; ".join(cause for cause in causes[-2:] if not cause.startswith("Caused"))[:200]


def is_about(rule: OwnRule, tool: str, action: str) -> bool:
    """Whether it speaks of what this tool does."""
    return not rule.tools or any(name in {tool.lower(), action} or _TOOLS.get(name) == action for name in rule.tools)


def lines_in(rule: OwnRule, diff: Diff) -> tuple[int, ...]:
    """Lines that the change wrote and the rule fits; none where it is about another place or language."""
    if rule.paths and not matches(diff.path, rule.paths):
        return ()
    if language_of(diff.path) != rule.language:
        return ()
    return tuple(line for line in _find(rule, diff.after) if diff.wrote(line))


def _find(rule: OwnRule, text: str) -> list[int]:
    tree = parse(text, rule.language)
    if tree is None:
        return []
    found = tree.root.find_all(cast("Any", rule.matcher))
    return sorted({node.range().start.line + 1 for node in found})


def runs(rule: OwnRule, started: tuple[Started, ...], ran: tuple[tuple[Started, ...], ...]) -> bool:
    """Whether a line starts what the rule is about; `ran` are the lines that were run since the last edit."""
    from leeboard.shell.command_kinds import is_command  # noqa: PLC0415 - for rules about commands only

    def has(one: tuple[Started, ...], names: tuple[str, ...]) -> bool:
        return any(is_command(each, name) for each in one for name in names)

    return has(started, rule.commands) and not (rule.not_run and any(has(line, rule.not_run) for line in ran))


def fires(rule: OwnRule, sample: RuleSample) -> bool:
    """Whether the rule speaks of a sample."""
    from leeboard.shell.effects import shell_effects  # noqa: PLC0415 - for samples only

    action = sample.tool or ("bash" if sample.command else "edit")
    if not is_about(rule, action, _TOOLS.get(action, action)):
        return False
    if sample.command:
        if not rule.commands:
            return False
        ran = tuple(shell_effects(line, "/").started for line in sample.ran)
        return runs(rule, shell_effects(sample.command, "/").started, ran)
    if not rule.matcher:
        return not rule.commands and matches(sample.path, rule.paths)
    last = sample.code.count("\n") + 1
    return bool(lines_in(rule, Diff(path=sample.path, after=sample.code, before="", added=((1, last),))))
