"""An agent writing what only the workflow's engine writes.

## What it catches
An edit, a write or a shell line that changes fields of `intent.md`, a stage's `state.json`, a unit or a feedback file
which belong to the engine (status, phase, hat, bolt, times, outcomes and so on), deletes one of these files, or writes
the records beside them: rulings, user turns, gate runs, seals, logs; and a line that runs the hooks' own program to
the same end. Files are compared as they are read, before and
after: a body that speaks of a status, a changed order or other quotes are fine. A shell line whose effect on such a
file can not be foretold is refused too.

## Why it matters
The engine knows what the files say and nothing else. An agent that writes `status: completed` has skipped the gate.

## Example
`sed -i 's/^status: active/status: completed/' .haiku/intents/login/stages/build/units/unit-01-form.md`

## Known limits
Globs, `find`, `xargs` and links are followed as far as they lead to files of the active intent. A script that finds the
files by itself is not seen here; the seal over these fields shows it at the next tick. A new
unit may carry the values every unit starts with. Pending units may be deleted. `git checkout` of a whole branch is not
judged.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from leeboard.model.event import ToolProposed
from leeboard.model.lookup import Files
from leeboard.model.plan import Plan
from leeboard.model.text import lazy
from leeboard.model.touch import Diff, Diffs, Touch
from leeboard.model.verdict import Evidence, Finding
from leeboard.model.workspace import PlanPath, plan_path
from leeboard.model.world import World
from leeboard.plan.guards.words import next_call
from leeboard.rule import Rule, Sample
from leeboard.shell.effects import shell_effects

if TYPE_CHECKING:
    from leeboard.plan.files.state import Kind

RULE = Rule(
    code="LB-G002",
    channel="guard",
    denies=True,
    summary="an agent writing what only the workflow's engine writes",
)

_UNIT = ".haiku/intents/login/stages/build/units/unit-01-form.md"
_OTHER = ".haiku/intents/login/stages/build/units/unit-02-mail.md"
_STATE = ".haiku/intents/login/stages/build/state.json"
_TEXT = "---\ntitle: Form\nstatus: active\nhat: builder\nbolt: 1\n---\n- [ ] it works\n"
FIRES = (
    Sample(
        name="a status by an edit",
        lines=(
            'plan phase = "execute"',
            f"repo {_UNIT} | {_TEXT}",
            f"edit {_UNIT} | status: active => status: completed",
        ),
    ),
    Sample(
        name="through the shell",
        lines=('plan phase = "execute"', f"repo {_UNIT} | {_TEXT}", f"$ sed -i s/active/completed/ {_UNIT}"),
    ),
    Sample(
        name="a phase by a write",
        lines=(
            'plan phase = "elaborate"',
            f'repo {_STATE} | {{"status": "active", "phase": "elaborate"}}',
            f'write {_STATE} | {{"status": "active", "phase": "gate"}}',
        ),
    ),
    Sample(
        name="a forged ruling",
        lines=('plan phase = "gate"', "$ echo '{}' >> .haiku/intents/login/stages/build/rulings.jsonl"),
    ),
    Sample(
        name="a turn of the user made up",
        lines=('plan phase = "elaborate"', '$ echo \'{"hook_event_name": "UserPromptSubmit"}\' | leeboard hook'),
    ),
    Sample(name="the plan deleted", lines=('plan phase = "execute"', "$ rm -rf .haiku/intents/login")),
)
SILENT = (
    Sample(
        name="no workflow", lines=(f"repo {_UNIT} | {_TEXT}", f"edit {_UNIT} | status: active => status: completed")
    ),
    Sample(
        name="a criterion ticked off",
        lines=('plan phase = "execute"', f"repo {_UNIT} | {_TEXT}", f"edit {_UNIT} | - [ ] it => - [x] it"),
    ),
    Sample(
        name="the body speaks of a status",
        lines=(
            'plan phase = "execute"',
            f"repo {_UNIT} | {_TEXT}",
            f"edit {_UNIT} | it works => the status: line works",
        ),
    ),
    Sample(
        name="a new unit",
        lines=(
            'plan phase = "elaborate"',
            "repo a.py | x",
            f"write {_OTHER} | ---\ntitle: Mail\nstatus: pending\n---\n- [ ] sent\n",
        ),
    ),
    Sample(name="looking", lines=('plan phase = "execute"', f"repo {_UNIT} | {_TEXT}", f"$ cat {_UNIT}")),
)

_NAMED = lazy(r"\.haiku/intents/[\w.*-]{1,60}/(?:intent\.md|stages/[\w.*-]{1,60}/(?:state\.json|units/[\w.*-]{1,80}))")
_LINE_KEY = lazy(r"^[ \t]{0,4}\"?([a-z_]{2,40})\"?[ \t]*:")
_TOOLS = {
    "intent": "the `haiku_intent_*` tools and `haiku_run_next`",
    "stage": "`haiku_run_next`",
    "unit": "`haiku_unit_advance_hat`, `haiku_unit_reject_hat` and `haiku_unit_increment_bolt`",
    "feedback": "the `haiku_feedback_*` tools",
}
_TAKEN_AWAY = {
    "delete": "the workflow relies on it",
    "restore": "an older state of it is not where the workflow is now",
}
_UNFORESEEN = "nobody can tell beforehand what this line does to it"


def detect(event: ToolProposed, world: World, diffs: Diffs, files: Files) -> Iterator[Finding]:
    """One finding for each file."""
    touched: dict[str, str] = {}
    for path, kind in (*_named(world, diffs), *_by_line(event, world), *_by_patch(event, world, files)):
        touched.setdefault(path, kind)
    if event.call.action == "bash" and _speaks_as_client(event):
        yield _impostor(world)
    for path, kind in touched.items():
        place = plan_path(path)
        why = _why(place, kind, tuple(diff for diff in diffs if diff.path == path), world) if place else ""
        if place and why:
            yield _finding(path, place, why, world)


def _named(world: World, diffs: Diffs) -> Iterator[tuple[str, str]]:
    yield from ((touch.path, touch.kind) for touch in world.analysis.touches if touch.modifies)
    yield from ((diff.path, "write") for diff in diffs if diff.path)


def _by_line(event: ToolProposed, world: World) -> Iterator[tuple[str, str]]:
    """What a shell line names where nobody can tell all that it does, and what it reaches without naming it."""
    if event.call.action != "bash":
        return
    if world.analysis.opaque:
        yield from ((world.workspace.spell(named, event.cwd), "write") for named in _NAMED.findall(event.call.command))
    if world.plan is not None:
        reached = _reached(event, world.plan, world)
        yield from ((world.workspace.spell(touch.path), touch.kind) for touch in reached)


def _reached(event: ToolProposed, plan: Plan, world: World) -> tuple[Touch, ...]:
    from leeboard.plan.guards.reach import plan_files, reached  # noqa: PLC0415 - for shell lines in a workflow only

    return reached(event.call.command, event.cwd or world.workspace.root, plan_files(plan, world.plan_root))


def _by_patch(event: ToolProposed, world: World, files: Files) -> Iterator[tuple[str, str]]:
    if event.call.action != "bash" or not world.analysis.opaque or world.plan is None:
        return
    from leeboard.shell.patch import PatchDisk, patches_of  # noqa: PLC0415 - for shell lines in a workflow only

    spell = world.workspace.spell
    disk = PatchDisk(world.plan_root, lambda path: files.text(spell(path)))
    for patch in patches_of(event.call.command, event.cwd or world.workspace.root, disk):
        yield from ((spell(path), "write") for path in patch.paths or ())


def _speaks_as_client(event: ToolProposed) -> bool:
    from leeboard.shell.own_command import speaks_as_client  # noqa: PLC0415 - for shell lines only

    return speaks_as_client(shell_effects(event.call.command, event.cwd))


def _why(place: PlanPath, kind: str, diffs: Diffs, world: World) -> str:
    """What is wrong with it; empty where nothing is."""
    if place.kind == "material" or (kind == "delete" and _may_go(place, world)):
        return ""
    if place.kind == "folder":
        return "the files of a workflow are in it" if _is_current(place, world) else ""
    if place.kind == "log":
        return "it is a record that the engine and the hooks keep"
    if kind in _TAKEN_AWAY:
        return _TAKEN_AWAY[kind]
    if not diffs:
        return _UNFORESEEN
    changed = dict.fromkeys(name for diff in diffs for name in _changed(place.kind, diff))
    return f"it changes {', '.join(changed)}, which only the engine writes" if changed else ""


def _is_current(place: PlanPath, world: World) -> bool:
    return world.plan is not None and place.slug in {"", world.plan.intent.slug}


def _may_go(place: PlanPath, world: World) -> bool:
    """A unit nobody has begun may be taken back."""
    if place.kind != "unit":
        return False
    plan = world.plan if world.plan and world.plan.intent.slug == place.slug else None
    stage = plan.stage(place.stage) if plan else None
    unit = stage.unit(place.name) if stage else None
    return unit is None or unit.status == "pending"


def _changed(kind: Kind, diff: Diff) -> tuple[str, ...]:
    from leeboard.plan.files.state import protected  # noqa: PLC0415 - reads YAML, for files of a workflow only

    if diff.fragment or diff.before is None:
        return _named_fields(kind, diff)
    return protected(kind, diff.before, diff.after)


def _named_fields(kind: Kind, diff: Diff) -> tuple[str, ...]:
    """By the lines that are new or gone, where nobody knows the whole file."""
    from leeboard.plan.files.state import ENGINE_FIELDS  # noqa: PLC0415 - as above

    removed = diff.removed.split("\n")
    lines = {*diff.after.split("\n"), *removed} if diff.fragment else set(diff.after.split("\n"))
    keys = (found[1] for line in sorted(lines) if (found := _LINE_KEY.match(line)))
    return tuple(dict.fromkeys(key for key in keys if key in ENGINE_FIELDS[kind]))


def _impostor(world: World) -> Finding:
    return Finding(
        rule="fsm_fields",
        subject="leeboard hook",
        evidence=(Evidence("the hooks' own program, run by the agent, would put words into the user's mouth", -8),),
        cap=2,
        message="The hooks are run by the client alone: what they put on record has to come from it and from the user.",
        remedy=f"{next_call(world.plan)}; where the workflow waits for the user, ask the user",
    )


def _finding(path: str, place: PlanPath, why: str, world: World) -> Finding:
    tools = _TOOLS.get(place.kind, "`haiku_run_next`")
    return Finding(
        rule="fsm_fields",
        subject=path,
        evidence=(Evidence(f"{path}: {why}", -8),),
        cap=2,
        path=path,
        message=f"{path} is not changed this way: {why}.",
        remedy=(
            f"change its text with an edit tool, and leave the rest to {tools}; {next_call(world.plan)}"
            if why == _UNFORESEEN
            else f"leave that to {tools}; {next_call(world.plan)} to see what is next"
        ),
    )
