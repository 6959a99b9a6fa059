"""A change to a file that nothing in the session led to.

## What it catches
The agent changes, creates or deletes a file, through an edit or a shell line, although neither the user's words nor a
search, a failing run, the plan, work done beside it or the same names pointed there. Some thirty such facts are weighed
by curves that were fitted on recorded sessions with another task's edits set in (`leeboard/data/judge/goal.toml`), each
compared with what is usual in the session itself. What an order lists beside the files it names ("a settings module, a
health endpoint, tests and a CI workflow") is part of it.

The weight of a file is the log odds that it is no part of the work. Above a half it is in doubt: recorded at score 8,
and no lead to other files. The evidence of a run of doubts is the heaviest and four tenths of the next three; each
change that belongs lets it fade, and a new request ends it. When it reaches what the table says, the change is spoken
of: 7 beside the work, 6 in another folder of the module, 5 where nothing is shared, one milder while the evidence is
only just enough. What of the run was only recorded until then is named with it. One change alone seldom is enough,
unless nothing whatever ties an old file to the work.

## Why it matters
Work nobody asked for has to be found, understood and undone by somebody who did not expect it.

## Example
The user says "fix the auth bug". The agent edits `src/auth/token.ts`, then `src/billing/invoice.ts`, which nothing
mentioned, read or imported.

## Known limits
Until the first edit after a human message nothing is known of where the work lies, so that edit is not judged unless
the user named a place. A new file can not have been found or read before, so of new files it takes several. A file that
lies beside the work and speaks of the same names is hard to tell from the work. Files outside the work tree are left
alone. Of a long order only what its first 400 characters list is known. What a script changes can not be told
beforehand; it is judged when the tree is compared afterwards.
"""

from __future__ import annotations

from collections.abc import Iterator

from leeboard.analysis.relation import Relation, Relations
from leeboard.analysis.ties.weight import goal_table
from leeboard.model.event import FilesChanged, ToolProposed, TreeChecked
from leeboard.model.verdict import WARNED, Evidence, Finding
from leeboard.model.world import World
from leeboard.rule import Countersteer, Rule, Sample

RULE = Rule(
    code="LB-S001",
    permit="widen",
    about_place=True,
    only_where="stray",
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
_DOUBT = -2
_DELTA = {"inside": -3, "folder": -3, "module": -4, "far": -5}
_JUST = 0.5
"""Evidence that is only just enough takes one less."""
_SHOWN = 0.005
_UNTIED = "nothing clearly ties it to the work, or an earlier change of it was in doubt already"
"""What lifts a weight above the sum of its reasons."""
_TOLD = 3
"""Facts that are told; all of them are in the trace."""


def detect(event: ToolProposed | FilesChanged | TreeChecked, world: World, relations: Relations) -> Iterator[Finding]:
    """One finding for each changed path that hardly anything led to, once it is known where the work lies."""
    if isinstance(event, TreeChecked):
        yield from map(_left_behind, event.strayed)
        return
    if not anchored(world) or (isinstance(event, FilesChanged) and len(relations) > _MASS):
        return
    for relation in relations.values():
        if not relation.belongs and not relation.path.startswith(PLAN):
            yield _finding(relation)


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


def _finding(relation: Relation) -> Finding:
    delta = _DOUBT
    if relation.strays:
        just = relation.evidence < goal_table().speak + _JUST
        delta = min(-3, _DELTA[relation.distance] + just)
    told = "; ".join(relation.against[:_TOLD]) or "hardly anything led to it"
    table = goal_table()
    weighed = (
        f"doubt about this file {relation.weight:.2f}, the sum below; about all recent changes together "
        f"{relation.evidence:.2f}, and from {table.speak:.2f} on the agent is told"
    )
    rest = relation.weight - table.bias - sum(reason.weight for reason in relation.told)
    return Finding(
        rule="scope_drift",
        subject=relation.path,
        evidence=(
            Evidence(f"{relation.path}: {told}", delta),
            Evidence(weighed),
            Evidence(f"{table.bias:+.2f} what any change starts with"),
            *(Evidence(f"{reason.weight:+.2f} {reason.text}") for reason in relation.told),
            *((Evidence(f"{rest:+.2f} {_UNTIED}"),) if rest >= _SHOWN else ()),
            *(Evidence(f"the run began with {path}", about=path) for path in relation.run if relation.strays),
        ),
        remedy=f"leave {relation.path} alone unless the goal needs it (undo the change if it was made)",
    )
