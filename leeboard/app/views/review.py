"""Everything a person looks at before they decide: what stands at the gate, its diff by unit and file, the text of each
report, the documents of the stage, what they asked for before and what became of it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import msgspec

from leeboard.app.plan.changed import changed_parts, stage_diff
from leeboard.app.plan.engine import Engine
from leeboard.app.views.diff import FileDiff, parse_diff, with_units
from leeboard.app.views.documents import Documents, documents_of
from leeboard.app.views.next_step import next_step
from leeboard.app.views.plan import ShownGate, mark_of, view_gate
from leeboard.app.views.tool_words import for_people
from leeboard.errors import LeeboardError
from leeboard.io import clock
from leeboard.model.plan import Plan, StageView
from leeboard.model.truth import INTENT_SCOPE
from leeboard.model.unit import Decision, Feedback
from leeboard.plan.disk import layout
from leeboard.plan.disk.folder import PlanFolder
from leeboard.plan.disk.records import produced
from leeboard.plan.disk.repository import Repository
from leeboard.plan.machine.look import looking
from leeboard.plan.machine.policy import ruled
from leeboard.secrets.redaction import redact
from leeboard.text.words import counted


class ShownReport(msgspec.Struct, frozen=True, kw_only=True):
    """What a review agent said, in full, and of which tree it said it."""

    agent: str
    verdict: str
    findings: tuple[str, ...]
    recorded_at: str
    text: str
    saw: str
    """The commit that the work stood at then; empty: without git nobody can tell."""
    moved_on: bool
    """Files of the work have changed since."""


class AskedBefore(msgspec.Struct, frozen=True, kw_only=True):
    """A request of a person, or a finding, with what was said and done about it."""

    id: str
    stage: str
    title: str
    body: str
    status: str
    origin: str
    author: str
    resolution: str
    is_open: bool
    of_a_person: bool
    settled_by: str
    replies: tuple[dict[str, str], ...]


class AskedQuestion(msgspec.Struct, frozen=True, kw_only=True):
    """What an agent wants to know, and what there is to choose from."""

    text: str
    choices: tuple[tuple[str, str], ...] = ()
    """What is chosen, and a word about it."""
    why: str = ""
    """Why it is asked, as the agent says."""
    chooses: str = ""
    """`studio` where the choice is set in the plan; empty: it is said to the agent."""


class ReviewPage(msgspec.Struct, frozen=True, kw_only=True):
    intent: str
    title: str
    body: str
    stage: str
    asked: str
    """What is asked of the person now, and why."""
    waits: bool
    gate: ShownGate | None
    mark: str
    """The name of what is shown: with a decision it says what was decided over."""
    files: tuple[FileDiff, ...] = ()
    reports: tuple[ShownReport, ...] = ()
    requests: tuple[AskedBefore, ...] = ()
    documents: Documents = Documents(shown=())
    question: AskedQuestion | None = None
    elsewhere: bool = False
    """It is being reviewed elsewhere, or about to be."""
    review_url: str = ""
    follows: dict[Decision, str] = msgspec.field(default_factory=dict)
    """What happens next, for each decision."""
    asleep: bool = False
    problems: tuple[str, ...] = ()


def review_page(engine: Engine, slug: str) -> ReviewPage:
    """As it is now: nothing is written, and nothing counts as seen by it."""
    plan = engine.look(slug, truth=True)
    stage, step = plan.active, next_step(plan, clock.iso(clock.now()))
    clue = step.clue
    text = for_people(clue.message, clue.payload) if clue else "Nothing is asked of you: the work goes on by itself."
    if stage is not None and stage.state.question is not None:
        text = "The agent leaves a choice to you, and waits for it."
    page = ReviewPage(
        intent=slug,
        title=plan.intent.title,
        body=plan.intent.body,
        stage=stage.spec.name if stage else "",
        asked=text,
        waits=clue.waits if clue else False,
        gate=None,
        mark=mark_of(plan),
        requests=tuple(filed_requests(plan)),
        question=_question(plan, text, clue.action if clue else ""),
        asleep=engine.is_asleep(slug),
        problems=plan.problems,
    )
    if stage is None or not stage.state.phase:
        return page
    return _with_stage(page, engine, plan, stage)


def _with_stage(page: ReviewPage, engine: Engine, plan: Plan, stage: StageView) -> ReviewPage:
    slug = plan.intent.slug
    diff = stage_diff(engine.home, slug, stage.state, sys.maxsize)
    gate = view_gate(plan, stage, diff, changed_parts(engine.home, plan, stage))
    written = {unit.id: produced(engine.home, slug, stage.spec.name, unit.id) for unit in stage.units}
    return msgspec.structs.replace(
        page,
        gate=gate,
        files=tuple(with_units(parse_diff(diff.lines), stage.units, written)),
        reports=tuple(_reports(engine.home, plan, stage)),
        documents=documents_of(engine.home, slug, (stage.spec.name, INTENT_SCOPE)),
        elsewhere=ruled(looking(plan, ""), "external_review"),
        review_url=stage.state.external_review_url,
        follows=_follows(plan, gate),
        asked=_asked(gate, _follows(plan, gate)) if gate.decisions else page.asked,
    )


def _asked(gate: ShownGate, follows: dict[Decision, str]) -> str:
    """At a gate: what stands there, in figures; or what was decided and follows from it."""
    units, name = gate.stage.units, gate.stage.name
    if gate.decision is not None and gate.decision.counts:
        then = follows[gate.decision.decision]
        return f"Nothing waits for you: {then}, once the agent asks for its next step or `leeboard flow next` is run."
    if gate.is_plan:
        return f"Stage {name} is planned in {counted(len(units), 'unit')}. Nothing is built until you approve the plan."
    done = sum(unit.status == "completed" for unit in units)
    passed, runs = sum(run.passed for run in gate.runs), len(gate.runs) + len(gate.unproven)
    still = sum(item.is_open for item in gate.findings)
    figures = (
        f"{done} of {counted(len(units), 'unit')} completed",
        f"{passed} of {counted(runs, 'quality gate')} passed" if runs else "no quality gate",
        counted(len(gate.reports), "review"),
        f"{counted(still, 'finding')} open",
    )
    return f"The work of stage {name} is done: {', '.join(figures)}. Nothing goes on until you decide."


def _follows(plan: Plan, gate: ShownGate) -> dict[Decision, str]:
    names = [view.spec.name for view in plan.stages]
    after = names[names.index(gate.stage.name) + 1 :]
    if gate.is_plan:
        begun = len([unit for unit in gate.stage.units if unit.status != "completed"])
        approved = f"work on {begun} unit{'' if begun == 1 else 's'} begins"
        changes = "the plan goes back to the agent"
    else:
        approved = f"stage {after[0]} begins" if after else "the intent is completed"
        changes = "the stage is reviewed again once it is fixed"
    return {
        "approved": approved,
        "changes_requested": changes,
        "external_review": f"{plan.git.hub} is pushed, a request to merge it is opened; its merge releases the gate",
        "withdrawn": "the gate waits for a decision again",
    }


def _reports(home: str, plan: Plan, stage: StageView) -> Iterator[ShownReport]:
    folder, slug = PlanFolder(home), plan.intent.slug
    place = layout.place_of(home)
    for report in stage.reports:
        path = f"{layout.stage_folder(slug, stage.spec.name)}/reviews/visit-{stage.state.visits}/{report.agent}.md"
        try:
            text = folder.text(path) or "The text of this report is not there."
        except LeeboardError as error:
            text = f"The text of this report can not be read: {error}"
        saw, moved = _saw(Repository(place), plan, report.recorded_at) if place else ("", False)
        yield ShownReport(
            agent=report.agent,
            verdict=report.verdict,
            findings=report.findings,
            recorded_at=report.recorded_at,
            text=redact(text),
            saw=saw,
            moved_on=moved,
        )


def _saw(repository: Repository, plan: Plan, at: str) -> tuple[str, bool]:
    """The commit the work stood at, and whether its files differ by now; the plan's own records aside."""
    try:
        saw = repository.said("rev-list", "-1", "--first-parent", f"--before={at}", plan.git.hub) if at else ""
        compared = ("diff", "--name-only", saw, plan.git.hub, "--", ":(top)", f":(top,exclude){layout.HOME}")
        moved = repository.run(*compared, settings={"GIT_LITERAL_PATHSPECS": "0"}) if saw else b""
    except LeeboardError:
        return "", False
    return saw[:12], bool(moved)


def filed_requests(plan: Plan) -> Iterator[AskedBefore]:
    """Open ones first, then what was answered, then what has ended; the newest before the older ones."""
    filed = (*plan.feedback, *(item for view in plan.stages for item in view.feedback))
    rank = {"closed": 2, "rejected": 2}
    for item in sorted(filed, key=lambda item: (rank.get(item.status, 0 if item.is_open else 1), item.stage, item.id)):
        yield asked_before(item)


def asked_before(item: Feedback) -> AskedBefore:
    return AskedBefore(
        id=item.id,
        stage=item.stage,
        title=item.title,
        body=redact(item.body),
        status=item.status,
        origin=item.origin,
        author=item.author,
        resolution=item.resolution,
        is_open=item.is_open,
        of_a_person=item.is_human,
        settled_by=item.closed_by,
        replies=tuple({name: redact(text) for name, text in each.items()} for each in item.replies),
    )


def _question(plan: Plan, text: str, action: str) -> AskedQuestion | None:
    if action == "select_studio" and plan.studios:
        shown = tuple((each.slug, each.description or each.name) for each in plan.studios)
        return AskedQuestion(text=text, choices=shown, chooses="studio")
    active = plan.active
    if plan.intent.status != "active" or active is None or active.state.phase != "elaborate":
        return None
    open_ones = (each for each in reversed(active.state.decisions) if _may_be_chosen(each))
    asked = active.state.question or next(open_ones, None)
    if asked is None:
        return AskedQuestion(text=text)
    chosen = asked.get("choice", "")
    about = f"The agent chose {chosen}" if chosen else "The agent waits for your choice"
    why = redact(str(asked.get("rationale", "")))
    choices = tuple((str(each), "the agent's choice" if each == chosen else "") for each in asked["options"])
    return AskedQuestion(text=redact(str(asked.get("decision", ""))), choices=choices, why=f"{about}: {why}")


def _may_be_chosen(entry: dict[str, Any]) -> bool:
    """A choice that an agent made for itself may still be made otherwise while the stage is planned."""
    return entry.get("source") == "agent" and isinstance(entry.get("options"), list)
