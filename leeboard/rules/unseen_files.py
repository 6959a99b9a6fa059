"""Files of the work tree that nobody looked at.

## What it catches
A tracked file that git was told to take for unchanged (`git update-index --assume-unchanged` or `--skip-worktree`)
though it is there, and a folder that could not be opened. A drift report calls it `not_analysed`.

## Why it matters
What was not looked at may be anything. A check that passes it over would be green by not looking.

## Example
`git update-index --assume-unchanged config.py`, and then `config.py` is edited.

## Known limits
What a sparse checkout left out is not in the tree and is not told. Files that git ignores are nobody's work here. A
clean filter of the repository can make a changed file look unchanged to git; that is not noticed.
"""

from __future__ import annotations

from collections.abc import Iterator

from leeboard.model.event import TreeChecked
from leeboard.model.verdict import WARNED, Evidence, Finding
from leeboard.model.world import World
from leeboard.rule import Countersteer, Rule, Sample

RULE = Rule(
    code="LB-S019",
    summary="files in the work tree that were not checked",
    kind="not_analysed",
    detail="unseen",
    order=13,
    countersteer=Countersteer(
        action="have git look at every file again",
        rationale="a file that was not checked may hold anything",
        commands=("git update-index --no-assume-unchanged --no-skip-worktree PATH",),
    ),
)

FIRES = (
    Sample(name="git was told not to look", lines=('contract objective = "x"', "repo a.py | x", "check unseen a.py")),
)
SILENT = (Sample(name="all was seen", lines=('contract objective = "x"', "repo a.py | x", "check")),)

MOST = 100


def detect(event: TreeChecked, world: World) -> Iterator[Finding]:
    """One finding for each path."""
    for path in event.change.unseen[:MOST]:
        text = f"{path} was not checked: git was told to assume it unchanged, or could not open it"
        yield Finding(
            rule="unseen_files",
            subject=path,
            evidence=(Evidence(text, WARNED),),
            path=path,
            message=f"{text}.",
            remedy=f"have git look at {path} again",
        )
