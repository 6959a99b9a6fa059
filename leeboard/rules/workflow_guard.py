"""A change outside of the unit or stage that is at work.

## What it catches
An edit, a write or a shell line that changes files where the workflow is not: while units are worked on, anything
outside of the work tree of the agent's unit (for an agent that is in none, outside of those of all units at work);
while a stage elaborates, anything but the intent's own folder, the artifacts the stage has to bring forth and the
project's knowledge; at any time other intents, and the definitions of stages and the workflow's settings
(`.haiku/studios/`, `.haiku/settings.yml`), in units' work trees too. Files that a line reaches by a pattern, or by a
list of `find` or `grep`, count by the folder they lie in. What a script or a formatter changed is named afterwards.
And a shell line that takes work away: deleting `.haiku`, a unit's work tree or a `haiku/` branch; in the primary tree,
while the intent's branch is checked out, `git reset --hard`, `git stash` and `git clean` of everything, and leaving the
branch; in a unit's tree, leaving the unit's branch. And one that brings the work into a trunk (`git push . x:main`, a
merge in another work tree, `gh pr merge`): that somebody else did so is how the workflow knows of a review. And what
goes past git's own commands: writing git's own files (`.git/refs/`, `.git/HEAD`, `.git/config`, `.git/hooks/` and so
on), a git alias nobody can read, and a checkout or restore that brings back older settings, stages or plan files.

## Why it matters
Units run side by side. What one of them changes elsewhere is in no unit, meets no gate and is reviewed by nobody.

## Example
The stage elaborates; the agent already edits `src/login.py`.

## Known limits
Silent where no workflow is active, in review and at a gate, and for files outside of the repository. Without git units
are worked on in place, and the whole tree is theirs. A unit's `touch` globs inside its work tree are `file_scope`'s
matter. Reading git, single files and other work trees are free, and so is a unit's own tree. Which agent has which unit
is told by the folder it runs in, else by the first unit a sub-agent wrote for. A linked work tree that belongs to no
unit is not part of the workflow. Patches (`git apply`, `patch`) are judged by the files they name where they lie in the
repository or stand in the line; of others nobody can tell. What git ignores in the primary tree is free, but for names
with a dot. Aliases that stand in git's settings already, or come by variables of the environment, are not looked up.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from leeboard.model.event import FilesChanged, ToolProposed
from leeboard.model.lookup import Files
from leeboard.model.plan import Plan, StageView
from leeboard.model.verdict import Evidence, Finding
from leeboard.model.workspace import INTENTS, from_top, plan_path, worktree_of
from leeboard.model.world import World
from leeboard.plan.guards.words import next_call, standing_of
from leeboard.rule import Rule, Sample
from leeboard.shell.effects import shell_effects

if TYPE_CHECKING:
    from leeboard.shell.patch import PatchCommand

RULE = Rule(
    code="LB-G001",
    channel="guard",
    denies=True,
    permit="allow",
    summary="a change outside the unit or stage that is at work",
)

_TREE = ".haiku/worktrees/login/unit-01-form"
FIRES = (
    Sample(name="code while elaborating", lines=('plan phase = "elaborate"', "edit src/login.py | a => b")),
    Sample(name="beside the work tree", lines=('plan phase = "execute"', "edit src/login.py | a => b")),
    Sample(name="through the shell", lines=('plan phase = "execute"', "$ sed -i s/a/b/ src/login.py")),
    Sample(name="by a pattern", lines=('plan phase = "execute"', "$ sed -i s/a/b/ src/*.py")),
    Sample(
        name="by a list",
        lines=('plan phase = "execute"', "plan inside = true", "$ grep -rl a /repo/src | xargs sed -i s/a/b/"),
    ),
    Sample(
        name="in another unit's work tree",
        lines=('plan phase = "execute"', "write .haiku/worktrees/login/unit-02-mail/src/mail.py | x"),
    ),
    Sample(
        name="the gate's own policy",
        lines=('plan phase = "execute"', "$ sed -i s/ask/auto/ .haiku/studios/software/stages/build/STAGE.md"),
    ),
    Sample(
        name="the settings in the unit's own work tree",
        lines=('plan phase = "execute"', f"write {_TREE}/.haiku/settings.yml | drift_detection: false"),
    ),
    Sample(name="the settings by a glob", lines=('plan phase = "review"', "$ echo 'x: 1' > .haiku/sett?ngs.yml")),
    Sample(name="a merge made up", lines=('plan phase = "gate"', "$ git push . haiku/login/main:main")),
    Sample(name="a branch set past git", lines=('plan phase = "gate"', "$ git rev-parse HEAD > .git/refs/heads/main")),
    Sample(
        name="older settings brought back",
        lines=('plan phase = "review"', "$ git checkout main~1 -- .haiku/settings.yml"),
    ),
    Sample(name="a unit's work tree deleted", lines=('plan phase = "execute"', f"$ rm -rf {_TREE}")),
    Sample(name="everything reset", lines=('plan phase = "execute"', "$ git reset --hard")),
    Sample(name="the branch left", lines=('plan phase = "review"', "$ git checkout main")),
    Sample(
        name="from inside a unit",
        lines=('plan phase = "execute"', "plan inside = true", "edit /repo/src/login.py | a => b"),
    ),
)
SILENT = (
    Sample(name="no workflow", lines=("@ fix src/login.py", "edit src/login.py | a => b")),
    Sample(name="in the work tree", lines=('plan phase = "execute"', f"edit {_TREE}/src/login.py | a => b")),
    Sample(
        name="inside a unit",
        lines=('plan phase = "execute"', "plan inside = true", "edit src/login.py | a => b"),
    ),
    Sample(
        name="knowledge while elaborating",
        lines=('plan phase = "elaborate"', "write .haiku/intents/login/knowledge/api.md | # API"),
    ),
    Sample(name="fixing in review", lines=('plan phase = "review"', "edit src/login.py | a => b")),
    Sample(
        name="in place",
        lines=('plan phase = "execute"', "plan worktrees = false", "edit src/login.py | a => b"),
    ),
    Sample(
        name="its own files by a list",
        lines=('plan phase = "execute"', f"$ cd {_TREE} && find . -name '*.py' -exec sed -i s/a/b/ {{}} +"),
    ),
    Sample(name="a scratch file", lines=('plan phase = "execute"', "write /tmp/notes.txt | x")),
    Sample(
        name="git in a unit",
        lines=('plan phase = "execute"', "plan inside = true", "$ git reset --hard && git clean -fdx && git stash"),
    ),
    Sample(name="the intent's branch to a remote", lines=('plan phase = "gate"', "$ git push -u origin HEAD")),
    Sample(name="looking at git", lines=('plan phase = "execute"', "$ git status && git log -3 && git diff main")),
    Sample(name="reading git's files", lines=('plan phase = "execute"', "$ cat .git/HEAD && git config --get a.b")),
    Sample(name="looking", lines=('plan phase = "elaborate"', "$ grep -rn login src | head")),
)

_SETTINGS, _STUDIOS = ".haiku/settings.yml", ".haiku/studios"
_POLICY = "it defines how the workflow goes, and only the user may change that"


def detect(event: ToolProposed | FilesChanged, world: World, files: Files) -> Iterator[Finding]:
    """One finding for each path outside."""
    plan = world.plan
    stage = plan.active if plan else None
    if plan is None or stage is None:
        return
    patches = _patches(event, world, files)
    closed = {patch: why for patch in patches if (why := _why_blind(patch, plan, stage, world))}
    yield from (_not_run(patch.program, why, "apply it where the work is", plan) for patch, why in closed.items())
    yield from _taken_away(event, plan, world, tuple(patch for patch in patches if patch not in closed))
    patched = (world.workspace.spell(path) for patch in patches for path in patch.paths or ())
    for path in dict.fromkeys((*world.analysis.modified, *_unnamed(event, plan, world), *patched)):
        place = from_top(path, world.workspace.root, world.plan_root)
        why = _why(place, plan, stage, world) if place else ""
        if why and not (isinstance(event, ToolProposed) and _is_nobodys(path, place, files)):
            yield _finding(path, why, plan)


def _patches(event: ToolProposed | FilesChanged, world: World, files: Files) -> tuple[PatchCommand, ...]:
    if not isinstance(event, ToolProposed) or event.call.action != "bash":
        return ()
    from leeboard.shell.patch import PatchDisk, patches_of  # noqa: PLC0415 - for shell lines while a workflow is active

    disk = PatchDisk(world.plan_root, lambda path: files.text(world.workspace.spell(path)))
    return patches_of(event.call.command, event.cwd or world.workspace.root, disk)


def _why_blind(patch: PatchCommand, plan: Plan, stage: StageView, world: World) -> str:
    """Why no file is changed where a patch would be applied that nobody can tell; empty where some may be."""
    place = from_top(f"{patch.folder}/*", world.workspace.root, world.plan_root) if patch.paths is None else ""
    why = _why(place, plan, stage, world) if place else ""
    return f"nobody can tell which files its patch changes, and {why}" if why else ""


def _is_nobodys(path: str, place: str, files: Files) -> bool:
    """What git ignores is built anew at any time. Under names with a dot lie settings, of tools and of the workflow."""
    if any(part.startswith(".") for part in place.split("/")):
        return False
    return bool(files.ignored(path) or (files.exists(path) is False and files.ignored(f"{path}/x")))


def _taken_away(
    event: ToolProposed | FilesChanged, plan: Plan, world: World, patches: tuple[PatchCommand, ...]
) -> Iterator[Finding]:
    """What a shell line would do to the trees, branches and uncommitted work of the workflow."""
    if not isinstance(event, ToolProposed) or event.call.action != "bash" or not plan.git.available:
        return
    from leeboard.plan.guards.shell import Ground, harms  # noqa: PLC0415 - for shell lines while a workflow is active

    own = (plan.intent.slug, world.unit.id) if world.unit else ("", "")
    top, here = world.plan_root.rstrip("/"), world.workspace.root
    ground = Ground(top=top, here=here, hub=plan.git.hub, branch=plan.git.branch, unit=own)
    for harm in harms(shell_effects(event.call.command, event.cwd), ground, patches):
        yield _not_run(harm.subject, harm.why, harm.instead, plan)


def _unnamed(event: ToolProposed | FilesChanged, plan: Plan, world: World) -> tuple[str, ...]:
    if not isinstance(event, ToolProposed) or event.call.action != "bash":
        return ()
    from leeboard.plan.guards.reach import unnamed  # noqa: PLC0415 - for shell lines in a workflow only

    found = unnamed(event.call.command, event.cwd or world.workspace.root, plan, world.plan_root)
    return tuple(world.workspace.spell(path) for path in found)


def _why(place: str, plan: Plan, stage: StageView, world: World) -> str:
    """Why it is not written now; empty where it may be. `place` counts from the primary tree."""
    slug, unit = worktree_of(place)
    inner = place.removeprefix(f".haiku/worktrees/{slug}/{unit}/") if slug else place
    if inner.lower().partition("/")[0] != ".git":
        return _elsewhere(place, plan, stage, world)
    from leeboard.plan.guards.git_files import kept_by_git  # noqa: PLC0415 - for git's own files only

    # Git itself changes its files all the time: what counts is what somebody is about to write.
    return kept_by_git(inner) if isinstance(world.analysis.event, ToolProposed) else ""


def _elsewhere(place: str, plan: Plan, stage: StageView, world: World) -> str:
    """Why the workflow is not there now; empty where it is. `place` counts from the primary tree."""
    slug, unit = worktree_of(place)
    if slug:
        inner = place.removeprefix(f".haiku/worktrees/{slug}/{unit}/")
        return _POLICY if _is_policy(inner) else _in_worktree(slug, unit, plan, world)
    if place.startswith(".haiku/"):
        return _in_plan(place, plan, stage, world)
    if stage.state.phase == "elaborate":
        made = f"stage {stage.spec.name} is still being elaborated, and only the intent's own files are written now"
        return "" if _is_artifact(place, plan, stage) else made
    return _beside_units(plan, stage, world) if stage.state.phase == "execute" else ""


def _beside_units(plan: Plan, stage: StageView, world: World) -> str:
    if _in_place(plan, stage):
        return ""
    if world.unit is not None:
        return f"it is outside the work tree of {world.unit.id}"
    at_work = [unit.id for unit in stage.units if unit.status == "active"]
    if at_work:
        return f"it is outside the work trees of the units at work: {', '.join(at_work[:5])}"
    return "no unit is at work"


def _in_worktree(slug: str, unit: str, plan: Plan, world: World) -> str:
    if world.unit is not None and (slug, unit) != (plan.intent.slug, world.unit.id):
        return f"it is in the work tree of {unit}, and this agent works on {world.unit.id}"
    return "" if slug == plan.intent.slug and unit in plan.git.worktrees else f"{unit} is not at work"


def _in_plan(place: str, plan: Plan, stage: StageView, world: World) -> str:
    """Plan files have a rule of their own; here only which of them belong to the work."""
    if place.startswith(".haiku/knowledge/") or _is_artifact(place, plan, stage):
        return ""
    known = plan_path(place)
    if known is None or not place.startswith(INTENTS):
        return _POLICY
    if known.slug != plan.intent.slug:
        return f"it belongs to the intent {known.slug}"
    if known.stage not in {"", stage.spec.name}:
        return f"it belongs to the stage {known.stage}"
    if known.kind == "unit" and world.unit is not None and known.name != world.unit.id:
        return f"this agent works on {world.unit.id}"
    return ""


def _is_policy(inner: str) -> bool:
    """In a unit's tree too."""
    return inner in {".haiku", _SETTINGS, _STUDIOS} or inner.startswith(f"{_STUDIOS}/")


def _is_artifact(place: str, plan: Plan, stage: StageView) -> bool:
    """What the stage itself has to bring forth, wherever that lies."""
    locations = (one.place(plan.intent.slug) for one in stage.spec.templates)
    return any(place == one or (one.endswith("/") and place.startswith(one)) for one in locations if one != "/")


def _in_place(plan: Plan, stage: StageView) -> bool:
    """Without a work tree of its own a unit has the whole one."""
    at_work = [unit for unit in stage.units if unit.status == "active"]
    if at_work:
        return any(unit.id not in plan.git.worktrees for unit in at_work)
    return not plan.git.available or all(unit.status == "completed" for unit in stage.units)


def _finding(path: str, why: str, plan: Plan) -> Finding:
    return Finding(
        rule="workflow_guard",
        subject=path,
        evidence=(Evidence(f"{path}: {why} ({standing_of(plan)})", -8),),
        cap=2,
        path=path,
        message=f"{path} is not changed now: {why} ({standing_of(plan)}).",
        remedy=f"{next_call(plan)}, and do what it says where it says",
    )


def _not_run(subject: str, why: str, instead: str, plan: Plan) -> Finding:
    return Finding(
        rule="workflow_guard",
        subject=subject,
        evidence=(Evidence(f"{subject}: {why} ({standing_of(plan)})", -8),),
        cap=2,
        message=f"{subject} is not run now: {why} ({standing_of(plan)}).",
        remedy=f"{instead}; {next_call(plan)} to go on",
    )
