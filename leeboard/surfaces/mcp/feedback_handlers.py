"""Tools of feedback: how findings are filed, triaged, settled and removed. A person's own stay a person's."""

from __future__ import annotations

from typing import Any

from leeboard.model.plan import Plan
from leeboard.model.unit import Feedback
from leeboard.plan.disk.folder import hold
from leeboard.plan.disk.layout import HOME, intent_folder
from leeboard.plan.disk.read import look_at
from leeboard.plan.effect import Refusal
from leeboard.plan.machine import moves
from leeboard.plan.machine.held import stale_fix
from leeboard.surfaces.mcp.calls import (
    WHOLE,
    Arguments,
    Desk,
    Handler,
    RefusedError,
    handed,
    held_hat,
    sealing,
    stage_of,
    told,
)
from leeboard.surfaces.mcp.read_handlers import feedback_of


def create(desk: Desk, arguments: Arguments) -> dict[str, Any]:
    slug = desk.slug(arguments)
    finding = moves.FeedbackDraft(
        title=arguments["title"],
        body=arguments["body"],
        stage=_filed_for(desk.engine.look(slug), arguments),
        origin=arguments.get("origin", "agent"),
        author=arguments.get("author", ""),
        source_ref=arguments.get("source_ref", ""),
        resolution=arguments.get("resolution", ""),
    )
    outcome = desk.engine.move(slug, lambda plan, now: moves.feedback_new(plan, finding, now))
    if isinstance(outcome, Refusal):
        return handed(slug, outcome)
    filed = _newest(desk.engine.look(slug), finding)
    return handed(slug, outcome, feedback_id=filed.id if filed else "", filed_for=finding.stage or WHOLE)


def update(desk: Desk, arguments: Arguments) -> dict[str, Any]:
    change = moves.FeedbackChange(
        status=arguments.get("status"),
        resolution=arguments.get("resolution", ""),
        reply=arguments.get("reply", ""),
        closed_by=arguments.get("closed_by", ""),
    )

    def changed(plan: Plan, now: str) -> Any:
        item = feedback_of(plan, arguments)
        return moves.feedback_update(plan, item.stage, item.id, change, now)

    return desk.change(arguments, changed)


def move(desk: Desk, arguments: Arguments) -> dict[str, Any]:
    to = "" if arguments["to_stage"] == WHOLE else arguments["to_stage"]

    def changed(plan: Plan, now: str) -> Any:
        item = feedback_of(plan, arguments)
        goal = moves.FeedbackGoal(stage=to, resolution=arguments.get("resolution", ""))
        return moves.feedback_move(plan, item.stage, item.id, goal, now)

    return desk.change(arguments, changed)


def reject(desk: Desk, arguments: Arguments) -> dict[str, Any]:
    def changed(plan: Plan, now: str) -> Any:
        item = feedback_of(plan, arguments)
        return moves.feedback_reject(plan, item.stage, item.id, arguments["reason"], now)

    return desk.change(arguments, changed)


def advance_hat(desk: Desk, arguments: Arguments) -> dict[str, Any]:
    def changed(plan: Plan, now: str) -> Any:
        item = feedback_of(plan, arguments)
        stale = stale_fix(plan, item.stage, item.id, held_hat(arguments))
        return stale or moves.feedback_advance_hat(plan, item.stage, item.id, now, arguments.get("reason", ""))

    return desk.work(arguments, changed)


def reject_hat(desk: Desk, arguments: Arguments) -> dict[str, Any]:
    def changed(plan: Plan, now: str) -> Any:
        item = feedback_of(plan, arguments)
        stale = stale_fix(plan, item.stage, item.id, held_hat(arguments))
        return stale or moves.feedback_reject_hat(plan, item.stage, item.id, now, arguments.get("reason", ""))

    return desk.work(arguments, changed)


def write(desk: Desk, arguments: Arguments) -> dict[str, Any]:
    slug = desk.slug(arguments)
    with hold(desk.folder, slug):
        item = _writable(look_at(desk.folder, slug).plan, arguments, removes=False)
        path = item.file.removeprefix(f"{HOME}/")
        text = desk.folder.text(path) or ""
        kept = item.body.lstrip("\n")
        head = text.removesuffix(kept) if kept else text
        body = f"{arguments['body'].strip()}\n"
        desk.folder.write(path, f"{head}{body}".encode("utf-8", "surrogateescape"))
    return told({"feedback_id": item.id, "stage": item.stage or WHOLE, "body": body})


def delete(desk: Desk, arguments: Arguments) -> dict[str, Any]:
    slug = desk.slug(arguments)
    with hold(desk.folder, slug):
        found = look_at(desk.folder, slug)
        item = _writable(found.plan, arguments, removes=True)
        path = item.file.removeprefix(f"{HOME}/")
        with sealing(found, {path.removeprefix(f"{intent_folder(slug)}/"): {}}):
            desk.folder.remove(path)
    return told({"deleted": item.id, "stage": item.stage or WHOLE})


def _writable(plan: Plan, arguments: Arguments, *, removes: bool) -> Feedback:
    item = feedback_of(plan, arguments)
    refusal = moves.may_write_feedback(plan, item.stage, item.id, removes=removes)
    if refusal is not None:
        raise RefusedError(refusal.code, refusal.message)
    return item


def _filed_for(plan: Plan, arguments: Arguments) -> str:
    """The stage a new finding belongs to; empty: the intent as a whole."""
    stage = arguments.get("stage", "")
    if stage == WHOLE or (not stage and plan.active is None):
        return ""
    return stage_of(plan, arguments).spec.name


def _newest(plan: Plan, finding: moves.FeedbackDraft) -> Feedback | None:
    view = plan.stage(finding.stage) if finding.stage else None
    items = view.feedback if view else plan.feedback
    return max((item for item in items if item.title == finding.title.strip()), key=lambda item: item.id, default=None)


FEEDBACK_HANDLERS: dict[str, Handler] = {
    "haiku_feedback": create,
    "haiku_feedback_update": update,
    "haiku_feedback_move": move,
    "haiku_feedback_reject": reject,
    "haiku_feedback_advance_hat": advance_hat,
    "haiku_feedback_reject_hat": reject_hat,
    "haiku_feedback_write": write,
    "haiku_feedback_delete": delete,
}
