"""Tools that move an intent as a whole: the tick, its gates, and what comes before the first stage."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import Any

from msgspec.structs import replace

from leeboard.app.plan.engine import look_over
from leeboard.app.ring import Ring, settings_in
from leeboard.app.views.projects import waiting_here
from leeboard.clients import client_names, first_sign, signs
from leeboard.io import clock
from leeboard.io.clock import monotonic, now
from leeboard.model.plan import DECISION_LOG, Clue, Plan
from leeboard.model.studio import Studio
from leeboard.model.truth import ABSENT
from leeboard.model.unit import ReviewReport
from leeboard.plan.disk import layout
from leeboard.plan.disk.folder import PlanFolder, hold
from leeboard.plan.disk.layout import intent_file, intent_folder
from leeboard.plan.disk.read import SealedPlan, look_at
from leeboard.plan.disk.studios import default_studio, load_studio
from leeboard.plan.disk.truth.agent_writes import AgentWrite, agent_wrote
from leeboard.plan.disk.truth.reset import set_aside
from leeboard.plan.effect import PlanStep, Refusal, WriteStage
from leeboard.plan.files.files import with_fields
from leeboard.plan.files.state import engine_values
from leeboard.plan.machine import moves
from leeboard.plan.machine.drift_gate import baseline_lost, change_unassessed
from leeboard.plan.machine.look import looking
from leeboard.plan.machine.refusal import refuse, standing
from leeboard.surfaces.mcp.calls import (
    Arguments,
    Desk,
    Handler,
    McpCall,
    RefusedError,
    asked_to,
    handed,
    is_gate,
    sealing,
    told,
)

CONTEXT = "CONVERSATION-CONTEXT.md"
_FETCH_EVERY_SECONDS = 60.0
"""So often the remote is asked while somebody waits for it."""
_REVIEWED_ELSEWHERE = frozenset({"external_review_requested", "awaiting_external_review"})
"""Actions after which only the remote can say how it goes on."""


def run_next(desk: Desk, arguments: Arguments) -> dict[str, Any]:
    slug = desk.found(arguments.get("intent", ""))  # whether it is trusted is asked by the step itself
    url = arguments.get("external_review_url", "")
    if url:
        outcome = desk.engine.move(slug, lambda plan, _now: moves.external_url(plan, url))
        if isinstance(outcome, Refusal):
            return handed(slug, outcome)
    return handed(slug, _clue(desk, slug))


def _clue(desk: Desk, slug: str) -> Clue:
    """The next action. At a gate the one that follows from the person's decision, if it comes in time."""
    place = desk.folder.spelled(intent_folder(slug))
    deadline = monotonic() + allowed_seconds(os.environ, desk.call.client)
    while True:
        before = seen(place)
        clue = desk.engine.tick(slug)
        left = max(deadline - monotonic(), 0.0)
        if not is_gate(clue):
            return clue
        _call_person(desk, slug)
        may_wait = min(left, _FETCH_EVERY_SECONDS) if clue.action in _REVIEWED_ELSEWHERE else left
        if not wait_for_change(before, lambda: seen(place), desk.call, may_wait) and may_wait == left:
            return replace(clue, payload={**clue.payload, "decision": "pending", "repeat": "haiku_run_next"})
        desk.call.wait(LOOK_EVERY)


def _call_person(desk: Desk, slug: str) -> None:
    """They may sit before another window: a gate that opens rings, once, whoever else is running to say so."""
    ring = Ring(settings_in(os.environ))
    for work in waiting_here(desk.home):
        if work.intent == slug:
            ring.ring(work)


def intent_create(desk: Desk, arguments: Arguments) -> dict[str, Any]:
    title = arguments["title"].strip()
    if not title or not title.isprintable():
        raise RefusedError("invalid_title", "A title is one line of three to eight words.", "haiku_intent_create")
    slug = arguments.get("slug", "")
    if slug and slug in desk.engine.slugs(archived=True):
        words = f"There is an intent {slug} already: go on with it, or choose another slug."
        raise RefusedError("intent_exists", words, "haiku_intent_create")
    studio = _studio(desk, arguments.get("studio", ""))
    made = desk.engine.create(title, arguments["description"], slug, studio, arguments.get("mode", "continuous"))
    _keep_context(desk, made, arguments.get("context", ""))
    path = desk.folder.spelled(intent_file(made))
    action = {"action": "intent_created", "intent": made, "slug": made, "studio": studio, "path": path}
    way = f"It goes through the studio {studio}; haiku_select_studio takes another one before the first step."
    return asked_to(action, f"The intent {made} is made. {way} Call haiku_run_next with intent {made}.")


def _studio(desk: Desk, name: str) -> str:
    """Its slug; where none is named that of the project, or the one for every day."""
    name = name or default_studio(desk.home)
    studio = load_studio(desk.home, name)
    if studio is None:
        raise RefusedError("studio_not_found", f"There is no studio {name}.", "haiku_studio_list")
    _refuse_unusable(studio)
    refusal = moves.asks_nobody(studio)
    if refusal:
        raise RefusedError(refusal.code, refusal.message, "haiku_studio_list")
    return studio.slug


def _refuse_unusable(studio: Studio | None) -> None:
    if studio and studio.unusable:
        words = f"No work can go through it: {studio.unusable}. Tell the user; they put it right below .haiku/studios/."
        raise RefusedError("studio_unusable", words, "haiku_studio_list")


def _keep_context(desk: Desk, slug: str, context: str) -> None:
    """As the agent's own: it is put down before it is there, so that nobody has to ask about it."""
    text = f"{context.strip()}\n".encode()
    if context.strip():
        with hold(desk.folder, slug):
            wrote = AgentWrite(place=f"knowledge/{CONTEXT}", sha=sha256(text).hexdigest(), before=ABSENT)
            agent_wrote(desk.folder, slug, [wrote], 0, clock.iso(clock.now()))
            desk.folder.write(f"{intent_folder(slug)}/knowledge/{CONTEXT}", text)


def select_studio(desk: Desk, arguments: Arguments) -> dict[str, Any]:
    _refuse_unusable(load_studio(desk.home, arguments["studio"]))
    return desk.change(arguments, lambda plan, _now: moves.select_studio(plan, arguments["studio"]))


def select_mode(desk: Desk, arguments: Arguments) -> dict[str, Any]:
    return desk.change(arguments, lambda plan, _now: moves.select_mode(plan, arguments["mode"]))


def select_stage(desk: Desk, arguments: Arguments) -> dict[str, Any]:
    return desk.change(arguments, lambda plan, _now: moves.select_stages(plan, tuple(arguments["stages"])))


def intent_reset(desk: Desk, arguments: Arguments) -> dict[str, Any]:
    slug = desk.slug(arguments)
    if arguments["confirm"] != slug:
        raise RefusedError(
            "confirmation_missing", f"Everything done for {slug} would be wiped: ask the user, then repeat its slug."
        )
    return told(
        {"action": "intent_reset", "intent": slug, "kept_at": reset(desk.folder, slug), "next": "haiku_run_next"}
    )


def intent_archive(desk: Desk, arguments: Arguments) -> dict[str, Any]:
    return _archive(desk, arguments, archived=True)


def intent_unarchive(desk: Desk, arguments: Arguments) -> dict[str, Any]:
    return _archive(desk, arguments, archived=False)


def _archive(desk: Desk, arguments: Arguments, *, archived: bool) -> dict[str, Any]:
    slug = desk.slug(arguments)
    outcome = desk.engine.move(slug, lambda plan, now: moves.archive(plan, now, archived=archived))
    if isinstance(outcome, Refusal) and outcome.code != "noop":
        return handed(slug, outcome)
    done = "noop" if isinstance(outcome, Refusal) else "intent_archived" if archived else "intent_unarchived"
    return told({"action": done, "intent": slug})


def revisit(desk: Desk, arguments: Arguments) -> dict[str, Any]:
    stage, reason = arguments.get("stage", ""), arguments.get("reason", "")
    return desk.work(arguments, lambda plan, now: moves.revisit(plan, now, stage, reason))


def decision_record(desk: Desk, arguments: Arguments) -> dict[str, Any]:
    return desk.change(arguments, lambda plan, now: decision_recorded(plan, arguments, now))


def review_report(desk: Desk, arguments: Arguments) -> dict[str, Any]:
    found = tuple(name.upper() for name in arguments.get("findings", ()))
    report = ReviewReport(agent=arguments["agent"], verdict=arguments["verdict"], findings=found)
    return desk.work(arguments, lambda plan, _now: moves.record_report(plan, report, arguments["report"]))


RUN_HANDLERS: dict[str, Handler] = {
    "haiku_run_next": run_next,
    "haiku_await_gate": run_next,
    "haiku_intent_create": intent_create,
    "haiku_select_studio": select_studio,
    "haiku_select_mode": select_mode,
    "haiku_select_stage": select_stage,
    "haiku_intent_reset": intent_reset,
    "haiku_intent_archive": intent_archive,
    "haiku_intent_unarchive": intent_unarchive,
    "haiku_revisit": revisit,
    "haiku_decision_record": decision_record,
    "haiku_review_report": review_report,
}


# A decision of a stage, written into its log: what was chosen from what, by whom, and why.
#
# It is a record and no evidence: that the user spoke is shown by what the user said, never by an agent's word.


_AGAIN = "Call haiku_decision_record again."


def decision_recorded(plan: Plan, arguments: Mapping[str, Any], now: str) -> PlanStep | Refusal:
    """Into the log of the active stage."""
    stage = standing(plan)
    if isinstance(stage, Refusal):
        return stage
    named = arguments.get("stage", stage.spec.name)
    if named != stage.spec.name:
        return refuse("wrong_stage", f"Decisions are recorded for the active stage, which is {stage.spec.name}.")
    asks = bool(arguments.get("ask"))
    if asks and stage.state.phase != "elaborate":
        return refuse(
            "wrong_phase", "The user is asked to choose while a stage is planned.", "Tell them in your words."
        )
    if refusal := _unsound(arguments):
        return refusal
    entry = _entry(arguments, now) | ({"asked": stage.state.visits} if asks else {})
    kept = [each for each in stage.state.decisions if not _is_answered_by(each, entry)]
    fields: dict[str, Any] = {DECISION_LOG: [*kept, entry]}
    if arguments.get("no_decisions"):
        fields["elaboration_no_decisions"] = True
    return PlanStep(do=(WriteStage(stage=stage.spec.name, fields=fields),))


def _is_answered_by(asked: dict[str, Any], entry: dict[str, Any]) -> bool:
    """Where the user has chosen in the conversation, or is asked anew."""
    is_open = "asked" in asked and not asked.get("choice")
    return is_open and asked.get("decision") == entry.get("decision")


def _entry(arguments: Mapping[str, Any], now: str) -> dict[str, Any]:
    source = "user" if arguments.get("ask") else arguments.get("source", "agent")
    told = {"source": source, "rationale": arguments["rationale"].strip(), "recorded_at": now}
    if arguments.get("no_decisions"):
        return {"kind": "no_decisions", **told}
    options = [option.strip() for option in arguments["options"]]
    return {
        "decision": arguments["decision"].strip(),
        "options": options,
        "choice": "" if arguments.get("ask") else arguments["choice"].strip(),
        **told,
    }


def _unsound(arguments: Mapping[str, Any]) -> Refusal | None:
    if not arguments.get("rationale", "").strip():
        return refuse("rationale_required", "Nothing says why.", f"Give a rationale. {_AGAIN}")
    if arguments.get("no_decisions"):
        return None
    if not arguments.get("decision", "").strip():
        step = f"Name it, or set no_decisions. {_AGAIN}"
        return refuse("decision_required", "Nothing says what was decided.", step)
    options = [option.strip() for option in arguments.get("options", ()) if option.strip()]
    if len({*options}) < 2:
        return refuse("options_too_few", "A decision has two options at least.", f"Name them. {_AGAIN}")
    if not arguments.get("ask") and arguments.get("choice", "").strip() not in options:
        step = f"Choose one of {', '.join(options)}. {_AGAIN}"
        return refuse("choice_not_in_options", "What was chosen is none of the options.", step)
    return None


# Waiting for a person at a gate: no lock is held, nothing is written, and a decision is seen by its file.
#
# A decision that falls between the tick and the waiting is not missed: what the files looked like is taken down before
# the tick.


SECONDS, MOST_SECONDS = 50.0, 1500.0
"""Clients give up a call that says nothing, many of them after a minute, none later than after half an hour."""
LOOK_EVERY, TELL_EVERY = 0.2, 5.0
_WATCHED = ("rulings.jsonl", "state.json", "feedback")

Sight = tuple[tuple[str, int, int], ...]


def allowed_seconds(env: Mapping[str, str], client: str = "") -> float:
    """How long one call may wait: as the user says, or as long as this client is known to."""
    try:
        given = float(env.get("LEEBOARD_GATE_SECONDS", ""))
    except ValueError:
        given = float("nan")
    return min(max(given, 0.0), MOST_SECONDS) if given == given else _known_seconds(client)  # noqa: PLR0124 - not NaN


def _known_seconds(client: str) -> float:
    known = next((name for name in client_names() if client and client in signs(name, "mcp-name")), "")
    return min(float(first_sign(known, "mcp-seconds") or SECONDS), MOST_SECONDS) if known else SECONDS


def seen(intent_folder: str) -> Sight:
    """What a person's word changes: the rulings of every stage, their state, and the findings filed there."""
    stages = os.path.join(intent_folder, "stages")  # noqa: PTH118 - the folder's names pass through as they are
    try:
        names = sorted(os.listdir(stages))  # noqa: PTH208 - as above
    except OSError:
        return ()
    paths = (f"{intent_folder}/feedback", *(f"{stages}/{name}/{file}" for name in names for file in _WATCHED))
    return tuple(mark for path in paths if (mark := _mark(path)))


def wait_for_change(before: Sight, look: Callable[[], Sight], call: McpCall, seconds: float) -> bool:
    """Whether something changed; False when the time is over or the call was ended."""
    began = monotonic()
    told = 0
    while look() == before:
        passed = monotonic() - began
        if passed // TELL_EVERY >= told:
            told += 1
            call.tell(f"waiting for a person's decision ({passed:.0f} s)")
        if passed >= seconds or not call.wait(min(LOOK_EVERY, seconds - passed)):
            return False
    return True


def _mark(path: str) -> tuple[str, int, int] | None:
    try:
        found = os.lstat(path)
    except OSError:
        return None
    return path, found.st_mtime_ns, found.st_size


# An intent begun anew. What is wiped is moved aside, below `.haiku/tmp`, so that a person can get it back.


FRESH: dict[str, Any] = {
    "status": "active",
    "active_stage": "",
    "phase": "",
    "intent_reviewed": False,
    "started_at": None,
    "completed_at": None,
}


def reset(folder: PlanFolder, slug: str) -> str:
    """Where the old state is. RefusedError where a person's word, or work that is not merged, would be lost."""
    with hold(folder, slug):
        seen = look_at(folder, slug)
        _check(seen.plan)
        _assessed(folder, slug)
        aside = f"tmp/reset-{slug}-{int(now() * 1000)}"
        text = with_fields(folder.text(intent_file(slug)) or "", FRESH)
        with sealing(seen, _coming(seen, text)):
            folder.write(intent_file(slug), text.encode("utf-8", "surrogateescape"))
            for part in ("stages", "feedback"):
                if part in folder.names(intent_folder(slug)):
                    folder.move_folder(f"{intent_folder(slug)}/{part}", f"{aside}/{part}")
        set_aside(folder, slug, aside)
    return folder.spelled(aside)


def _assessed(folder: PlanFolder, slug: str) -> None:
    """Files are looked at anew, as a tick does: what nobody accounts for would never be asked about again."""
    look = looking(look_over(folder, slug, truth=True, full=True).plan, "")
    found = baseline_lost(look) or change_unassessed(look)
    if found or layout.DISPATCH in folder.names(intent_folder(slug)):
        words = found.text if found else "What they mean was asked, and nobody said it."
        raise RefusedError("assessment_open", f"Somebody changed files, and it would never be asked again. {words}")


def _coming(seen: SealedPlan, text: str) -> dict[str, Any]:
    gone: dict[str, Any] = {path: {} for path in seen.values if path.startswith(("stages/", "feedback/"))}
    return gone | {"intent.md": engine_values("intent", text)}


def _check(plan: Plan) -> None:
    if not plan.sealed:
        raise RefusedError(
            "tampered", "Fields of the engine were changed by hand: a person runs `leeboard flow repair`."
        )
    if plan.git.worktrees:
        names = ", ".join(sorted(plan.git.worktrees))
        raise RefusedError("units_under_way", f"Work that is not merged would be lost: {names}. Finish it first.")
    ruled = [view.spec.name for view in plan.stages if view.rulings]
    human = [
        item.id for item in (*plan.feedback, *(item for view in plan.stages for item in view.feedback)) if item.is_human
    ]
    if ruled or human:
        words = f"A person's word would be lost ({', '.join([*ruled, *human])}). Begin a new intent instead."
        raise RefusedError("persons_word", words, "haiku_intent_create")
