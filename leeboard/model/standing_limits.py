"""Which limits stand after the human spoke: the newest word wins.

Asking for what was forbidden ends the ban, and so does a word that it may stand; a question and a mention do not.
"""

from __future__ import annotations

from msgspec.structs import replace

from leeboard.model.contract import LIFTED_DEED, Constraint, Contract
from leeboard.model.text import matches
from leeboard.model.world import PromptIntent

CONSTRAINT_WINDOW = 16
FIRST_LIMITS = 4


def standing_limits(old: Contract, intent: PromptIntent) -> tuple[Constraint, ...]:
    """When there is no room for all, the first few stay (the project's own are among them), then the newest that can be
    checked, then the newest.
    """
    standing = (*_still_standing(old.constraints, intent), *intent.constraints)
    if len(standing) <= CONSTRAINT_WINDOW:
        return standing
    order = sorted(range(len(standing)), key=lambda at: (at >= FIRST_LIMITS, not standing[at].checkable, -at))
    return tuple(standing[at] for at in sorted(order[:CONSTRAINT_WINDOW]))


def _still_standing(constraints: tuple[Constraint, ...], intent: PromptIntent) -> tuple[Constraint, ...]:
    """The human's newest word wins: asking for what was forbidden ends the ban."""
    left = (_left(constraint, intent) for constraint in constraints)
    return tuple(constraint for constraint in left if constraint is not None)


def _left(constraint: Constraint, intent: PromptIntent) -> Constraint | None:
    """What stays of a constraint: all, nothing, or a ban on a part of what it spoke of."""
    if (constraint.until and intent.nods) or (constraint.until == "order" and intent.orders):
        return None
    if constraint.deeds or set(constraint.programs) & set(intent.lifts):
        return _still_forbidden(constraint, set(intent.lifts))
    globs = tuple(lift for lift in intent.lifts if "*" in lift)
    if constraint.kind == "must" or constraint.until == "order":
        return constraint
    if constraint.kind == "only":
        return None if intent.scope or globs else constraint
    if intent.orders and any(matches(path, constraint.patterns) for path in intent.scope):
        return None
    return _without_lifted(constraint, tuple(glob for glob in globs if glob != "**"), set(intent.lifts))


def _still_forbidden(constraint: Constraint, lifts: set[str]) -> Constraint | None:
    """The deeds and the commands that were not asked for; of commands only those it names: `commit` stood for both."""
    if constraint.deeds:
        deeds = tuple(deed for deed in constraint.deeds if f"{LIFTED_DEED}{deed}" not in lifts)
        return replace(constraint, deeds=deeds) if deeds else None
    named = (program for program in constraint.programs if program.rpartition(" ")[2] in constraint.text)
    programs = tuple(program for program in named if program not in lifts)
    return replace(constraint, programs=programs) if programs else None


def _without_lifted(constraint: Constraint, globs: tuple[str, ...], lifts: set[str]) -> Constraint | None:
    areas = tuple(area for area in constraint.areas if area not in lifts)
    covered = {pattern for pattern in constraint.patterns if matches(pattern, globs)}
    if areas == constraint.areas and not covered and not any(matches(glob, constraint.patterns) for glob in globs):
        return constraint
    kept = tuple(pattern for pattern in constraint.patterns if pattern not in covered)
    if not areas and all(pattern.startswith("!") for pattern in kept):
        return None
    freed = tuple(f"!{glob}" for glob in globs) if kept else ()
    return replace(constraint, areas=areas, patterns=tuple(dict.fromkeys((*kept, *freed))))


def without_flagged(constraint: Constraint, paths: tuple[str, ...], words: str) -> Constraint | None:
    """What is left of a limit that was said to be broken: a path goes free, a command or a deed is let pass."""
    if constraint.text not in words:
        return constraint
    if constraint.programs or constraint.deeds:
        return None
    freed = tuple(path if constraint.kind == "only" else f"!{path}" for path in paths)
    return replace(constraint, patterns=(*constraint.patterns, *freed))
