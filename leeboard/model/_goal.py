"""What a human message changes: the goal stack and the contract. The newest word wins."""

from __future__ import annotations

from msgspec.structs import replace

from leeboard.model._bound import short, with_small_goals
from leeboard.model.analysis import Intent
from leeboard.model.contract import Constraint, Contract
from leeboard.model.event import PromptGiven
from leeboard.model.glob import matches
from leeboard.model.session import GOAL_WINDOW, PROMPT_WINDOW, AgentState, Goal, Session

SCOPE_WINDOW = 60
KEYWORD_WINDOW = 240
CONSTRAINT_WINDOW = 16
FIRST_LIMITS = 4
AREA_WINDOW = 16


def prompted(
    session: Session, agent: AgentState, event: PromptGiven, intent: Intent | None
) -> tuple[Session, AgentState]:
    """Session and agent after the human spoke. A command without words (`/compact`) says nothing about the work."""
    session = replace(
        session,
        exchange=session.exchange + 1,
        prompts=(*session.prompts, event.digest)[-PROMPT_WINDOW:],
        batches=session.batches or (event.source == "hook" and bool(event.key)),
        status="active",
    )
    if session.mode == "FORCED" and (event.text.strip() or not event.command):
        session = replace(session, mode="NORMAL", forced="")
    agent = replace(agent, edits_asked=agent.edits)
    if intent is not None and (intent.steers or (intent.constraints and not session.goals)):
        session = reanchored(session, intent)
        agent = replace(agent, edits=0, strays=(), corrected=False, unheard=False)
    elif intent is not None:
        session = with_small_goals(replace(session, contract=_remarked(session.contract, intent)))
    return session, agent


def _remarked(old: Contract, intent: Intent) -> Contract:
    """A remark is no new direction; the limits it sets or ends and the words it speaks of still count."""
    constraints = _constrained(old, intent)
    return replace(
        old,
        constraints=constraints,
        keywords=_newest_first(intent.keywords, old.keywords, KEYWORD_WINDOW),
        areas=_newest_first(intent.areas, old.areas, AREA_WINDOW),
        version=old.version + (constraints != old.constraints),
    )


def reanchored(session: Session, intent: Intent) -> Session:
    """The session with a new goal on the stack; the first one always stays."""
    scope = short(intent.scope, SCOPE_WINDOW)
    goal = Goal(
        text=intent.text, exchange=session.exchange, keywords=intent.keywords[:40], scope=scope, areas=intent.areas
    )
    first, later = session.goals[:1], session.goals[1:]
    goals = (*first, *(*later, goal)[-(GOAL_WINDOW - 1) :]) if first else (goal,)
    old = session.contract
    contract = Contract(
        objective=intent.text,
        scope=_newest_first(scope, old.scope, SCOPE_WINDOW),
        constraints=_constrained(old, intent),
        keywords=_newest_first(intent.keywords, old.keywords, KEYWORD_WINDOW),
        areas=_newest_first(intent.areas, old.areas, AREA_WINDOW),
        wide=intent.wide,
        version=old.version + 1,
        base=old.base,
    )
    return with_small_goals(replace(session, goals=goals, contract=contract))


def _constrained(old: Contract, intent: Intent) -> tuple[Constraint, ...]:
    """When there is no room for all, the first few stay (the project's own are among them), then the newest that can be
    checked, then the newest.
    """
    standing = (*_still_standing(old.constraints, intent), *intent.constraints)
    if len(standing) <= CONSTRAINT_WINDOW:
        return standing
    order = sorted(range(len(standing)), key=lambda at: (at >= FIRST_LIMITS, not standing[at].checkable, -at))
    return tuple(standing[at] for at in sorted(order[:CONSTRAINT_WINDOW]))


def _still_standing(constraints: tuple[Constraint, ...], intent: Intent) -> tuple[Constraint, ...]:
    """The human's newest word wins: asking for what was forbidden ends the ban."""
    left = (_left(constraint, intent) for constraint in constraints)
    return tuple(constraint for constraint in left if constraint is not None)


def _left(constraint: Constraint, intent: Intent) -> Constraint | None:
    """What stays of a constraint: all, nothing, or a ban on a part of what it spoke of."""
    globs = tuple(lift for lift in intent.lifts if "*" in lift)
    if constraint.kind == "must":
        return constraint
    if constraint.kind == "only":
        return None if intent.scope or globs else constraint
    if set(constraint.programs) & set(intent.lifts) or any(matches(path, constraint.patterns) for path in intent.scope):
        return None
    return _without(constraint, tuple(glob for glob in globs if glob != "**"), set(intent.lifts))


def _without(constraint: Constraint, globs: tuple[str, ...], lifts: set[str]) -> Constraint | None:
    areas = tuple(area for area in constraint.areas if area not in lifts)
    covered = {pattern for pattern in constraint.patterns if matches(pattern, globs)}
    if areas == constraint.areas and not covered and not any(matches(glob, constraint.patterns) for glob in globs):
        return constraint
    kept = tuple(pattern for pattern in constraint.patterns if pattern not in covered)
    if not areas and all(pattern.startswith("!") for pattern in kept):
        return None
    freed = tuple(f"!{glob}" for glob in globs) if kept else ()
    return replace(constraint, areas=areas, patterns=tuple(dict.fromkeys((*kept, *freed))))


def _newest_first(new: tuple[str, ...], old: tuple[str, ...], window: int) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*new, *old)))[:window]
