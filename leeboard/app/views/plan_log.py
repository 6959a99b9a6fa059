"""What happened to an intent in the order of time: visits, decisions, hats, findings, answers, files people brought."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from leeboard.app.plan.engine import Engine
from leeboard.app.views.plan import DECISIONS
from leeboard.errors import LeeboardError
from leeboard.model.plan import Plan, StageView
from leeboard.model.unit import Feedback, Unit
from leeboard.plan.disk import layout
from leeboard.plan.disk.folder import PlanFolder
from leeboard.plan.files.truth import parse_audit
from leeboard.plan.machine.policy import STAGE_CONTEXTS
from leeboard.secrets.redaction import redact

ENTRIES = 200
"""On one page."""
_AUDIT_BYTES = 1 << 20
_ANSWER_BYTES = 256 << 10


class PlanLogEntry(msgspec.Struct, frozen=True, kw_only=True):
    at: str
    who: str
    what: str
    text: str = ""


class PlanLog(msgspec.Struct, frozen=True, kw_only=True):
    entries: tuple[PlanLogEntry, ...]
    """Newest first."""
    older: int


def plan_log(engine: Engine, plan: Plan, skip: int = 0) -> PlanLog:
    folder = PlanFolder(engine.home)
    found = [*_of_plan(plan), *_brought(folder, plan.intent.slug), *_answers(folder, plan.intent.slug)]
    found = sorted((each for each in found if each.at), key=lambda each: each.at)[::-1]
    return PlanLog(entries=tuple(found[skip : skip + ENTRIES]), older=max(0, len(found) - skip - ENTRIES))


def _of_plan(plan: Plan) -> Iterator[PlanLogEntry]:
    yield PlanLogEntry(at=plan.intent.created_at, who="", what="the intent was made", text=plan.intent.title)
    for item in plan.feedback:
        yield from _finding(item)
    for stage in plan.stages:
        yield from _of_stage(stage)
    if plan.intent.completed_at:
        yield PlanLogEntry(at=plan.intent.completed_at, who="engine", what="the intent was completed")


def _of_stage(stage: StageView) -> Iterator[PlanLogEntry]:
    name = stage.spec.name
    for visit in stage.state.iterations:
        why = visit.reason or visit.trigger
        yield PlanLogEntry(
            at=visit.started_at, who="engine", what=f"visit {visit.index} of stage {name} began", text=why
        )
        if visit.completed_at:
            what = f"visit {visit.index} of stage {name} ended"
            yield PlanLogEntry(at=visit.completed_at, who="engine", what=what, text=visit.result)
    for ruling in stage.rulings:
        about = "the work" if ruling.context in STAGE_CONTEXTS else "the plan"
        what = f"{DECISIONS[ruling.decision]}: {about} of stage {name}"
        yield PlanLogEntry(at=ruling.decided_at, who=ruling.by or "somebody", what=what, text=redact(ruling.feedback))
    for report in stage.reports:
        yield PlanLogEntry(at=report.recorded_at, who=report.agent, what=f"reviewed stage {name}: {report.verdict}")
    for unit in stage.units:
        yield from _unit(unit)
    for item in stage.feedback:
        yield from _finding(item)


def _unit(unit: Unit) -> Iterator[PlanLogEntry]:
    if unit.started_at:
        yield PlanLogEntry(at=unit.started_at, who="agent", what=f"{unit.id} was begun", text=unit.title)
    for each in unit.passes:
        done = "sent back" if each.result == "reject" else "passed on"
        yield PlanLogEntry(at=each.completed_at, who=each.hat, what=f"{unit.id} was {done}", text=redact(each.reason))
    if unit.completed_at:
        yield PlanLogEntry(at=unit.completed_at, who="engine", what=f"{unit.id} was completed")


def _finding(item: Feedback) -> Iterator[PlanLogEntry]:
    where = item.stage or "the intent"
    who = item.author or item.origin
    yield PlanLogEntry(at=item.created_at, who=who, what=f"{item.id} was filed for {where}", text=redact(item.title))
    for reply in item.replies:
        what = f"answer to {item.id}"
        yield PlanLogEntry(
            at=reply.get("at", ""), who=reply.get("author", ""), what=what, text=redact(reply.get("text", ""))
        )


def _brought(folder: PlanFolder, slug: str) -> Iterator[PlanLogEntry]:
    """Files that people brought: the audit says so, whatever became of them since."""
    try:
        lines = folder.tail(layout.below(slug, layout.AUDIT), _AUDIT_BYTES).splitlines()
    except LeeboardError:
        return
    for line in lines:
        found = parse_audit(line)
        if found is not None:
            who = found.claimed_author_id or "somebody"
            yield PlanLogEntry(at=found.timestamp, who=who, what=f"brought {found.path}", text=found.rationale or "")


def _answers(folder: PlanFolder, slug: str) -> Iterator[PlanLogEntry]:
    try:
        said = folder.tail(layout.below(slug, layout.ANSWERS), _ANSWER_BYTES).decode("utf-8", "replace")
    except LeeboardError:
        return
    for line in said.splitlines():
        at, _, rest = line.removeprefix("- ").partition(" ")
        stage, _, text = rest.partition(": ")
        if at[:4].isdigit() and text:
            yield PlanLogEntry(at=at, who="a person", what=f"said in {stage}", text=redact(text))
