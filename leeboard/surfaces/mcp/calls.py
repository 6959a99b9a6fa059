"""What every tool needs: the engine, which intent is meant, and how a clue or a refusal is handed over."""

from __future__ import annotations

import contextlib
import json
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Protocol

import msgspec

from leeboard.app.plan.engine import Engine
from leeboard.errors import ConfigError
from leeboard.model.plan import Clue, Plan, StageView
from leeboard.model.text import lazy, shown_line
from leeboard.plan.disk.folder import PlanFolder
from leeboard.plan.disk.read import SealedPlan
from leeboard.plan.disk.seal import Seal, Values
from leeboard.plan.effect import PlanStep, Refusal
from leeboard.plan.machine.held import HeldHat, unassessed
from leeboard.secrets.redaction import redact
from leeboard.surfaces.mcp.protocol import (
    INVALID_PARAMS,
    INVALID_REQUEST,
    Channel,
    ClientGoneError,
    McpRequest,
    answer,
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

    def __init__(self, code: str, message: str, following: str = "haiku_run_next", **details: Any) -> None:
        super().__init__(message)
        self.code = code
        self.following = following
        self.details = details


class Desk:
    """What one call works with: the engine, the plan's folder, and which intent is meant."""

    def __init__(self, root: str, call: McpCall, *, looks: bool = False) -> None:
        """`looks`: the tool changes nothing, so that no work tree is made for it."""
        self._looks = looks
        self.root = root
        self.engine = Engine(root)
        self.call = call

    @property
    def home(self) -> str:
        """The work tree of the intent that is meant."""
        return self.engine.home

    @property
    def folder(self) -> PlanFolder:
        return PlanFolder(self.home)

    def slug(self, arguments: Arguments) -> str:
        """The intent that is meant: named, of the branch, or the only one."""
        return self.named(arguments.get("intent", ""))

    def named(self, slug: str) -> str:
        """As `found`; UntrustedError for an intent that came from elsewhere."""
        found = self.found(slug)
        self.engine.refuse_asleep(found)
        return found

    def found(self, slug: str) -> str:
        """RefusedError where there is no such intent, none at all, or several."""
        try:
            return self.engine.resolve(slug, brings=not self._looks)
        except ConfigError as error:
            said = str(error)
            raise RefusedError("not_possible", said, tool_in(said, "haiku_intent_list")) from error

    def plan(self, arguments: Arguments) -> Plan:
        return self.engine.look(self.slug(arguments))

    def change(self, arguments: Arguments, change: Change) -> dict[str, Any]:
        """Make a move, and hand over what is to be done now."""
        slug = self.slug(arguments)
        return handed(slug, self.engine.move(slug, change))

    def work(self, arguments: Arguments, change: Change) -> dict[str, Any]:
        """The same for a move of the work itself: not before it is said what changed files mean."""
        slug = self.slug(arguments)
        return handed(slug, self.engine.move(slug, lambda plan, now: unassessed(plan) or change(plan, now), truth=True))


def held_hat(arguments: Arguments) -> HeldHat:
    """What the caller says it was given."""
    return HeldHat(hat=arguments.get("hat", ""), bolt=arguments.get("bolt", 0))


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
        self.client = channel.client
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
        """Report progress, where the client asked for it."""
        if self._token is not None:
            self._told += 1
            self._channel.send(progress(self._token, self._told, words))


class Tools(Protocol):
    """The tools that a server offers to agents."""

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


# What a tool answers: JSON for programs, and where something is to be done, words for the agent below it.


ASK_AGAIN = "haiku_run_next"
"""The way out of every refusal: it says what may be done now."""
_TOOL = lazy(r"\bhaiku_[a-z_]{2,40}\b")


def tool_in(words: str, otherwise: str = ASK_AGAIN) -> str:
    """The tool that a next step names: programs are given no sentence."""
    return next(iter(_TOOL.findall(words)), otherwise)


def told(facts: Mapping[str, Any]) -> dict[str, Any]:
    """The answer to a question: facts, as JSON."""
    return answer(_json(facts))


def asked_to(action: Mapping[str, Any], instruction: str, *, is_error: bool = False) -> dict[str, Any]:
    """The answer that gives the agent the one thing to do now, with an instruction in words."""
    return answer(f"{_json(action)}\n---\n{instruction}", is_error=is_error)


def refused(code: str, message: str, following: str = ASK_AGAIN, **details: Any) -> dict[str, Any]:
    """The answer to a call that can not be done: why, and what to call instead."""
    return answer(_json({"code": code, "message": message, "next": following, **details}), is_error=True)


def _json(value: Mapping[str, Any]) -> str:
    try:
        return msgspec.json.format(msgspec.json.encode(value), indent=1).decode()
    except UnicodeEncodeError:  # half of a pair, from the name of a file
        return json.dumps(value, ensure_ascii=False, indent=1)


# A clue in words for the agent: what it says, how that is done with these tools, and what to do afterwards.


_SPLIT = (
    "Write each unit with haiku_unit_write: frontmatter (title, type, depends_on, inputs, outputs, quality_gates), "
    "then what is to be done and `- [ ]` criteria that can be checked. Discovery files are written as usual files."
)
_CORRECT = (
    "Correct the units with haiku_unit_write or haiku_unit_set; haiku_unit_list shows how they depend on each other."
)
_WORK = (
    "Read the unit with haiku_unit_read. Work in its worktree only, follow the hat's mandate, commit there, and "
    "tick off what holds (criteria of haiku_unit_advance_hat, or haiku_unit_set). Several units: one sub-agent each, "
    "side by side."
)
_FIX = "Read it with haiku_feedback_read. Change only what settles it, and commit."
_MERGE = "Resolve the marked conflicts in the unit's worktree so that both sides keep what they meant; commit there."
_PERSON = "Only the person decides; there is no tool for it. Say that `leeboard flow review` shows and decides it."
HOW: dict[str, str] = {
    "select_studio": "haiku_studio_get shows what a studio consists of.",
    "select_mode": "Ask the user, then call haiku_select_mode.",
    "select_stage": "Ask the user, then call haiku_select_stage.",
    "start_stage": f"haiku_knowledge_list names what is known already. Where you are to split the work: {_SPLIT}",
    "elaborate": _SPLIT,
    "elaboration_insufficient": "Ask one question, end your turn, wait for the answer. Repeating the call is no turn.",
    "awaiting_choice": "Do not choose for them. What they chose stands in the stage's decisions and in ANSWERS.md.",
    "unresolved_dependencies": _CORRECT,
    "dag_cycle_detected": _CORRECT,
    "unit_naming_invalid": "Write it anew under a right name with haiku_unit_write, haiku_unit_delete the old one.",
    "spec_validation_failed": _CORRECT,
    "unit_inputs_missing": _CORRECT,
    "discovery_missing": "Find it out, and write the named files.",
    "start_unit": _WORK,
    "start_units": _WORK,
    "continue_unit": _WORK,
    "continue_units": _WORK,
    "outputs_missing": "Bring forth the named files; they are part of what the stage promised.",
    "fix_quality_gates": "Run the failing commands yourself until they pass; do not weaken them. Commit the fix.",
    "review": (
        "Start one sub-agent for each review agent that is named, with its mandate and the diff of the stage. Each "
        "files what it finds with haiku_feedback, and its report is recorded with haiku_review_report."
    ),
    "review_fix": _FIX,
    "feedback_triage": "haiku_feedback_read shows each. A finding of a person is taken seriously as it stands.",
    "feedback_dispatch": "haiku_feedback_read shows each.",
    "feedback_revisit": "haiku_feedback_read shows each.",
    "changes_requested": "haiku_feedback_list shows what the person wrote.",
    "revise_unit_specs": f"haiku_feedback_list shows what the person wrote. {_CORRECT}",
    "gate_review": f"{_PERSON} Change nothing while you wait.",
    "intent_review": f"{_PERSON} Change nothing while you wait.",
    "external_review_requested": (
        "Where none is open yet, open the review where the project does (a pull or merge request from the intent's "
        "branch), then call haiku_run_next with its external_review_url."
    ),
    "awaiting_external_review": "Nothing can be done here until the review was merged or answered elsewhere.",
    "manual_change_assessment": (
        "Read each diff, and the file where there is none and it is not gone. One classification for each finding, all "
        "in one call of haiku_classify_drift with this tick_id; `*` as path speaks for all that are not named. Do not "
        "undo, overwrite or claim a change of somebody else."
    ),
    "commit_wip": "Commit or stash only what the user agrees to.",
    "resolve_merge_conflicts": _MERGE,
    "merge_conflict": _MERGE,
    "escalate": "Tell the user what was tried and what they can decide; end your turn.",
    "loop_halted": "Tell the user what repeats and why; end your turn. Do not go round it.",
    "blocked": "Tell the user what blocks the work; end your turn.",
    "complete": "Tell the user in a few sentences what was reached.",
    "intent_complete": "Tell the user in a few sentences what was reached.",
}
"""By action: how it is done with the tools at hand. Actions whose message says it all are not here."""
_ENDS = frozenset({"complete", "intent_complete", "escalate", "loop_halted", "blocked"})
_PENDING = "No decision yet. Call haiku_run_next again: it waits for the person and answers when they have decided."
_PATIENT = (
    "No decision yet, and they were called. Do not ask again and again: say in a sentence what waits for them and "
    "where (`leeboard flow review`, or `leeboard open`), and end your turn. When they are back, call haiku_run_next."
)
MOST_WAITS = 2
"""So often a call is waited with at one gate; after that an agent is better off ending its turn."""
_AT_GATES = frozenset({"gate_review", "intent_review", "awaiting_external_review", "awaiting_choice"})
_AGAIN = "call haiku_run_next again"


def instruction(clue: Clue) -> str:
    """A few lines. Nothing of a stage that has not begun."""
    told = (clue.message, HOW.get(clue.action, ""), *_notes(clue), _closing(clue))
    return "\n".join(part for part in told if part)


def is_gate(clue: Clue) -> bool:
    """Whether somebody else has to decide, so that the call may wait for it."""
    return clue.action in _AT_GATES and not clue.is_error


def _notes(clue: Clue) -> tuple[str, ...]:
    also = tuple(f"Also: {each['message']}" for each in clue.payload.get("also", ()))
    found = clue.payload.get("warnings")
    return (*also, *(f"Note: {word}" for word in found)) if isinstance(found, list) else also


def _closing(clue: Clue) -> str:
    if is_gate(clue):
        return _PATIENT if clue.payload.get("repeats", 0) >= MOST_WAITS else _PENDING
    if clue.action in _ENDS or _AGAIN in clue.message:
        return ""
    return f"When the user has answered, {_AGAIN}." if clue.waits else f"Then {_AGAIN}."
