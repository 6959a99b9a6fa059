"""A rule that the people of a project wrote themselves, as it is judged by: parsed, checked and compiled before."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

RULES_FOLDER = ".leeboard/rules"
"""Where they lie, from the root of a work tree."""
Does = Literal["say", "refuse", "log"]


class OwnRule(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Everything in `when` has to hold; what is empty holds always."""

    id: str
    file: str
    line: int = 1
    message: str
    note: str = ""
    """What to do instead."""
    does: Does = "say"
    language: str = ""
    matcher: dict[str, Any] = {}
    """An ast-grep rule with its constraints and utilities; empty where the rule is about files or commands alone."""
    tools: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()
    not_run: tuple[str, ...] = ()
    """It holds where files were changed, and none of these commands was run since."""


class RuleSample(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a rule must say something about, or must be silent about."""

    rule: str
    fires: bool
    line: int
    path: str = ""
    code: str = ""
    command: str = ""
    ran: tuple[str, ...] = ()
    """Commands that were run since the last edit."""
    tool: str = ""


class RuleProblem(msgspec.Struct, frozen=True, kw_only=True):
    """What is wrong with a file of rules: it does not count, and the others do."""

    file: str
    line: int
    key: str
    text: str

    def __str__(self) -> str:
        about = f" {self.key}:" if self.key else ""
        return f"{self.file}:{self.line}:{about} {self.text}"


class OwnRules(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The rules that a project's folder of rules declares, with their samples and what is wrong with them."""

    rules: tuple[OwnRule, ...] = ()
    samples: tuple[RuleSample, ...] = ()
    problems: tuple[RuleProblem, ...] = ()
