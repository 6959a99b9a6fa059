"""A change outside of what the contract lets the work touch.

## What it catches
A changed, created, deleted or renamed file that matches none of the contract's `touch` globs: before an edit or shell
line runs, after a script ran, and when the work tree is checked, commits since the start of the work included. A rename
counts with both names. The same breach has the same fingerprint wherever it is seen; a drift report calls it
`scope_drift`. It is an error where more than half of at least three changed files lie outside.

## Why it matters
The contract is what somebody agreed to review. What lies outside of it is seen by nobody until it breaks.

## Example
The contract says `touch = ["src/auth/**"]`; the agent changes `src/billing/invoice.py`.

## Known limits
Only contracts that somebody wrote down count: of a task, of `[contract]` in the settings, or given by `leeboard
contract start`. Without `touch`, and in the mode `explore`, nothing is outside. Globs begin at the repository's root;
`*` stays inside one folder, `**` crosses folders, `dir/` and `dir` mean all below, `!glob` takes away. What a person
asked for in so many words or let in is named as user-directed and is no drift. Where several tasks are in progress in
one tree, a file that another one may touch is named and blamed on nobody. Files that git ignores are not seen.
"""

from __future__ import annotations

from collections.abc import Iterator

from leeboard.model.contract import Contract
from leeboard.model.event import FilesChanged, ToolProposed, TreeChecked
from leeboard.model.text import matches
from leeboard.model.verdict import FAILED, TOLD, WARNED, Evidence, Finding
from leeboard.model.workspace import is_inside
from leeboard.model.world import World
from leeboard.rule import Countersteer, Rule, Sample

RULE = Rule(
    code="LB-S008",
    about_place=True,
    only_where="contract",
    summary="a change outside what the contract lets the work touch",
    kind="scope_drift",
    detail="out_of_scope",
    order=3,
    countersteer=Countersteer(
        action="revert out-of-scope changes or expand touch globs",
        rationale="nobody reviews what is outside the contract",
        priority="high",
        commands=("leeboard contract set-touch --task {task} GLOB...",),
    ),
)

FIRES = (
    Sample(
        name="an edit outside",
        lines=('contract touch = ["src/auth/**"]', "@ fix the auth bug", "edit src/billing/invoice.py | a => b"),
    ),
    Sample(
        name="in the tree",
        lines=('contract touch = ["src/**"]', "repo docs/a.md | old", "write docs/a.md | new", "check"),
    ),
    Sample(
        name="through the shell",
        lines=('contract touch = ["src/**"]', "@ fix it", "$ git mv src/a.py lib/a.py"),
    ),
)
SILENT = (
    Sample(
        name="inside",
        lines=('contract touch = ["src/auth/**"]', "@ fix the auth bug", "edit src/auth/token.py | a => b"),
    ),
    Sample(
        name="no globs",
        lines=('contract objective = "x"', "repo docs/a.md | old", "write docs/a.md | new", "check"),
    ),
    Sample(
        name="exploring",
        lines=(
            'contract mode = "explore"',
            'contract touch = ["src/**"]',
            "repo docs/a.md | old",
            "write docs/a.md | new",
            "check",
        ),
    ),
    Sample(
        name="the user asked for it",
        lines=('contract touch = ["src/**"]', "@ update docs/a.md too", "edit docs/a.md | a => b"),
    ),
    Sample(
        name="the task store itself",
        lines=('contract touch = ["src/**"]', "@ fix it", "write .workgraph/graph.jsonl | {}"),
    ),
)

STORES = (".workgraph/", ".wg/", ".leeboard/", ".haiku/", ".git/")
"""Where tasks and what is known of them are kept: never part of the work."""
_MANY, _SHARE = 3, 0.5


def detect(event: ToolProposed | FilesChanged | TreeChecked, world: World) -> Iterator[Finding]:
    """One finding for each path outside, oldest name first."""
    contract = world.held.contract if world.held else None
    if contract is None or not contract.touch or contract.mode == "explore":
        return
    touched = event.change.paths if isinstance(event, TreeChecked) else world.analysis.modified
    outside = [path for path in touched if _is_work(path) and not matches(path, contract.touch)]
    shared = event.shared if isinstance(event, TreeChecked) else ()
    directed = event.directed if isinstance(event, TreeChecked) else _asked_for(world)
    blamed = {path for path in outside if path not in shared and not matches(path, directed)}
    delta = FAILED if isinstance(event, TreeChecked) and _is_most(event, blamed) else WARNED
    for path in outside:
        if path in blamed:
            yield _finding(path, contract, delta)
        else:
            yield _named(path, "another task in progress may touch it" if path in shared else "user-directed")


def _is_work(path: str) -> bool:
    return is_inside(path) and not path.startswith(STORES)


def _asked_for(world: World) -> tuple[str, ...]:
    """What the person's own words named, all through the session."""
    return tuple(place for goal in world.session.goals for place in goal.scope)


def _is_most(event: TreeChecked, blamed: set[str]) -> bool:
    out = sum(1 for change in event.change.files if blamed.intersection(change.paths))
    return out >= _MANY and out > _SHARE * len(event.change.files)


def _finding(path: str, contract: Contract, delta: int) -> Finding:
    promised = ", ".join(contract.touch[:3]) + (", ..." if len(contract.touch) > 3 else "")
    text = f"{path} is outside the contract, which lets the work touch {promised}"
    return Finding(
        rule="file_scope",
        subject=path,
        evidence=(Evidence(text, delta),),
        path=path,
        message=f"{text}.",
        remedy=f"undo the change to {path}, or have the contract's touch globs widened",
    )


def _named(path: str, why: str) -> Finding:
    text = f"{path} is outside the contract: {why}"
    return Finding(
        rule="file_scope", subject=path, evidence=(Evidence(text, TOLD),), path=path, message=f"{text}.", remedy=""
    )
