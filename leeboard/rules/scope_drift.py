"""A change to a file that nothing in the session led to.

## What it catches
The agent changes, creates or deletes a file, through an edit or a shell line, although neither the user's words nor a
search, a failing run, an import, the plan, or work done beside it pointed there. The more that ties a file to the work,
the higher the score: in scope, its test or an import 9 to 10, the same folder 7, another folder of the module 6, and 5
where nothing at all is shared. What an order lists beside the files it names ("a settings module, a health endpoint,
tests and a CI workflow") is part of it: told by the kind of place and by the names the edit defines.

## Why it matters
Work nobody asked for has to be found, understood and undone by somebody who did not expect it.

## Example
The user says "fix the auth bug". The agent edits `src/auth/token.ts`, then `src/billing/invoice.ts`, which nothing
mentioned, read or imported.

## Known limits
Until the first edit after a human message nothing is known of where the work lies, so that edit is not judged unless
the user named a place. A file that the agent merely read shortly before does not become part of the work by that
alone, unless it lies in a folder it works in or was read before the first edit. Files outside the work tree are left
alone. Of a long order only what its first 400 characters list is known. What a script changes can not be told
beforehand; it is judged when the tree is compared afterwards.
"""

from __future__ import annotations

from collections.abc import Iterator

from leeboard.analysis.relation import Relation, Relations
from leeboard.model.event import FilesChanged, ToolProposed, TreeChecked
from leeboard.model.verdict import WARNED, Evidence, Finding
from leeboard.model.world import World
from leeboard.rule import Countersteer, Rule, Sample

RULE = Rule(
    code="LB-S001",
    permit="widen",
    about_place=True,
    summary="a change to a file that nothing in the session led to",
    detail="strayed",
    order=3,
    countersteer=Countersteer(
        action="undo what nobody asked for, or write down that it belongs to the work",
        rationale="work nobody asked for has to be found by somebody who did not expect it",
        commands=("leeboard contract start --goal GOAL --touch GLOB",),
    ),
)

FIRES = (
    Sample(
        name="another subsystem",
        lines=("@ fix the auth bug", "edit src/auth/token.ts", "edit src/billing/invoice.ts"),
    ),
    Sample(
        name="through the shell",
        lines=("@ fix the auth bug", "edit src/auth/token.ts", "$ sed -i s/a/b/ src/billing/invoice.ts"),
    ),
)
SILENT = (
    Sample(name="in scope", lines=("@ fix the bug in src/auth/token.ts", "edit src/auth/token.ts")),
    Sample(
        name="a search led there",
        lines=(
            "@ fix the auth bug",
            "edit src/auth/token.ts",
            "grep verify -> src/billing/invoice.ts:3: verify()",
            "read src/billing/invoice.ts",
            "edit src/billing/invoice.ts",
        ),
    ),
    Sample(
        name="its test",
        lines=("@ fix the auth bug", "edit src/auth/token.ts", "edit tests/auth/token.test.ts"),
    ),
    Sample(
        name="the order lists it beside a file",
        lines=(
            "@ Add a Dockerfile for the service, a health endpoint, and a CI workflow",
            "write Dockerfile | FROM python:3.12",
            "edit app/views.py | def index(): => def health(): pass",
            "write .github/workflows/ci.yml | on: push",
        ),
    ),
    Sample(
        name="the user asked for it since",
        lines=(
            "@ fix the auth bug",
            "edit src/auth/token.ts",
            "@ now the invoice total too",
            "edit src/billing/invoice.ts",
        ),
    ),
)

PLAN = ".haiku/"
"""Files of a workflow: what may be changed there is for its own rules to say."""
_MASS = 5
"""A script that changes more files than this at once is a formatter, a generator, a checkout: not a choice of files."""
_DELTA = {"inside": -2, "folder": -3, "module": -4, "far": -5}
_DOUBT = -2
_WHERE = {
    "inside": "has little to do with the work",
    "folder": "is next to the work, but little in the session led to it",
    "module": "is in a part of the module that little in the session led to",
    "far": "is in a place this session had no reason to go",
}


def detect(event: ToolProposed | FilesChanged | TreeChecked, world: World, relations: Relations) -> Iterator[Finding]:
    """One finding for each changed path that hardly anything led to, once it is known where the work lies."""
    if isinstance(event, TreeChecked):
        yield from map(_left_behind, event.strayed)
        return
    if not anchored(world) or (isinstance(event, FilesChanged) and len(relations) > _MASS):
        return
    for relation in relations.values():
        if not relation.belongs and not relation.path.startswith(PLAN):
            yield _finding(relation, world)


def _left_behind(path: str) -> Finding:
    """What a session did where it had no business, and nobody took back."""
    text = f"{path} was changed, though little in what was asked led to it"
    return Finding(
        rule="scope_drift",
        subject=path,
        evidence=(Evidence(text, WARNED),),
        path=path,
        message=f"{text}.",
        remedy=f"undo the change to {path} unless the goal needs it",
    )


def anchored(world: World) -> bool:
    """Whether it is known where the work lies: the user named a place, or something was changed already."""
    return bool(world.session.goals) and bool(world.agent.edits or world.contract.scope)


def _finding(relation: Relation, world: World) -> Finding:
    spoken_of = relation.strays(world.agent.strays)
    ties = f" (only: {'; '.join(relation.ties)})" if relation.ties else ""
    against = "".join(f", and was {text}" for text in relation.against)
    delta = _DELTA[relation.distance] if spoken_of else _DOUBT
    return Finding(
        rule="scope_drift",
        subject=relation.path,
        evidence=(Evidence(f"{relation.path} {_WHERE[relation.distance]}{against}{ties}", delta),),
        remedy=f"leave {relation.path} alone unless the goal needs it (undo the change if it was made)",
    )
