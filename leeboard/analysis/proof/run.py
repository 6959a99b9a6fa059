"""The runs of a session: what was checked by which line, when, and how it ended. Rows of the registry.

Its output says how it ended, in the words of any runner; which tests fail is read from all runs together.

A line that pipes a runner into `tail` ends well whatever the runner said, so its output has the first word, and where
that says nothing nobody knows how it went.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Literal

import msgspec
from msgspec.structs import replace

from leeboard.data import load
from leeboard.model.event import ToolFinished
from leeboard.model.ledger import Entry
from leeboard.model.lookup import Registry
from leeboard.model.text import digest, lazy
from leeboard.model.touch import Started
from leeboard.model.world import Analysis
from leeboard.secrets.redaction import redact
from leeboard.shell.checks import brief_line, shown_by
from leeboard.shell.effects import shell_effects
from leeboard.text.language import is_test_path, language_of

UNKNOWN = "unknown"
"""The key of what ran out of sight: a sub-agent, a tool of a server, a line in the background."""
_UNSEEN_TOOLS = frozenset({"task", "agent", "bashoutput", "taskoutput", "monitor", "workflow"})
_EXIT = lazy(r"\A(?:Error: )?Exit code (\d{1,3})\b")
_BACKGROUND = lazy(r"\A.{0,80}\b(?:running|run|started) in (?:the )?background\b", re.IGNORECASE | re.DOTALL)
_DIGITS = lazy(r"\d{1,6}")
_COMMAND_ROOM = 240
_SETS_UP = frozenset({"cd", "export", "echo", "set", "source", ".", "true", "env", "timeout", "time", "printf", "pwd"})


Void = Literal["", "nothing", "unseen", "cut"]
"""Why a run shows nothing: nothing was checked (all tests skipped, none found, a line that only lists them), it went on
in the background, its output was cut off before the end."""


class CheckRun(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A kind of check, such as tests or a build, that a shell line ran, and how it went."""

    kind: str
    command: str
    ok: bool | None = None
    """None: nobody can tell how it went."""
    exit: int | None = None
    passed: int = 0
    counted: int = 0
    """All that passed, where several runners of one line say how many."""
    failed: int = 0
    names: tuple[str, ...] = ()
    """What failed, as the runner names it."""
    time: float = 0.0
    output: str = ""
    """The digest of what it printed."""
    turn: int = 0
    void: Void = ""

    def ended(self) -> str:
        """How it went, in words."""
        if self.void and not self.failed:
            what = "test" if self.kind == "tests" else "check"
            return {
                "nothing": f"ran no {what}",
                "unseen": "went on in the background, and nobody saw it end",
                "cut": "was cut off before it told how it went",
            }[self.void]
        if self.failed:
            return f"{self.failed} failed"
        if self.ok is None:
            return "ended, nobody can tell how"
        return "passed" if self.ok else f"failed with exit code {self.exit}" if self.exit else "failed"


def run_entries(event: ToolFinished, analysis: Analysis, turn: int) -> Iterator[Entry]:
    """A row for each kind of check the call made; one of its own for what ran where nobody sees it."""
    call = event.call
    if event.outcome == "denied":
        return
    if call.action == "other" and (call.tool.startswith("mcp__") or call.tool.lower() in _UNSEEN_TOOLS):
        # Not the name of an MCP tool: whoever named it may have put anything there.
        text = "mcp" if call.tool.startswith("mcp__") else call.tool
        yield Entry(kind="run", key=UNKNOWN, turn=turn, agent=event.agent, call=call.id, text=text)
        return
    if call.action != "bash":
        return
    for run in runs_of(event):
        data = msgspec.json.encode(run).decode()
        yield Entry(
            kind="run", key=run.kind, turn=turn, agent=event.agent, call=call.id, text=analysis.command, data=data
        )


def runs_of(event: ToolFinished) -> tuple[CheckRun, ...]:
    """The checks that a shell line ran, so that a claim can be held against them; empty where it ran none."""
    command = event.call.command
    started = shell_effects(command, event.cwd).started
    shown = [(at, kinds) for at, one in enumerate(started) if (kinds := _kinds(one))]
    if not shown:
        return ()
    kinds = tuple(dict.fromkeys(kind for _at, kinds in shown for kind in kinds))
    last = shown[-1][0] == len(started) - 1
    checks = [started[at].words for at, _kinds in shown]
    alone = len(kinds) == 1 and all(
        one.words[0] in _SETS_UP or any(one.words[-len(words) :] == words for words in checks)
        for one in started
        if one.words
    )
    plain = not any(mark in command for mark in ("|", ";", "&\n")) and not command.rstrip().endswith("&")
    sure = last or plain or "pipefail" in command
    void = _void(event, started, dry=all(_is_dry(started[at]) for at, _kinds in shown))
    return tuple(_run(event, kind, sure=sure and not void, alone=alone, void=void) for kind in kinds)


def _kinds(one: Started) -> tuple[str, ...]:
    """What it checks, or would: a program that only lists its tests is one of those that run them."""
    idle = _results().idle.options
    return shown_by(one) or (
        shown_by(replace(one, words=tuple(word for word in one.words if word not in idle)))
        if idle.intersection(one.words)
        else ()
    )


def _is_dry(one: Started) -> bool:
    """Whether it says what it would do and does nothing."""
    idle, name = _results().idle, posixpath.basename(one.words[0])
    return bool(idle.options.intersection(one.words)) or bool(
        name in idle.makers and idle.makers_options.intersection(one.words)
    )


def _void(event: ToolFinished, started: tuple[Started, ...], *, dry: bool) -> Void:
    if dry:
        return "nothing"
    command = event.call.command.rstrip()
    in_background = command.endswith("&") and not command.endswith("&&")
    if in_background or _BACKGROUND.search(event.output[:400]):
        return "unseen"
    last = started[-1].words
    if posixpath.basename(last[0]) == "head" and event.output.count("\n") + 1 >= _lines_asked(last):
        return "cut"
    return ""


def _lines_asked(words: tuple[str, ...]) -> int:
    """How many lines `head` lets through."""
    found = _DIGITS.search(" ".join(words[1:]))
    return int(found[0]) if found else 10


def _run(event: ToolFinished, kind: str, *, sure: bool, alone: bool, void: Void) -> CheckRun:
    """`sure`: the line's end is that of the check; `alone`: nothing else in it could have failed."""
    summary = summary_of(event.output, kind) if void != "nothing" else None
    failed = event.outcome == "failed"
    ok: bool | None = None
    if summary is not None:
        void = "nothing" if summary.nothing else ""
        ok = None if void and not (failed and alone) else summary.well and not (failed and alone)
    elif failed:
        ok = False if alone else None
    elif sure:
        ok = True
    code = _EXIT.match(event.output[:40])
    return CheckRun(
        kind=kind,
        command=brief_line(redact(" ".join(event.call.command.split())), _COMMAND_ROOM),
        ok=ok,
        exit=int(code[1]) if code else 1 if failed else 0 if sure else None,
        passed=summary.passed if summary else 0,
        counted=summary.counted if summary else 0,
        failed=summary.failed if summary else 0,
        names=tuple(map(redact, failed_names(event.output))) if ok is False else (),
        time=event.time,
        output=digest(event.output),
        void="" if failed and void != "nothing" else void,
    )


def read_runs(entries: Iterable[Entry]) -> tuple[CheckRun, ...]:
    """Rows of the registry as runs, in their order."""
    return tuple(
        replace(msgspec.json.decode(entry.data, type=CheckRun), turn=entry.turn)
        for entry in entries
        if entry.kind == "run" and entry.data
    )


def runs(registry: Registry, *kinds: str) -> tuple[CheckRun, ...]:
    """What checked one of these, the newest first."""
    return read_runs(registry.find("run", kinds))


# How a run of tests or checks went: its summary, in the words of any runner, and the names of what failed.

_OUTPUT_READ = 24_000
_MOST_NAMES = 40
_NAME_ROOM = 120


class _Summary(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    runner: str
    shows: tuple[str, ...]
    sign: str
    """In every text that has this summary."""
    pattern: str
    well: bool = True
    """False: to be there at all means that it failed."""
    nothing: bool = False
    """To be there means that nothing was checked."""


class _Names(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    patterns: tuple[str, ...]


class _Idle(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    options: frozenset[str]
    makers: frozenset[str]
    makers_options: frozenset[str]


class _Results(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    summaries: tuple[_Summary, ...]
    names: _Names
    idle: _Idle


class RunSummary(msgspec.Struct, frozen=True):
    """What the output says of one kind of check."""

    well: bool
    passed: int = 0
    failed: int = 0
    nothing: bool = False
    counted: int = 0
    """What passed, of all summaries together."""


@lru_cache(maxsize=1)
def _results() -> _Results:
    return load("verify/results", _Results)


@lru_cache(maxsize=1)
def _summary_table() -> tuple[tuple[_Summary, re.Pattern[str]], ...]:
    return tuple((one, re.compile(one.pattern, re.MULTILINE)) for one in _results().summaries)


@lru_cache(maxsize=1)
def _name_patterns() -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(one, re.MULTILINE) for one in _results().names.patterns)


def summary_of(output: str, kind: str) -> RunSummary | None:
    """None where no runner we know says how it went."""
    text, found = output[-_OUTPUT_READ:], []
    for summary, pattern in _summary_table():
        if kind in summary.shows and summary.sign in text:
            found += [_read_summary(match, summary) for match in pattern.finditer(text)]
    if not found:
        return None
    # One commit is a commit, whatever `git status` says behind it; one failing package is a failing suite.
    well = any if kind in {"commit", "push"} else all
    return RunSummary(
        well(one.well for one in found),
        max(one.passed for one in found),
        max(one.failed for one in found),
        all(one.nothing for one in found),
        sum(one.passed for one in found),
    )


def _read_summary(match: re.Match[str], summary: _Summary) -> RunSummary:
    groups = match.groupdict()
    counts = {name: int(value) for name, value in groups.items() if value}
    failed = counts.get("failed", 0) + counts.get("errors", 0)
    passed = counts.get("passed", 0)
    ran = passed - counts.get("skipped", 0) > 0 or failed > 0
    nothing = summary.nothing or ("passed" in groups and summary.well and not ran)
    return RunSummary(summary.well and not failed, passed, failed, nothing)


def failed_names(output: str) -> tuple[str, ...]:
    """Tests and files that failed, as the runner names them."""
    text = output[-_OUTPUT_READ:]
    found = (match[1].strip()[:_NAME_ROOM] for pattern in _name_patterns() for match in pattern.finditer(text))
    return tuple(dict.fromkeys(found))[:_MOST_NAMES]


# Which tests of a session fail, and whether they did so before it changed any code.

_CHANGES = 400
_DATA = frozenset({"json", "yaml", "html", "markdown", ""})


class Failing(msgspec.Struct, frozen=True, kw_only=True):
    """A test that failed and was not seen to pass since."""

    run: CheckRun
    """The newest run in which it failed."""
    untouched: bool
    """It failed with the code as the session found it."""


def failing(registry: Registry, path: str, name: str) -> Failing | None:
    """What is known of a test, or of the file it lies in; None where it did not fail or passed since."""
    newest: CheckRun | None = None
    first = 0
    for run in runs(registry, "tests"):
        if run.ok and newest is None:
            return None
        if run.ok is False and _concerns(run, path, name):
            newest, first = newest or run, run.turn
    if newest is None:
        return None
    return Failing(run=newest, untouched=not any(change.turn < first for change in code_changes(registry)))


def _concerns(run: CheckRun, path: str, name: str) -> bool:
    """A run that names nothing may mean any test."""
    if not run.names:
        return True
    base = posixpath.basename(path)
    bare = name.partition("[")[0]
    word = re.compile(rf"(?<![\w]){re.escape(bare)}(?![\w])") if bare else None
    folder = posixpath.dirname(path)
    return any(
        base in failed or (word and word.search(failed)) or (folder and failed.rstrip("/").endswith(folder))
        for failed in run.names
    ) or (bool(word) and any(failed in bare for failed in run.names if len(failed) > len("test_")))


def code_changes(registry: Registry) -> tuple[Entry, ...]:
    """Changes of code that is no test, the newest first."""
    return tuple(change for change in registry.newest("change", _CHANGES) if is_code(change.path))


def is_code(path: str) -> bool:
    return language_of(path) not in _DATA and not is_test_path(path)
