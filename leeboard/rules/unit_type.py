"""A unit of a type its stage does not have, or under a name that is no unit's.

## What it catches
A write or an edit of a unit file whose `type`, as the file is read, is none of the `unit_types` its stage lists; and a
new file among the units that is not named `unit-NN-short-name.md`.

## Why it matters
A stage's hats and reviewers are made for its kinds of units. What is of another kind belongs into another stage. The
number in a unit's name is its order, and the engine takes no unit without one.

## Example
The stage `design` has the types `mockup` and `flow`; a unit is written with `type: backend`.

## Known limits
A stage without `unit_types` takes any. A unit that names no type yet, and what a script writes or renames, is found
when the stage is validated. A file that is there already may be edited under any name.
"""

from __future__ import annotations

from collections.abc import Iterator

from leeboard.model.event import ToolProposed
from leeboard.model.touch import Diffs
from leeboard.model.verdict import Evidence, Finding
from leeboard.model.workspace import PlanPath, plan_path
from leeboard.model.world import World
from leeboard.plan.guards.words import next_call
from leeboard.rule import Rule, Sample

RULE = Rule(
    code="LB-G003",
    channel="guard",
    denies=True,
    summary="a unit of a type its stage does not have, or with a wrong name",
)

_UNIT = ".haiku/intents/login/stages/build/units/unit-02-mail.md"
FIRES = (
    Sample(
        name="not one of them",
        lines=(
            'plan phase = "elaborate"',
            'plan unit_types = ["feature", "fix"]',
            "repo a.py | x",
            f"write {_UNIT} | ---\ntitle: Mail\ntype: mockup\n---\n- [ ] sent\n",
        ),
    ),
    Sample(
        name="no unit's name",
        lines=(
            'plan phase = "elaborate"',
            "repo a.py | x",
            "write .haiku/intents/login/stages/build/units/mail.md | ---\ntitle: Mail\n---\n- [ ] sent\n",
        ),
    ),
    Sample(
        name="through the shell",
        lines=(
            'plan phase = "elaborate"',
            'plan unit_types = ["feature"]',
            "repo a.py | x",
            f"$ cat > {_UNIT} <<'EOF'\n---\ntype: mockup\n---\nEOF",
        ),
    ),
)
SILENT = (
    Sample(
        name="one of them",
        lines=(
            'plan phase = "elaborate"',
            'plan unit_types = ["feature", "fix"]',
            "repo a.py | x",
            f"write {_UNIT} | ---\ntype: fix\n---\n",
        ),
    ),
    Sample(
        name="without a type",
        lines=('plan phase = "elaborate"', 'plan unit_types = ["fix"]', f"write {_UNIT} | ---\ntitle: x\n---\n"),
    ),
    Sample(name="any type will do", lines=('plan phase = "elaborate"', f"write {_UNIT} | ---\ntype: mockup\n---\n")),
)


def detect(event: ToolProposed, world: World, diffs: Diffs) -> Iterator[Finding]:
    """One finding for each unit file."""
    for diff in diffs:
        place = plan_path(diff.path) if diff.path else None
        if place and place.kind == "unit" and diff.is_new and _is_misnamed(place, world):
            yield _misnamed(diff.path, world)
            continue
        types = _types(place, world) if place and place.kind == "unit" else ()
        if not types or place is None or diff.fragment:
            continue
        from leeboard.plan.files.files import parse_unit  # noqa: PLC0415 - reads YAML, for units only

        found = parse_unit(diff.after, place.name, place.stage).type
        if found and found not in types:
            yield _finding(diff.path, found, types, world)


def _is_misnamed(place: PlanPath, world: World) -> bool:
    from leeboard.plan.files.files import unit_number  # noqa: PLC0415 - as above

    return bool(world.plan and world.plan.intent.slug == place.slug and unit_number(place.name) is None)


def _misnamed(path: str, world: World) -> Finding:
    form = "unit-NN-short-name.md, in lower case with a number of its own, as in unit-03-send-mail.md"
    return Finding(
        rule="unit_type",
        subject=path,
        evidence=(Evidence(f"{path} is not a valid unit name: units are named {form}", -8),),
        cap=2,
        path=path,
        message=f"{path} is not a valid unit name, and the engine would not accept it: units are named {form}.",
        remedy=f"give it such a name; {next_call(world.plan)}",
    )


def _types(place: PlanPath, world: World) -> tuple[str, ...]:
    plan = world.plan
    stage = plan.stage(place.stage) if plan and plan.intent.slug == place.slug else None
    return stage.spec.unit_types if stage else ()


def _finding(path: str, found: str, types: tuple[str, ...], world: World) -> Finding:
    known = ", ".join(types)
    return Finding(
        rule="unit_type",
        subject=path,
        evidence=(Evidence(f"{path} has the type {found}; its stage has {known}", -8),),
        cap=2,
        path=path,
        message=f"{path} has the type {found}, which its stage does not have: {known}.",
        remedy=f"give it one of these types, or leave it for a stage that has {found}; {next_call(world.plan)}",
    )
