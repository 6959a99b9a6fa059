"""More files changed than the contract has room for.

## What it catches
The number of changed files since the work began is above the contract's `max_files`; at twice the number it is an
error. Commits since the start count as much as what is staged, unstaged or untracked.

## Why it matters
A change that grows past what was planned is no longer the change somebody said yes to, and is reviewed badly.

## Example
`max_files = 25`, and the work tree differs from its base in 26 files.

## Known limits
A renamed file and a submodule count as one file each. Generated and vendored files count too: they have to be looked at
even though their lines are nobody's work. What another task in progress may touch is left out. Without
`max_files`, and in the mode `explore`, there is no limit.
"""

from __future__ import annotations

from collections.abc import Iterator

from leeboard.model.event import TreeChecked
from leeboard.model.verdict import FAILED, WARNED, Evidence, Finding
from leeboard.model.world import World
from leeboard.rule import Countersteer, Rule, Sample

RULE = Rule(
    code="LB-S014",
    summary="more files changed than the contract has room for",
    order=6,
    countersteer=Countersteer(
        action="split the task or raise its budget",
        rationale="a change this large is no longer the one that was agreed on",
    ),
)

FIRES = (
    Sample(
        name="one above the limit",
        lines=("contract max_files = 1", "write src/a.py | x = 1", "write src/b.py | x = 1", "check"),
    ),
)
SILENT = (
    Sample(name="at the limit", lines=("contract max_files = 1", "write src/a.py | x = 1", "check")),
    Sample(
        name="no limit",
        lines=("contract max_loc = 9", "write src/a.py | x = 1", "write src/b.py | x = 1", "check"),
    ),
    Sample(
        name="exploring",
        lines=('contract mode = "explore"', "contract max_files = 0", "write src/a.py | x = 1", "check"),
    ),
)


def detect(event: TreeChecked, world: World) -> Iterator[Finding]:
    """At most one finding."""
    contract = world.held.contract if world.held else None
    if contract is None or contract.max_files is None or contract.mode == "explore":
        return
    own = [change for change in event.change.files if change.path not in event.shared]
    changed, limit = len(own), contract.max_files
    if changed > limit:
        text = f"{changed} files changed, {limit} planned"
        yield Finding(
            rule="churn_files",
            subject="files",
            evidence=(Evidence(text, FAILED if changed >= 2 * limit else WARNED),),
            message=f"{text}.",
            remedy="finish or split off what is there before changing more files",
        )
