"""Work of a kind the goal does not speak of: styling in an auth task.

## What it catches
A change to a file whose area (auth, data, style, ui, backend, infra and so on, told by its path) has nothing in common
with the areas the user's words speak of, when nothing else led to the file either.

## Why it matters
A different kind of work is the clearest sign that the agent follows its own idea of what should be done.

## Example
The user says "fix auth bug"; the agent edits `src/styles/theme.css`.

## Known limits
Tests, docs, build files, dependencies, translations and assets go along with any work and are never a tangent. A goal
without a word that names an area has no tangents. Before the first edit, when only the words are known, it takes a
file to which nothing at all leads, and is never louder than a nudge.
"""

from __future__ import annotations

from collections.abc import Iterator

from leeboard.analysis.relation import Relations
from leeboard.model.event import FilesChanged, ToolProposed
from leeboard.model.verdict import Evidence, Finding
from leeboard.model.world import World
from leeboard.rule import Rule, Sample

RULE = Rule(
    code="LB-S002",
    permit="widen",
    about_place=True,
    only_where="area",
    summary="work of a kind the goal does not mention",
)

FIRES = (
    Sample(
        name="styling in an auth task",
        lines=("@ fix auth bug", "edit src/auth/token.ts", "edit src/styles/theme.css"),
    ),
)
SILENT = (
    Sample(name="the same area", lines=("@ fix auth bug", "edit src/auth/token.ts", "edit src/auth/session.ts")),
    Sample(name="docs go along", lines=("@ fix auth bug", "edit src/auth/token.ts", "edit docs/auth.md")),
    Sample(name="no area in the goal", lines=("@ make it faster", "edit src/parser.py", "edit src/theme.css")),
)


def detect(event: ToolProposed | FilesChanged, world: World, relations: Relations) -> Iterator[Finding]:
    """One finding for each changed path of an unrelated area that nothing else led to."""
    for relation in relations.values():
        anchored = bool(world.agent.edits or world.contract.scope)
        strays = relation.strays if anchored else not relation.belongs
        if not relation.unrelated_area or not strays:
            continue
        wanted = ", ".join(world.contract.areas[:3])
        text = f"{relation.path} is {relation.unrelated_area} work; the goal is about {wanted}"
        delta = -2 if anchored else -3
        yield Finding(rule="tangent", subject=relation.path, evidence=(Evidence(text, delta),))
