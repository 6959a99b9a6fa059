"""More lines changed than the contract has room for.

## What it catches
Added and deleted lines since the work began are together above the contract's `max_loc`; at twice the number it is an
error. Every line counts once, whether it is committed, staged, unstaged or in a file git does not know yet.

## Why it matters
Nobody reads the two thousandth line of a change as well as the first hundred.

## Example
`max_loc = 800`, and a new module of 700 lines comes with 150 lines of changes elsewhere.

## Known limits
Lines of generated, vendored and lock files, and binaries, do not count. A changed line is one deleted and one added.
What another task in progress may touch is left out. Without `max_loc`, and in the mode `explore`, there is no limit.
"""

from __future__ import annotations

from collections.abc import Iterator

from leeboard.model.event import TreeChecked
from leeboard.model.verdict import FAILED, WARNED, Evidence, Finding
from leeboard.model.world import World
from leeboard.rule import Countersteer, Rule, Sample

RULE = Rule(
    code="LB-S015",
    summary="more lines changed than the contract has room for",
    order=7,
    countersteer=Countersteer(
        action="split the task or raise its budget",
        rationale="a change this large is no longer the one that was agreed on",
    ),
)

FIRES = (
    Sample(name="one above the limit", lines=("contract max_loc = 1", "write src/a.py | x = 1\ny = 2", "check")),
    Sample(
        name="a changed line is two",
        lines=("contract max_loc = 1", "repo src/a.py | x = 1", "write src/a.py | x = 2", "check"),
    ),
)
SILENT = (
    Sample(name="at the limit", lines=("contract max_loc = 2", "write src/a.py | x = 1\ny = 2", "check")),
    Sample(name="a lock file", lines=("contract max_loc = 1", "write package-lock.json | {\n}\n", "check")),
    Sample(
        name="exploring",
        lines=('contract mode = "explore"', "contract max_loc = 0", "write src/a.py | x = 1", "check"),
    ),
)


def detect(event: TreeChecked, world: World) -> Iterator[Finding]:
    """At most one finding."""
    contract = world.held.contract if world.held else None
    if contract is None or contract.max_loc is None or contract.mode == "explore":
        return
    own = (change for change in event.change.files if change.path not in event.shared)
    changed, limit = sum(change.loc for change in own), contract.max_loc
    if changed > limit:
        text = f"{changed} lines changed, {limit} planned"
        yield Finding(
            rule="churn_loc",
            subject="lines",
            evidence=(Evidence(text, FAILED if changed >= 2 * limit else WARNED),),
            message=f"{text}.",
            remedy="finish or split off what is there before writing more",
        )
