"""A feature is added that nobody asked for.

## What it catches
A new route, flag, command, setting, button, table, column or background job that shares no word with anything the user
said. It is queued where the agent announced it as an extra ("I should also add", "let me add support for") or where the
user named the wanted ones literally and this is not among them; otherwise it is logged. The third distinct one of a
session is spoken at once.

## Why it matters
Features that nobody specified have to be reviewed, documented and maintained, or taken out again.

## Example
"Add --json to the export." The agent writes `--json`, says "I should also add a format option", and writes `--format`.

## Known limits
Features are known by how common frameworks write them. What shares a word, or a word's family, with what the user said
counts as asked for. Helpers, error handling, types, tests, and dependencies that nobody announced are
details of the work. Sub-agents work for another agent's words and are not judged. Of one change forty are judged one
by one; how many there are besides is noted.
"""

from __future__ import annotations

from collections.abc import Iterator

from leeboard.analysis.feature import FLAGS, Extras, FeatureUnit, planned_words, units_of
from leeboard.analysis.timeline import flagged
from leeboard.model.event import MessageSaid, ThoughtShown, ToolFinished
from leeboard.model.ledger import Entry
from leeboard.model.lookup import Files, Registry
from leeboard.model.touch import Diff, Diffs
from leeboard.model.verdict import Evidence, Finding, Signal
from leeboard.model.world import World
from leeboard.rule import Rule, Sample
from leeboard.speech.order import ordered
from leeboard.speech.requirement import is_asked, is_open_ended
from leeboard.text.words import ordinal

RULE = Rule(
    code="LB-D201",
    channel="signal",
    subclass="D2",
    only_where="flag",
    summary="a feature is added that nobody asked for",
)

_TASK = (
    "@ add --json to the export command in cli.py",
    "read cli.py",
    "read export.py",
    "read output.py",
    "read app.py",
)
_JSON = "edit cli.py | pass => parser.add_argument('--json')"
_EXTRA = "edit cli.py | pass => parser.add_argument('--retries')"
FIRES = (
    Sample(name="a flag beside the one that was asked for", lines=(*_TASK, _JSON, _EXTRA)),
    Sample(name="announced", lines=(*_TASK, _JSON, "~ I should also add a retries option for slow networks.")),
)
SILENT = (
    Sample(name="what was asked for", lines=(*_TASK, _JSON)),
    Sample(name="a detail", lines=(*_TASK, _JSON, "~ I should also add error handling.")),
    Sample(
        name="the user asks for it too",
        lines=("@ add --json to the export command, and whatever else is useful while you're at it", _JSON, _EXTRA),
    ),
)

_ENOUGH = 3
_MOST = 40
"""Extras of one change that are named each; how many there are besides is said once."""
_GREENFIELD = ("build", "create", "make", "develop", "design", "scaffold", "generate", "write", "set up", "bootstrap")
_WHOLES = (
    *(
        "app",
        "application",
        "website",
        "site",
        "page",
        "service",
        "server",
        "api",
        "tool",
        "cli",
        "game",
        "bot",
        "dashboard",
    ),
    *(
        "project",
        "prototype",
        "mvp",
        "platform",
        "backend",
        "frontend",
        "clone",
        "program",
        "script",
        "package",
        "library",
    ),
)
_NOT_ALONE = frozenset({"dependency"})
"""Needed for what was asked, as a rule: counted only where the agent calls it an extra."""


def detect(
    event: ToolFinished | MessageSaid | ThoughtShown, world: World, diffs: Diffs, registry: Registry
) -> Iterator[Finding]:
    """One finding for each new feature nobody asked for, written or announced."""
    written = isinstance(event, ToolFinished)
    if event.agent or not world.session.goals or (written and not diffs) or is_open_ended(world):
        return
    if not isinstance(event, ToolFinished):
        yield from _announced(world, registry)
        return
    if event.outcome == "done":
        extras = Extras(world, registry)
        for diff in diffs:
            yield from _written(event, diff, world, registry, extras)


def _announced(world: World, registry: Registry) -> Iterator[Finding]:
    turn = world.agent.turn
    for flag in flagged(registry, "", FLAGS, turn, turn)[:2]:
        words = planned_words(flag.text)
        if words and not is_asked(world, words):
            yield Finding(
                rule="feature_expansion",
                subject=f"planned: {' '.join(words)[:80]}",
                evidence=(
                    Evidence(f"Nobody asked for this: {flag.text[:160]}"),
                    Evidence(f"D2: {flag.key}, no diff yet"),
                ),
                confidence=0.6,
                message="Nobody asked for that extra feature: leave it out, or ask the user first.",
                signal=Signal(subclass="D2", rework_cost=3, self_correct_prob=0.5, stage="PLAN"),
                remedy="leave it out or ask first",
            )


def _written(event: ToolFinished, diff: Diff, world: World, registry: Registry, extras: Extras) -> Iterator[Finding]:
    units = units_of(diff)
    if not units or _is_rewrite(event, diff, registry):
        return
    unasked = [unit for unit in units if not is_asked(world, unit.words)]
    alone = None
    for unit in unasked[:_MOST]:
        said = extras.said_of(unit)
        if said is not None or (unit.kind not in _NOT_ALONE and extras.was_enumerated(unit.kind)):
            yield _finding(unit, said, *extras.besides(unit))
        elif unit.kind not in _NOT_ALONE:
            alone = not _is_greenfield(world) if alone is None else alone
            if alone:
                yield _noted(unit)
    if len(unasked) > _MOST:
        yield _many(diff.path, unasked[_MOST], len(unasked) - _MOST)


def _is_rewrite(event: ToolFinished, diff: Diff, registry: Registry) -> bool:
    """A file that was there is written anew: nobody knows which of its features are new."""
    if diff.before is not None or diff.fragment:
        return False
    known = (*registry.find("read", (diff.path,)), *registry.find("change", (diff.path,)))
    return any(entry.call != event.call.id for entry in known)


def _is_greenfield(world: World) -> bool:
    return ordered(world, _GREENFIELD, _WHOLES)


def _finding(unit: FeatureUnit, said: Entry | None, earlier: int, others: tuple[Entry, ...]) -> Finding:
    number = earlier + 1
    name = f"--{unit.name}" if unit.kind == "flag" else unit.name
    where = f"{unit.path}:{unit.line}"
    reason = f"The {unit.kind} {name} in {where} was not asked for; it is the {ordinal(number)} extra of this session."
    trace = (
        f"D2: {unit.kind} {name}, shares no word with the user's",
        *(f"{flag.key}: {flag.text}" for flag in (said,) if flag is not None),
        *(f"earlier: {entry.data} {entry.text} in {entry.path}:{entry.line}" for entry in others),
    )
    many = f" It is the {ordinal(number)} extra." if number >= _ENOUGH else ""
    return Finding(
        rule="feature_expansion",
        subject=f"{unit.path} {unit.key}",
        evidence=(Evidence(reason), *map(Evidence, trace)),
        confidence=0.8,
        path=unit.path,
        line=unit.line,
        message=f"Nobody asked for the {unit.kind} {name} ({where}): take it out, or ask the user first.{many}",
        signal=Signal(
            subclass="D2",
            rework_cost=3,
            self_correct_prob=0.7 if number > 1 else 0.5,
            floor=2.0,
            fires=number >= _ENOUGH,
        ),
        remedy=f"take {name} out or ask first",
    )


def _noted(unit: FeatureUnit) -> Finding:
    """Worth knowing, and no more: the user's words and the feature's may mean the same."""
    where = f"{unit.path}:{unit.line}"
    return Finding(
        rule="feature_expansion",
        subject=f"{unit.path} {unit.key}?",
        evidence=(
            Evidence(f"The {unit.kind} {unit.name} in {where} shares no word with what the user asked for."),
            Evidence("D2: neither announced as an extra nor beside features the user named"),
        ),
        confidence=0.4,
        path=unit.path,
        line=unit.line,
        message=f"The {unit.kind} {unit.name} ({where}) may not have been asked for: check it against the task.",
        signal=Signal(subclass="D2", rework_cost=3, self_correct_prob=0.5, log_only="may be a detail of the task"),
        remedy="check it against the task",
    )


def _many(path: str, first: FeatureUnit, count: int) -> Finding:
    """A file with hundreds of them is made by a program or moved, and read by nobody one by one."""
    where = f"{path}:{first.line}"
    return Finding(
        rule="feature_expansion",
        subject=f"{path} and more",
        evidence=(
            Evidence(
                f"From {where} on there are {count} more features that share no word with what the user asked for."
            ),
            Evidence(f"D2: the first {_MOST} of this change are judged one by one"),
        ),
        confidence=0.4,
        path=path,
        line=first.line,
        message=f"{count} more features from {where} on may not have been asked for: check them against the task.",
        signal=Signal(subclass="D2", rework_cost=3, self_correct_prob=0.5, log_only="too many to name each"),
        remedy="check them against the task",
    )


def holds(finding: Finding, world: World, files: Files) -> bool:
    """It stands while the feature is in the file and the user has not asked for it since."""
    kind_and_words = finding.subject.removeprefix(f"{finding.path} ")
    words = tuple(kind_and_words.partition(":")[2].split())
    if is_asked(world, words) or is_open_ended(world):
        return False
    text = files.text(finding.path)
    if text is None:
        return files.exists(finding.path) is not False
    lines = text.count("\n") + 1
    now = units_of(Diff(path=finding.path, after=text, added=((1, lines),)))
    return any(unit.key == kind_and_words for unit in now)
