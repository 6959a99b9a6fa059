"""What every tool needs: the engine, which intent is meant, and how a clue or a refusal is handed over."""

from __future__ import annotations

import contextlib
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Protocol

from leeboard.app.plan.engine import Engine
from leeboard.errors import ConfigError
from leeboard.model.plan import Clue, Plan, StageView
from leeboard.model.text import shown_line
from leeboard.plan.disk.folder import PlanFolder
from leeboard.plan.disk.read import SealedPlan
from leeboard.plan.disk.seal import Seal, Values
from leeboard.plan.effect import PlanStep, Refusal
from leeboard.secrets.redaction import redact
from leeboard.surfaces.mcp.answers import ASK_AGAIN, asked_to, instruction, refused, tool_in
from leeboard.surfaces.mcp.protocol import (
    INVALID_PARAMS,
    INVALID_REQUEST,
    Channel,
    ClientGoneError,
    McpRequest,
    error,
    progress,
    result,
)

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


# Calls under way: each in its own thread, so that one that waits for a person keeps nobody else waiting.


MOST = 32
"""Calls at once: an agent's parallel workers, with some to spare."""


class McpCall:
    """One call as its handler sees it."""

    def __init__(self, channel: Channel, request: McpRequest) -> None:
        self._channel = channel
        self._token = request.progress_token
        self._told = 0
        self._ended = threading.Event()
        self.called_off = False

    def end(self, *, called_off: bool) -> None:
        """Somebody who waits shall wait no longer. Called off: no answer is wanted either."""
        self.called_off = self.called_off or called_off
        self._ended.set()

    def wait(self, seconds: float) -> bool:
        """Whether there is reason to wait on: nobody has ended it."""
        return not self._ended.wait(seconds)

    def tell(self, words: str) -> None:
        """Of progress, where the client asked for it."""
        if self._token is not None:
            self._told += 1
            self._channel.send(progress(self._token, self._told, words))


class Tools(Protocol):
    """What can be called."""

    def listed(self) -> list[dict[str, Any]]:
        """All of them, with their schemas."""

    def knows(self, name: str) -> bool:
        """Whether there is such a tool."""

    def run(self, name: str, arguments: Mapping[str, Any], call: McpCall) -> dict[str, Any]:
        """The result, also of a refusal."""


class McpCalls:
    """All calls under way, by the id of their request."""

    def __init__(self, channel: Channel, tools: Tools) -> None:
        self._channel = channel
        self._tools = tools
        self._running: dict[int | str, McpCall] = {}
        self._changed = threading.Condition()

    def start(self, request: McpRequest, reply: Callable[[Mapping[str, Any] | None], None]) -> None:
        """Answer it later; at once where it can not be taken."""
        call = McpCall(self._channel, request)
        with self._changed:
            refused = self._refused(request)
            if not refused:
                self._running[request.key] = call
        if refused:
            reply(error(request.key, INVALID_REQUEST, refused))
        else:
            threading.Thread(target=self._run, args=(request, call, reply), daemon=True).start()

    def cancel(self, key: object) -> None:
        """The asker wants no answer any more. What was begun is finished; only waiting ends."""
        with self._changed:
            call = self._running.get(key) if isinstance(key, int | str) else None
        if call is not None:
            call.end(called_off=True)

    def finish(self, seconds: float) -> bool:
        """Nothing more comes: whoever waits is answered, whatever works may end. Whether all did in time."""
        with self._changed:
            for call in self._running.values():
                call.end(called_off=False)
            return self._changed.wait_for(lambda: not self._running, seconds)

    def _refused(self, request: McpRequest) -> str:
        if request.key in self._running:
            return "a request with this id is under way"
        return f"{MOST} calls are under way: wait for one of them" if len(self._running) >= MOST else ""

    def _run(self, request: McpRequest, call: McpCall, reply: Callable[[Mapping[str, Any] | None], None]) -> None:
        try:
            answer = self._answer(request, call)
            reply(None if call.called_off else answer)
        except ClientGoneError:
            return  # the main thread sees the same end
        finally:
            with self._changed:
                del self._running[request.key]
                self._changed.notify_all()

    def _answer(self, request: McpRequest, call: McpCall) -> dict[str, Any]:
        name, arguments = request.params["name"], request.params.get("arguments") or {}
        if not self._tools.knows(name):
            words = f"there is no tool {redact(name)[:64]!r}; tools/list names them all"
            return error(request.key, INVALID_PARAMS, words)
        try:
            return result(request.key, self._tools.run(name, arguments, call))
        except ClientGoneError:
            raise
        except Exception as wrong:  # noqa: BLE001 - the edge of this surface: one call may fail, the server stays
            kind = type(wrong).__name__
            sys.stderr.write(f"leeboard mcp: {name}: {kind}: {shown_line(redact(str(wrong)))}\n")
            words = f"a fault of Leeboard itself ({kind}). Nothing is lost: what was done is on disk."
            return result(request.key, refused("internal_error", words))
