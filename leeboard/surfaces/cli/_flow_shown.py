"""What `flow review` showed a person last: they approve that, and nothing that came after they looked.

Kept in the user's own state directory for a day, and gone when they decide. Where nothing was shown, nothing is held
against it: who approves without looking approves what is there.
"""

from __future__ import annotations

from posixpath import join

from leeboard.io.kept_looks import KEPT_SECONDS, KeptLooks
from leeboard.io.places import state_dir
from leeboard.model.digest import digest
from leeboard.model.effect import Refusal
from leeboard.model.plan import Plan
from leeboard.surfaces.cli._flow_gate import choices
from leeboard.surfaces.cli._person import is_person
from leeboard.workflow.look import looking
from leeboard.workflow.policy import context, shown
from leeboard.workflow.refusal import refuse

_BYTES = 6


def mark_of(plan: Plan) -> str:
    """A short name for what is decided over, and for the settings around it; empty where nothing can be decided."""
    look = looking(plan, "")
    return digest(repr([context(look), shown(look), plan.guarding]), _BYTES) if choices(plan) else ""


def keep_shown(home: str, plan: Plan) -> None:
    """For who is a person: what an agent looks at, nobody has seen."""
    mark = mark_of(plan)
    if mark and is_person():
        _kept().keep(_key(home, plan), mark.encode("ascii"))


def forget_shown(home: str, plan: Plan) -> None:
    _kept().take(_key(home, plan))


def unseen(home: str, plan: Plan, named: str = "") -> Refusal | None:
    """Why it can not be approved as it is: it is not what was shown last, or not what they name."""
    kept, key = _kept(), _key(home, plan)
    last = kept.peek(key) if kept.age(key) < KEPT_SECONDS else None
    wanted = named or (last or b"").decode("ascii", "replace")
    now = mark_of(plan)
    if not wanted or not now or now == wanted:
        return None
    why = "It changed since you looked." if not named else f"What stands there now is {now}, not {named}."
    return refuse("changed_since_shown", why, "Look again with `leeboard flow review`, then decide.", shown=now)


def _kept() -> KeptLooks:
    return KeptLooks(join(state_dir(), "shown"))


def _key(home: str, plan: Plan) -> str:
    return f"{home}\0{plan.intent.slug}"
