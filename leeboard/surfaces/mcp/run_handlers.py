"""Tools that move an intent as a whole: the tick, its gates, and what comes before the first stage."""

from __future__ import annotations

import os
from hashlib import sha256
from typing import Any

from msgspec.structs import replace

from leeboard.io import clock
from leeboard.io.clock import monotonic
from leeboard.io.plan.layout import intent_file, intent_folder
from leeboard.io.plan.lock import hold
from leeboard.io.plan.studios import load_studio
from leeboard.io.plan.truth.agent_writes import Wrote, agent_wrote
from leeboard.model.effect import Refusal
from leeboard.model.gate import ReviewReport
from leeboard.model.plan import Clue
from leeboard.model.studio import Studio
from leeboard.model.truth import ABSENT
from leeboard.surfaces.mcp.answers import asked_to, told
from leeboard.surfaces.mcp.decision import decision_recorded
from leeboard.surfaces.mcp.desk import Arguments, Desk, Handler, RefusedError, handed
from leeboard.surfaces.mcp.gate_wait import LOOK_EVERY, allowed_seconds, seen, wait_for_change
from leeboard.surfaces.mcp.instruction import is_gate
from leeboard.surfaces.mcp.reset import reset
from leeboard.workflow import moves

CONTEXT = "CONVERSATION-CONTEXT.md"


def run_next(desk: Desk, arguments: Arguments) -> dict[str, Any]:
    slug = desk.slug(arguments)
    url = arguments.get("external_review_url", "")
    if url:
        outcome = desk.engine.move(slug, lambda plan, _now: moves.external_url(plan, url))
        if isinstance(outcome, Refusal):
            return handed(slug, outcome)
    return handed(slug, _clue(desk, slug))


def _clue(desk: Desk, slug: str) -> Clue:
    """The next action. At a gate the one that follows from the person's decision, if it comes in time."""
    place = desk.folder.spelled(intent_folder(slug))
    deadline = monotonic() + allowed_seconds(os.environ)
    while True:
        before = seen(place)
        clue = desk.engine.tick(slug)
        left = max(deadline - monotonic(), 0.0)
        if not is_gate(clue):
            return clue
        if not wait_for_change(before, lambda: seen(place), desk.call, left):
            return replace(clue, payload={**clue.payload, "decision": "pending", "repeat": "haiku_run_next"})
        desk.call.wait(LOOK_EVERY)


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
    action = {"action": "intent_created", "intent": made, "slug": made, "path": desk.folder.spelled(intent_file(made))}
    return asked_to(action, f"The intent {made} is made. Call haiku_run_next.")


def _studio(desk: Desk, name: str) -> str:
    """Its slug; empty where none is named."""
    studio = load_studio(desk.home, name) if name else None
    if name and studio is None:
        raise RefusedError("studio_not_found", f"There is no studio {name}.", "haiku_studio_list")
    _refuse_unusable(studio)
    return studio.slug if studio else ""


def _refuse_unusable(studio: Studio | None) -> None:
    if studio and studio.unusable:
        words = f"No work can go through it: {studio.unusable}. Tell the user; they put it right below .haiku/studios/."
        raise RefusedError("studio_unusable", words, "haiku_studio_list")


def _keep_context(desk: Desk, slug: str, context: str) -> None:
    """As the agent's own: it is put down before it is there, so that nobody has to ask about it."""
    text = f"{context.strip()}\n".encode()
    if context.strip():
        with hold(desk.folder, slug):
            wrote = Wrote(place=f"knowledge/{CONTEXT}", sha=sha256(text).hexdigest(), before=ABSENT)
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
    return desk.change(arguments, lambda plan, now: moves.revisit(plan, now, stage, reason))


def decision_record(desk: Desk, arguments: Arguments) -> dict[str, Any]:
    return desk.change(arguments, lambda plan, now: decision_recorded(plan, arguments, now))


def review_report(desk: Desk, arguments: Arguments) -> dict[str, Any]:
    found = tuple(name.upper() for name in arguments.get("findings", ()))
    report = ReviewReport(agent=arguments["agent"], verdict=arguments["verdict"], findings=found)
    return desk.change(arguments, lambda plan, _now: moves.record_report(plan, report, arguments["report"]))


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
