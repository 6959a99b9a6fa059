"""How the guards of a workflow name its next step."""

from __future__ import annotations

from leeboard.model.plan import Plan


def next_call(plan: Plan | None) -> str:
    """The one call that always tells what is next."""
    return f'call `haiku_run_next` with intent "{plan.intent.slug}"' if plan else "call `haiku_run_next`"


def standing_of(plan: Plan) -> str:
    """Where the workflow stands, in a few words."""
    active = plan.active
    if active is None:
        return f"intent {plan.intent.slug}"
    return f"intent {plan.intent.slug}, stage {active.spec.name}, phase {active.state.phase or 'not begun'}"
