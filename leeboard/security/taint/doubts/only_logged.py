"""Why nobody is interrupted for a flow: no stranger stands behind it, or it is one of many of its kind in the file."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from leeboard.model.text import lazy
from leeboard.security.taint.doubts.flow_doubt import TABLE
from leeboard.security.taint.doubts.made_here import is_made_here
from leeboard.security.taint.state import Flow
from leeboard.security.taint.template import UNPROVEN
from leeboard.text.language import is_test_path

SENT = frozenset({"request", "handler"})
_NAMED_UNSAFE = 0.6
"""What is unsafe by its name alone, or stands where a value does, is surer than this or as sure."""
_BROKEN_BY_MARKS = frozenset({"sql", "command", "ldap", "nosql", "html"})
"""What is built of words: a space, a quote or a bracket in a value makes something else of it. Not a path through a
tree, which yields no more than the tree holds.
"""
_RUN = frozenset({"code", "template"})
_EACH_COUNTS = frozenset({"logged", "trace", "debug"})
"""Weaknesses of which each place is one of its own: another password, another answer."""
_HEAD = 1_500
_SCRIPT = lazy("|".join(TABLE.script_paths))
_ENVIRONMENT = lazy(TABLE.environment)
_MIGRATION = lazy(TABLE.migration_paths)
_RUNS_CODE = lazy("|".join(TABLE.code_tool_paths))
_TERMINAL = lazy(TABLE.terminal_paths)
_NAMED_AS_COMMAND = lazy(TABLE.named_as_command)
_NAMED_AS_SAFE = lazy(TABLE.named_as_safe)
_NAMED_AS_NUMBER = lazy(TABLE.named_as_number)
_NAMED_AS_FOREIGN = lazy(TABLE.named_as_foreign)
_NAMED_AS_WHO = lazy(TABLE.named_as_who)
_TRIAL = lazy(TABLE.trial_paths)
_NAMED_AS_CODE = lazy(TABLE.named_as_code)
_LIBRARY_PATH = lazy(TABLE.library_paths)
_LIBRARY_BANNER = lazy(TABLE.library_banner)
_WRITES_LINES = lazy(TABLE.writes_lines)
_MAKES_CODE = TABLE.makes_code
_MADE_HERE = frozenset({"command", "code"})
_LINEAR = (".go", ".rs")
"""Languages whose own patterns match in linear time, whoever wrote them."""


def is_script(path: str) -> bool:
    """Whether the machine's own people run it by hand."""
    return _SCRIPT.search(path) is not None


def why_logged(path: str, text: str, flow: Flow) -> str:
    """Why nobody is interrupted for it; empty where somebody is."""
    if is_test_path(path) or _TRIAL.search(path):
        return "test fixture"
    if flow.kind == "log" or (flow.kind == "header" and not _WRITES_LINES.search(flow.sink)):
        return "a log line" if flow.kind == "log" else "a header: servers refuse line breaks in it"
    if flow.kind == "regex" and path.endswith(_LINEAR):
        return "patterns of this language match in linear time"
    if flow.trust in SENT:
        return ""
    if flow.trust == "local" and _ENVIRONMENT.search(flow.source):
        return "set by whoever runs the machine"
    why = _why_not_foreign(path, text, flow) or ("a library of others" if is_library(path, text) else "")
    makes_code = flow.trust == "parameter" and flow.kind == "code" and path.endswith(_MAKES_CODE)
    return why or ("made into code of what callers hand over" if makes_code else "")


def _why_not_foreign(path: str, text: str, flow: Flow) -> str:
    """What speaks against a stranger behind a value that no request brings; empty where nothing does."""
    by_design = flow.by_design or (flow.kind in _RUN and _RUNS_CODE.search(path) is not None)
    plain = flow.trust == "parameter" and not by_design and not _is_wrong_for_any_caller(flow)
    own_data = flow.kind == "deserialise" and flow.confidence < _NAMED_UNSAFE
    of_caller = flow.trust in {"local", "failure"} or (flow.trust == "parameter" and flow.kind == "command")
    is_option = flow.trust == "local" and flow.source.startswith("parameter")
    unknown = flow.trust is None and flow.kind in _MADE_HERE and bool(flow.source)
    reasons = (
        (
            flow.trust is None and flow.kind == "html" and flow.confidence <= UNPROVEN,
            "written as it is, but the file does not show who chose it",
        ),
        (plain, "a parameter of a plain function: no outside caller is visible"),
        (flow.trust is None and own_data, "a loader for one's own data: no outside caller is visible"),
        (flow.kind == "trace" and _TERMINAL.search(path), "written to a log or a terminal"),
        ((of_caller or unknown) and is_script(path), "a script of the machine's own people"),
        (unknown and is_made_here(text, flow.sink_line), "made by the program itself, of what this file does not show"),
        (is_option and flow.kind == "command", "an option of a command: who gives it has a shell"),
        (_MIGRATION.search(path), "a migration: no user's value reaches it"),
        (by_design, "a tool made to run code"),
    )
    return next((why for speaks, why in reasons if speaks), "")


def _is_wrong_for_any_caller(flow: Flow) -> bool:
    """A mark in a value breaks the query or the shell's line, and a text that is run does what it says, also among
    friends; so does one that is called a stranger's, and a path by which somebody is found who logs in. Not where the
    caller is told by its name that code is what he hands over, or that it has to be safe.
    """
    if _NAMED_AS_FOREIGN.search(flow.source) or (flow.kind == "xpath" and flow.confidence > _NAMED_UNSAFE):
        return flow.kind != "xpath" or _NAMED_AS_WHO.search(flow.source) is not None
    if flow.kind == "code":
        return flow.confidence >= _NAMED_UNSAFE and not _NAMED_AS_CODE.search(flow.source)
    if _NAMED_AS_SAFE.search(flow.source) or _NAMED_AS_NUMBER.search(flow.source):
        return False
    if flow.kind == "command" and _NAMED_AS_COMMAND.search(flow.source):
        return False
    return flow.kind in _BROKEN_BY_MARKS and flow.confidence > _NAMED_UNSAFE


def is_library(path: str, text: str) -> bool:
    """Whether others wrote and released it, and it is kept here: by its folder, a version in its name, or a banner with
    both a version and a licence.
    """
    return _LIBRARY_PATH.search(path) is not None or _LIBRARY_BANNER.match(text[:_HEAD]) is not None


class FlowHabit(msgspec.Struct, frozen=True):
    """What one file does again and again: told at one place, the others are named there."""

    told: Flow
    others: tuple[Flow, ...]

    @property
    def lines(self) -> tuple[int, ...]:
        return tuple(sorted({one.sink_line for one in self.others} - {self.told.sink_line}))


def habits(flows: Iterable[Flow]) -> tuple[FlowHabit, ...]:
    """What is told once for all of its kind: the surest of those that no request reaches, and of equals the first."""
    alike: dict[tuple[str, ...], list[Flow]] = {}
    for flow in flows:
        if flow.trust not in SENT and flow.kind not in _EACH_COUNTS:
            alike.setdefault(_kind_of(flow), []).append(flow)
    found = []
    for group in alike.values():
        told = min(group, key=lambda one: (-one.confidence, one.sink_line))
        found.append(FlowHabit(told, tuple(one for one in group if one is not told)))
    return tuple(found)


def _kind_of(flow: Flow) -> tuple[str, ...]:
    """A parameter that goes into one kind of harm, or one kind of call that is unsafe by itself; loaders and the like
    each by their name.
    """
    return (flow.kind, flow.trust or "", "" if flow.trust or flow.kind == "permission" else flow.sink)
