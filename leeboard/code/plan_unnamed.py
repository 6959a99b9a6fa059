"""Files a shell line comes to without naming them, where they say how a workflow goes or lie beside its work."""

from __future__ import annotations

from collections.abc import Iterator

from leeboard.code._plan_git_files import spelled_out
from leeboard.code.plan_reach import plan_files, reached
from leeboard.code.plan_sample import samples
from leeboard.code.shell_effects import shell_effects
from leeboard.model.plan import Plan
from leeboard.model.plan_place import from_top, plan_path

_OF_ANY = (".haiku/worktrees/", ".haiku/intents/")
"""What stands for many there may be of any unit or intent: nobody can tell of which."""


def unnamed(command: str, cwd: str, plan: Plan, top: str) -> Iterator[str]:
    """Whole paths; plan files have a rule of their own. `top` is the primary work tree."""
    found = (touch.path for touch in reached(command, cwd, plan_files(plan, top)))
    yield from (path for path in found if plan_path(path) is None)
    yield from _of_git(command, cwd, top)
    yield from _by_sample(command, cwd, plan, top)


def _of_git(command: str, cwd: str, top: str) -> Iterator[str]:
    """Files of git's own that a line comes to by a glob, or by asking git where they are."""
    if ".git" not in command and "rev-parse" not in command:
        return
    meant = spelled_out(command, top)
    if meant != command:
        touches = shell_effects(meant, cwd).touches
        home = f"{top.rstrip('/')}/.git/"
        yield from (touch.path for touch in touches if touch.modifies and touch.path.startswith(home))


def _by_sample(command: str, cwd: str, plan: Plan, top: str) -> Iterator[str]:
    """By a pattern or a list."""
    trees = tuple(f"{tree.rstrip('/')}/" for tree in plan.git.worktrees.values())
    for touch in samples(command, cwd):
        place = from_top(touch.path, top, top)
        is_litter = touch.kind == "delete" and "/" not in place  # what builds left anywhere: its name alone tells
        is_told = not place.startswith(_OF_ANY) or touch.path.startswith(trees)
        if place and is_told and not is_litter:
            yield touch.path
