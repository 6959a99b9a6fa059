"""What a project's own rules find in one call."""

from __future__ import annotations

from collections.abc import Iterator

from leeboard.model.event import ToolProposed
from leeboard.model.lookup import Registry
from leeboard.model.own_rule import Does, OwnRule
from leeboard.model.text import matches
from leeboard.model.touch import Diffs, Started
from leeboard.model.verdict import Evidence, Finding
from leeboard.model.world import World
from leeboard.settings.own_rules.match import is_about, lines_in, runs
from leeboard.text.words import cut

_LOOK_BACK = 60
_SUBJECT = 80


def findings(
    rule_id: str, does: tuple[Does, ...], delta: int, event: ToolProposed, world: World, facts: tuple[Diffs, Registry]
) -> Iterator[Finding]:
    """One for each rule that does so, and each place it fits; `delta` is what each takes from the score."""
    diffs, registry = facts
    for rule in world.own_rules:
        if rule.does not in does or not is_about(rule, event.call.tool, event.call.action):
            continue
        cost = 0 if rule.does == "log" else delta
        for place, line in _places(rule, event, world, diffs, registry):
            yield _finding(rule_id, rule, place, line, cost)


def _places(
    rule: OwnRule, event: ToolProposed, world: World, diffs: Diffs, registry: Registry
) -> Iterator[tuple[str, int]]:
    if rule.matcher:
        for diff in diffs:
            if diff.path and (found := lines_in(rule, diff)):
                yield diff.path, found[0]
    elif rule.commands:
        if event.call.action == "bash" and runs(rule, _started(event.call.command), _ran(rule, registry)):
            yield cut(world.analysis.command, _SUBJECT), 0
    else:
        for path in world.analysis.modified:
            if world.workspace.holds(path) and matches(path, rule.paths):
                yield path, 0


def _started(command: str) -> tuple[Started, ...]:
    from leeboard.shell.effects import shell_effects  # noqa: PLC0415 - for shell lines only

    return shell_effects(command, "/").started


def _ran(rule: OwnRule, registry: Registry) -> tuple[tuple[Started, ...], ...]:
    """The lines that were run since the last edit of a file the rule is about; all where none was edited."""
    if not rule.not_run:
        return ()
    edits = [
        entry for entry in registry.newest("change", _LOOK_BACK) if not rule.paths or matches(entry.path, rule.paths)
    ]
    since = max((entry.turn for entry in edits), default=-1)
    ran = [entry for entry in registry.newest("research", _LOOK_BACK) if entry.key == "ran" and entry.text]
    lines = [entry.text for entry in ran if entry.turn > since]
    return tuple(map(_started, lines if edits else [*lines, *rule.not_run]))


def _finding(rule_id: str, rule: OwnRule, place: str, line: int, delta: int) -> Finding:
    at = f"{place}:{line}" if line else place
    text = f"{at}: {rule.message} ({rule.id}, {rule.file}:{rule.line})"
    return Finding(
        rule=rule_id,
        subject=f"{rule.id}:{place}",
        evidence=(Evidence(text, delta),),
        cap=10 + delta if delta else 10,
        path=place if line else "",
        line=line,
        message=text,
        remedy=rule.note or "do it the way the rule of the project asks for",
    )
