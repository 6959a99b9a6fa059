"""Whether a finding still stands: the rule is run again over the file as it is now, or asked by its own `holds`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from leeboard.model.diff import Diff, Diffs
from leeboard.model.event import TextEdit, ToolCall, ToolFinished
from leeboard.model.verdict import Finding
from leeboard.model.world import World
from leeboard.rule import LoadedRule

Give = Callable[[str], Any]
"""A fact by its name."""


def still_stands(finding: Finding, world: World, loaded: LoadedRule | None, give: Give) -> bool:
    """False also where its rule is gone, or takes it by now for what the user wants."""
    if loaded is None:
        return False
    if loaded.holds is not None:
        return bool(loaded.holds(finding, world, *(give(want) for want in loaded.holds_wants)))
    if not finding.path:
        return True
    text = give("Files").text(finding.path)
    if text is None:
        return give("Files").exists(finding.path) is not False
    return any(_same(other, finding) for other in _again(finding, world, loaded, give, text))


def _again(finding: Finding, world: World, loaded: LoadedRule, give: Give, text: str) -> tuple[Finding, ...]:
    event, diffs = as_if_written(finding.path, text, world)
    seen = replace(world, analysis=replace(world.analysis, event=event))
    facts = (diffs if want == "Diffs" else give(want) for want in loaded.wants)
    return tuple(loaded.detect(event, seen, *facts))


def as_if_written(path: str, text: str, world: World) -> tuple[ToolFinished, Diffs]:
    """The event and the diff of somebody writing this whole file."""
    now = world.analysis.event
    call = ToolCall(id="recheck", tool="Write", action="write", paths=(path,), edits=(TextEdit("", text),))
    event = ToolFinished(session=now.session, agent=now.agent, cwd=now.cwd, time=now.time, call=call, outcome="done")
    return event, (whole_file(path, text),)


def whole_file(path: str, text: str) -> Diff:
    lines = text.count("\n") + (not text.endswith("\n"))
    return Diff(path=path, after=text, before=None, added=((1, lines),) if text else ())


def _same(other: Finding, finding: Finding) -> bool:
    return other.fingerprint == finding.fingerprint and not (other.signal and other.signal.log_only)
