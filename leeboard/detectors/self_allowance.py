"""The agent loosening its own guard.

## What it catches
A shell line of the agent that runs `leeboard allow`, `leeboard scope widen`, `leeboard uninstall` or `leeboard init`.

## Why it matters
Only people loosen. An agent that may widen its own scope has none.

## Example
`leeboard scope widen src/ --reason "needed"` in a Bash call.

## Known limits
It recognises the command by its name in the line, also behind `python -m leeboard`, an absolute path or a wrapper. A
script that calls it is not seen here; the command itself refuses to run where it finds itself inside an agent.
"""

from __future__ import annotations

from collections.abc import Iterator

from leeboard.model.event import ToolProposed
from leeboard.model.pattern import lazy
from leeboard.model.verdict import Evidence, Finding
from leeboard.model.world import World
from leeboard.rule import Rule, Sample

RULE = Rule(summary="the agent loosening its own guard", denies=True)

FIRES = (
    Sample(name="allow", lines=("@ fix a.py", "$ leeboard allow scope_drift --path src/ --reason x")),
    Sample(
        name="through the module", lines=("@ fix a.py", "$ cd /x && python3 -m leeboard scope widen src/ --reason x")
    ),
)
SILENT = (
    Sample(name="showing is fine", lines=("@ fix a.py", "$ leeboard scope")),
    Sample(name="a word in a search", lines=("@ fix a.py", "$ grep -rn 'leeboard' docs")),
)

_LOOSENS = lazy(
    r"(?:^|[\s/;&|(`])leeboard(?:\s+--?[\w-]+(?:=\S+)?)*\s+(?:allow|uninstall|init|scope\s+(?:widen|narrow|reset))\b"
)


def detect(event: ToolProposed, world: World) -> Iterator[Finding]:
    """One finding for the line."""
    found = _LOOSENS.search(world.analysis.command) if event.call.action == "bash" else None
    if found:
        text = "only the user may widen the scope or allow a finding"
        yield Finding(
            rule="self_allowance",
            subject=" ".join(found.group().split()),
            evidence=(Evidence(text, -8),),
            cap=2,
            remedy="ask the user, and let them run the command",
        )
