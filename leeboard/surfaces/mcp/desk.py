"""What every tool needs: the engine, which intent is meant, and how a clue or a refusal is handed over."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from leeboard.app.plan.engine import Engine
from leeboard.errors import ConfigError
from leeboard.model.plan import Clue, Plan, StageView
from leeboard.plan.disk.folder import PlanFolder
from leeboard.plan.disk.read import SealedPlan
from leeboard.plan.disk.seal import Seal, Values
from leeboard.plan.effect import PlanStep, Refusal
from leeboard.surfaces.mcp.answers import ASK_AGAIN, asked_to, instruction, refused, tool_in
from leeboard.surfaces.mcp.calls import McpCall

Arguments = Mapping[str, Any]
Handler = Callable[["Desk", Arguments], dict[str, Any]]
Change = Callable[[Plan, str], PlanStep | Refusal]
WHOLE = "intent"
"""Instead of a stage: the intent as a whole."""
ANSWERED_WITH = {"manual_change_assessment": "haiku_classify_drift"}
"""Actions that repeat until the agent itself answers them, and the tool it does that with."""


class RefusedError(Exception):
    """A tool can not do what it was asked; the code tells programs why, the message says what to do."""

    def __init__(self, code: str, message: str, following: str = ASK_AGAIN, **details: Any) -> None:
        super().__init__(message)
        self.code = code
        self.following = following
        self.details = details


class Desk:
    """Of one call."""

    def __init__(self, root: str, call: McpCall) -> None:
        self.engine = Engine(root)
        self.home = self.engine.home
        self.folder = PlanFolder(self.home)
        self.call = call

    def slug(self, arguments: Arguments) -> str:
        """The intent that is meant: named, of the branch, or the only one."""
        return self.named(arguments.get("intent", ""))

    def named(self, slug: str) -> str:
        """RefusedError where there is no such intent, none at all, or several, and for one that is not trusted here."""
        try:
            found = self.engine.resolve(slug)
        except ConfigError as error:
            said = str(error)
            raise RefusedError("not_possible", said, tool_in(said, "haiku_intent_list")) from error
        try:
            self.engine.refuse_asleep(found)
        except ConfigError as error:
            raise RefusedError("not_trusted", str(error)) from error
        return found

    def plan(self, arguments: Arguments) -> Plan:
        return self.engine.look(self.slug(arguments))

    def change(self, arguments: Arguments, change: Change) -> dict[str, Any]:
        """Make a move, and hand over what is to be done now."""
        slug = self.slug(arguments)
        return handed(slug, self.engine.move(slug, change))


def handed(slug: str, outcome: Clue | Refusal, **more: Any) -> dict[str, Any]:
    """A clue or a refusal as it is answered."""
    if isinstance(outcome, Refusal):
        details = outcome.details | more
        return refused(outcome.code, outcome.message, tool_in(details.pop("next_step", "")), **details)
    action = {"action": outcome.action, "intent": slug, "message": outcome.message, **outcome.payload, **more}
    if outcome.action in ANSWERED_WITH:
        action["next"] = ANSWERED_WITH[outcome.action]
    elif outcome.waits:
        action["waits"] = True
    if outcome.is_error:
        action |= {"code": outcome.payload.get("error", outcome.action), "next": tool_in(outcome.message)}
    return asked_to(action, instruction(outcome), is_error=outcome.is_error)


@contextlib.contextmanager
def sealing(found: SealedPlan, coming: Values) -> Iterator[None]:
    """For files of the engine that are changed or removed inside: what is coming is admitted before, and then alone."""
    seal: Seal = found.seal
    seal.expect(coming.items())
    yield
    seal.settle(coming)


def stage_of(plan: Plan, arguments: Arguments) -> StageView:
    """The stage that is meant, the active one where none is named. Later stages are not shown before they begin."""
    reached = reached_stages(plan)
    name = arguments.get("stage", "")
    found = next((view for view in reached if view.spec.name == name), None) if name else plan.active
    if found is not None:
        return found
    if not name:
        raise RefusedError("no_active_stage", f"No stage of {plan.intent.slug} is active.")
    if plan.stage(name) is not None:
        raise RefusedError("stage_not_reached", f"Stage {name} has not begun: what is in it is told when it does.")
    names = ", ".join(view.spec.name for view in reached) or "none"
    raise RefusedError("stage_not_found", f"{plan.intent.slug} has no stage {name}; begun so far: {names}.")


def reached_stages(plan: Plan) -> tuple[StageView, ...]:
    """Up to the active one: nobody is given the whole map."""
    if plan.active is None:
        return plan.stages
    return plan.stages[: plan.stages.index(plan.active) + 1]
