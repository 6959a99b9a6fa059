"""What moves a stage or the intent as a whole: decisions, reports, going back, and the choices before the start."""

from __future__ import annotations

from typing import Any

from leeboard.model.plan import Plan, StageView
from leeboard.model.studio import Studio
from leeboard.model.text import digest
from leeboard.model.unit import Decision, Feedback, ReviewReport
from leeboard.plan.effect import (
    Effect,
    NewFeedback,
    PlanStep,
    RecordReport,
    RecordRuling,
    Refusal,
    WriteFeedback,
    WriteIntent,
    WriteStage,
)
from leeboard.plan.machine.drift_gate import obstacle
from leeboard.plan.machine.look import MOST_AGENT_REVISITS, agent_revisits, committed, looking, named, one_of, reopened
from leeboard.plan.machine.policy import (
    NOBODY,
    chosen_fields,
    context,
    guard,
    guards,
    is_discrete,
    offered,
    shown,
    undecided,
    unfollowed,
)
from leeboard.plan.machine.proof import failed, owed, stage_commands
from leeboard.plan.machine.refusal import closed, in_phase, refuse, standing, unknown_stage
from leeboard.plan.machine.table import stands_at
from leeboard.text.words import counted

GATES = ("gate_review", "external_review_requested", "awaiting_external_review")
"""The actions a person's decision answers."""


def decide(plan: Plan, decision: Decision, by: str, now: str, feedback: str = "") -> PlanStep | Refusal:
    """A person's ruling at the gate the intent stands at. It is written down first; the next tick acts on it.

    Until then they may decide otherwise: the newest decision counts.
    """
    stage = standing(plan)
    if isinstance(stage, Refusal):
        return stage
    look = undecided(looking(plan, now))
    if (at := stands_at(look)) == "commit_wip":
        why = f"Changes are not committed, and what is decided on is what git keeps: {named(plan.git.dirty)}."
        return refuse("uncommitted_changes", why, "Commit or stash them first.", dirty_files=list(plan.git.dirty))
    if at not in GATES:
        why = obstacle(plan) or f"Stage {stage.spec.name} waits for no decision."
        return refuse("gate_not_open", why, phase=stage.state.phase)
    if decision not in offered(look):
        why = f"{decision} can not be decided here; {named(list(offered(look)))} can."
        return refuse("decision_not_offered", why, "Choose one of them.", decisions=list(offered(look)))
    if decision == "changes_requested" and not feedback.strip():
        return refuse("feedback_required", "Nothing says what to change.", "Say it in the feedback.")
    ruling = RecordRuling(
        stage=stage.spec.name,
        decision=decision,
        feedback=feedback,
        by=by,
        visit=stage.state.visits,
        context=context(look),
        shown=shown(look),
    )
    noted = decision == "approved" and plan.guarding != plan.intent.guarding
    return PlanStep(do=(ruling, WriteIntent(fields={"guarding": list(plan.guarding)})) if noted else (ruling,))


def withdraw(plan: Plan, by: str, now: str) -> PlanStep | Refusal:
    """Take back what was decided, before anything follows from it: the gate waits for a decision again."""
    stage = standing(plan)
    if isinstance(stage, Refusal):
        return stage
    look = looking(plan, now)
    found = unfollowed(look)
    if found is None:
        why = f"There is no decision about stage {stage.spec.name} that could be taken back."
        return refuse("nothing_to_withdraw", why, "What was acted on already is asked for anew, with a finding.")
    taken_back = RecordRuling(
        stage=stage.spec.name,
        decision="withdrawn",
        feedback="",
        by=by,
        visit=found.visit,
        context=found.context,
        takes_back=len(undecided(look).stage.rulings) - len(stage.rulings),
    )
    return PlanStep(do=(taken_back,))


def record_report(plan: Plan, report: ReviewReport, body: str) -> PlanStep | Refusal:
    """What a review agent said, for this visit. It counts only over a tree whose quality gates hold."""
    stage = in_phase(plan, "review", "A review report")
    if isinstance(stage, Refusal):
        return stage
    known = [agent.name for agent in stage.spec.reviewers]
    if report.agent not in known:
        why = f"Stage {stage.spec.name} has no review agent {report.agent}; it has {named(known) or 'none'}."
        return refuse("reviewer_unknown", why, "Name one of them.", agents=known)
    if refusal := _unproven(plan, stage) or _moved_on(stage) or _unsound(stage, report, body):
        return refusal
    effect = RecordReport(
        stage=stage.spec.name,
        agent=report.agent,
        verdict=report.verdict,
        body=body,
        findings=report.findings,
        tree=stage.reviewed,
    )
    return PlanStep(do=(effect,))


def _unproven(plan: Plan, stage: StageView) -> Refusal | None:
    commands = stage_commands(plan, stage)
    unproven = [gate.name for gate in owed(commands, stage)] + [run.name for run in failed(commands, stage)]
    if not unproven:
        return None
    why = f"Quality gates come before reviews, and {named(unproven)} does not hold over this tree."
    return refuse("gates_unproven", why, missing=unproven)


def _moved_on(stage: StageView) -> Refusal | None:
    """Whoever was asked looked at another tree."""
    if stage.state.review_tree in {"", stage.reviewed}:
        return None
    why = f"The work of stage {stage.spec.name} changed since its review was asked for: the report is not about it."
    return refuse("tree_changed", why)


def _unsound(stage: StageView, report: ReviewReport, body: str) -> Refusal | None:
    """A report has to say something, and its findings have to be filed."""
    if report.agent in {each.agent for each in stage.reports if each.tree == stage.reviewed}:
        return refuse("already_reported", f"{report.agent} has reported on this tree.")
    if not body.strip():
        return refuse("report_empty", "The report says nothing.", "Give the report in full.")
    if (report.verdict == "findings") != bool(report.findings):
        step = "File what was found with haiku_feedback and name the ids; without any, the verdict is pass."
        why = f"The verdict {report.verdict} and {counted(len(report.findings), 'finding')} contradict each other."
        return refuse("findings_missing", why, step)
    filed = {item.id for item in stage.feedback}
    unknown = [name for name in report.findings if name not in filed]
    if unknown:
        why = f"No such findings in stage {stage.spec.name}: {named(unknown)}."
        return refuse("feedback_not_found", why, "File them with haiku_feedback first.", missing=unknown)
    return None


def revisit(plan: Plan, now: str, stage: str = "", reason: str = "", *, by_person: bool = False) -> PlanStep | Refusal:
    """Go back to a stage that was reached. It is asked for by a finding, so that no death on the way can lose it.

    A person who asks again before anybody went back changes their words: it is one request.
    """
    target = _revisited(plan, stage, by_person=by_person)
    if isinstance(target, Refusal):
        return target
    name = target.spec.name
    if by_person and not reason.strip():
        why = f"Nothing says why to go back to {name}; the new units of the stage have to settle it."
        return refuse("reason_missing", why, "Give the reason.")
    if not by_person and agent_revisits(target) >= MOST_AGENT_REVISITS:
        why = f"{name} went back to its beginning {agent_revisits(target)} times for agents."
        step = f"Tell the user; they may revisit it with `leeboard flow revisit {name} --reason WHY`."
        return refuse("iteration_limit", why, step, max=MOST_AGENT_REVISITS)
    text = reason.strip() or f"Revisit {name}"
    title = text.splitlines()[0][:120]
    earlier = next((item for item in target.feedback if by_person and _is_asking(item)), None)
    if earlier is not None:
        return PlanStep(do=(*reopened(plan), _reworded(earlier, title, text, now)))
    asked = NewFeedback(
        stage=name,
        title=title,
        body=text,
        origin="user-revisit" if by_person else "agent",
        author="user" if by_person else "agent",
        key=_asking_key(target, text),
        fields={"resolution": "stage_revisit", "triaged_at": now, "resolution_by": "user" if by_person else ""},
    )
    return PlanStep(do=(*reopened(plan), asked))


def _is_asking(item: Feedback) -> bool:
    """Whether a person asked for it, and nobody went back yet."""
    return item.origin == "user-revisit" and item.status == "pending" and item.resolution == "stage_revisit"


def _reworded(item: Feedback, title: str, text: str, now: str) -> WriteFeedback:
    fields: dict[str, Any] = {"title": title}
    if text not in {item.body.strip(), *(each["text"] for each in item.replies)}:
        fields["replies"] = [*map(dict, item.replies), {"author": "user", "at": now, "text": text}]
    return WriteFeedback(stage=item.stage, feedback=item.id, fields=fields)


def _asking_key(target: StageView, text: str) -> str:
    """The same words are the same request while it is open; once it was settled, they are a new one."""
    key = f"revisit/{target.spec.name}/{target.state.visits}/{digest(text)}"
    settled = sum(item.source_ref.startswith(key) and not item.is_open for item in target.feedback)
    return f"{key}.{settled}" if settled else key


def _revisited(plan: Plan, stage: str, *, by_person: bool) -> StageView | Refusal:
    done = plan.intent.status == "completed" and by_person
    goes_back = bool(stage) and plan.intent.status != "completed"  # also before the next stage has begun
    here = closed(plan) if done or goes_back else standing(plan)
    if isinstance(here, Refusal):
        return here
    reached = looking(plan, "").reached
    names = [view.spec.name for view in reached]
    if not stage:
        if here is not None and here.state.phase != "elaborate":
            return here
        why = "Which stage to go back to is not said, and this one is at its beginning."
        return refuse("revisit_needs_stage", why, f"Name {one_of(names)}.", stages=names)
    view = plan.stage(stage)
    if view is None:
        return unknown_stage(plan, stage)
    if stage not in names:
        why = f"{stage} was not reached yet: a revisit goes back, never forward."
        return refuse("revisit_forward", why, f"Name {one_of(names)}.", stages=names)
    return view


def external_url(plan: Plan, url: str, *, by_person: bool = False) -> PlanStep | Refusal:
    """Where the stage is being reviewed. The address that a person gave stays."""
    stage = standing(plan)
    if isinstance(stage, Refusal):
        return stage
    if not url.startswith(("https://", "http://")) or any(mark.isspace() for mark in url):
        return refuse("url_invalid", "That is no web address.", "Give the address of the review, from https:// on.")
    known = stage.state.external_review_url
    if not by_person and known != url and stage.state.external_review_by == "user":
        why = f"A person said where stage {stage.spec.name} is reviewed: {known}."
        return refuse("url_of_a_person", why, "Leave external_review_url out.", external_review_url=known)
    fields = {"external_review_url": url, "external_review_by": "user" if by_person else "agent"}
    return PlanStep(do=(WriteStage(stage=stage.spec.name, fields=fields),))


def select_studio(plan: Plan, studio: str, *, by_person: bool = False) -> PlanStep | Refusal:
    """Before the first stage begins; by slug, name or alias. What a person chose, no agent takes from them."""
    if refusal := closed(plan) or _settled(plan, "The studio"):
        return refusal
    wanted = studio.strip().lower()
    for each in plan.studios:
        if wanted in {name.lower() for name in (each.slug, each.name, *each.aliases)}:
            if by_person:
                return PlanStep(do=(WriteIntent(fields=chosen_fields(each)),))
            kept = WriteIntent(fields={"studio": each.slug, "guards": list(guards(each.stages))})
            return _persons_studio(plan, each) or PlanStep(do=(kept,))
    known = [each.slug for each in plan.studios]
    why = f"There is no studio {studio}; there is {named(known) or 'none'}."
    return refuse("studio_unknown", why, "Choose one of them.", studios=known)


def _persons_studio(plan: Plan, studio: Studio) -> Refusal | None:
    """Why an agent may not choose it: a person chose another one, or nobody would ever be asked."""
    was = plan.intent.studio_chosen
    step = f"Tell the user: they choose it with `leeboard flow studio {studio.slug}`."
    if was and studio.slug != was:
        why = f"A person chose the studio {was}: only a person chooses another one."
    else:
        return asks_nobody(studio)
    return refuse("persons_studio", why, step, studio=was)


def asks_nobody(studio: Studio) -> Refusal | None:
    """Why no agent begins with it, or chooses it: the work would be completed without a person."""
    if any(guard(spec) != NOBODY for spec in studio.stages):
        return None
    why = f"No person lets any stage of {studio.slug} through: only a person chooses such a studio."
    step = f"Tell the user: they begin with `leeboard flow new --studio {studio.slug}`, or choose it for an intent "
    return refuse("persons_studio", why, f"{step}that is there with `leeboard flow studio {studio.slug}`.", studio="")


def select_mode(plan: Plan, mode: str, *, by_person: bool = False) -> PlanStep | Refusal:
    """An agent may ask for more of a person's gates, never for less."""
    if refusal := closed(plan) or _settled(plan, "The mode"):
        return refusal
    if mode not in MODES:
        return refuse("mode_unknown", f"There is no mode {mode}.", f"Choose one of {named(MODES)}.", modes=list(MODES))
    if not by_person and is_discrete(plan.intent) and mode != plan.intent.mode:
        why = f"{plan.intent.slug} goes from stage to stage by a person's word: only a person changes that."
        return refuse(
            "persons_mode", why, "Tell the user; `leeboard flow new --mode` chooses it.", mode=plan.intent.mode
        )
    return PlanStep(do=(WriteIntent(fields={"mode": mode}),))


MODES = ("continuous", "discrete")


def select_stages(plan: Plan, stages: tuple[str, ...]) -> PlanStep | Refusal:
    """Those the intent goes through, in the order of the studio. None that a person lets through may be left out."""
    if refusal := closed(plan) or _settled(plan, "The stages"):
        return refusal
    known = [stage.name for stage in plan.studio.stages] if plan.studio else []
    unknown = [name for name in stages if name not in known]
    if unknown or not stages:
        why = f"No such stages: {named(unknown)}." if unknown else "No stage is named."
        step = f"Choose from {named(known)}." if known else "Choose a studio first, with haiku_select_studio."
        return refuse("stage_unknown", why, step, stages=known)
    if refusal := _unguarded(plan, stages):
        return refusal
    kept = [name for name in known if name in stages]
    noted = [line for line in plan.intent.guards if line.rpartition("=")[0] in kept]
    return PlanStep(do=(WriteIntent(fields={"stages": kept, "guards": noted}),))


def _unguarded(plan: Plan, stages: tuple[str, ...]) -> Refusal | None:
    left = [view.spec.name for view in plan.stages if view.spec.name not in stages and guard(view.spec) != NOBODY]
    if not left:
        return None
    why = f"A person lets {named(left)} through: only a person leaves that out."
    step = "Name it too; or the user takes it out of `stages` in intent.md and runs `leeboard flow repair --apply`."
    return refuse("persons_gate", why, step, stages=left)


def _settled(plan: Plan, what: str) -> Refusal | None:
    if not any(view.state.visits or view.state.phase for view in plan.stages):
        return None
    return refuse("stage_already_started", f"{what} can not change: a stage has begun.")


def archive(plan: Plan, now: str, *, archived: bool = True) -> PlanStep | Refusal:
    """Put the intent away, or take it out again."""
    if plan.intent.archived == archived:
        state = "archived" if archived else "not archived"
        return refuse("noop", f"{plan.intent.slug} is {state} already.", "There is nothing to do.")
    effects: tuple[Effect, ...] = (WriteIntent(fields={"archived": archived, "archived_at": now if archived else ""}),)
    git = plan.git
    if git.available and git.branch == git.hub and not git.under_way:  # else git would refuse to leave the branch
        effects = (*effects, committed(plan, "archive" if archived else "take out of the archive"))
    return PlanStep(do=effects)
