"""review: what the stage must bring forth, then its quality gates, then its review agents, then the gate."""

from __future__ import annotations

from leeboard.model.plan import MOST_GATE_TRIES, Iteration
from leeboard.model.studio import Reviewer
from leeboard.plan.effect import RunGates, WriteStage
from leeboard.plan.machine import findings
from leeboard.plan.machine.look import PlanLook, RowMatch, begun, named
from leeboard.plan.machine.proof import failed, failure_payload, owed, stage_commands, warnings


def work_left(look: PlanLook) -> RowMatch | None:
    """A unit was added or reopened by hand: the stage is not done."""
    return RowMatch() if any(unit.status != "completed" for unit in look.stage.units) else None


def uncommitted(look: PlanLook) -> RowMatch | None:
    """What is shown and approved is what git keeps. While a fix is under way its changes may lie open."""
    git = look.plan.git
    fixed_now = not _fixes_wait(look) and any(
        item.status == "fixing" and findings.is_inline(item) for item in look.open_feedback
    )
    if not git.dirty or fixed_now:
        return None
    text = (
        f"Stage {look.stage.spec.name} is shown and decided on as it is committed, and the work tree has changes that "
        f"are not: {named(git.dirty)}. Commit what belongs to the work; ask the user about the rest."
    )
    payload = {"current_branch": git.branch, "target_branch": git.hub, "dirty_files": list(git.dirty)}
    return RowMatch(text=text, payload=payload)


def gates_owed(look: PlanLook) -> RowMatch | None:
    commands = owed(stage_commands(look.plan, look.stage), look.stage)
    return RowMatch(do=(RunGates(stage=look.stage.spec.name, commands=commands),)) if commands else None


def failure_uncounted(look: PlanLook) -> RowMatch | None:
    """A try is counted once for each tree it failed over, so that neither looking nor dying adds to it."""
    found = failed(stage_commands(look.plan, look.stage), look.stage)
    state = look.stage.state
    if not found or (state.gate_tries and state.gate_tree == found[0].tree):
        return None
    fields = {"gate_tries": state.gate_tries + 1, "gate_tree": found[0].tree}
    return RowMatch(do=(WriteStage(stage=look.stage.spec.name, fields=fields),))


def gates_failed_too_often(look: PlanLook) -> RowMatch | None:
    found = failed(stage_commands(look.plan, look.stage), look.stage)
    if not found or look.stage.state.gate_tries < MOST_GATE_TRIES:
        return None
    text = (
        f"{named([run.name for run in found])} failed over {look.stage.state.gate_tries} states of the tree. "
        "A person decides: they mend it, or revisit the stage; the gates run again as soon as the tree changes."
    )
    payload = {
        "reason": "quality_gate_limit",
        "iteration": look.stage.state.gate_tries,
        "max_iterations": MOST_GATE_TRIES,
        "failures": failure_payload(found),
    }
    return RowMatch(text=text, payload=payload)


def gates_failed(look: PlanLook) -> RowMatch | None:
    found = failed(stage_commands(look.plan, look.stage), look.stage)
    if not found:
        return None
    tries = look.stage.state.gate_tries
    text = (
        f"Quality gates of stage {look.stage.spec.name} fail: {named([run.name for run in found])} (try {tries} of "
        f"{MOST_GATE_TRIES}). Its units are completed and merged: fix it {_primary(look)}, and commit it there."
    )
    payload = {
        "failures": failure_payload(found),
        "try": tries,
        "max_tries": MOST_GATE_TRIES,
        "warnings": warnings(stage_commands(look.plan, look.stage), look.stage),
    }
    return RowMatch(text=text, payload=payload)


def _primary(look: PlanLook) -> str:
    git = look.plan.git
    return f"in the primary work tree, on {git.hub}" if git.available else "in the work tree"


def reviewers_owed(look: PlanLook) -> tuple[Reviewer, ...]:
    """Those whose report of this visit and of the work as it is now is not recorded."""
    reported = {report.agent for report in look.stage.reports if report.tree == look.stage.reviewed}
    return tuple(agent for agent in look.stage.spec.reviewers if agent.name not in reported)


def _fixes_wait(look: PlanLook) -> bool:
    """Review agents speak first, each once in a visit; what a person asked for is mended before they look."""
    heard = {report.agent for report in look.stage.reports}
    unheard = any(agent.name not in heard for agent in look.stage.spec.reviewers)
    return unheard and not any(item.is_human and findings.is_inline(item) for item in look.feedback)


def revisit_unclaimed(look: PlanLook) -> RowMatch | None:
    if findings.revisit_unclaimed(look) is None:
        return None
    why = "what it was revisited for is not settled"
    visit = Iteration(index=look.stage.state.visits + 1, started_at=look.now, trigger="external-changes", reason=why)
    return RowMatch(fields=begun(look.stage.state, visit))


def fix_over_cap(look: PlanLook) -> RowMatch | None:
    return None if _fixes_wait(look) else findings.fix_over_cap(look)


def fix_without_hats(look: PlanLook) -> RowMatch | None:
    return None if _fixes_wait(look) else findings.fix_without_hats(look)


def fix_unstarted(look: PlanLook) -> RowMatch | None:
    return None if _fixes_wait(look) else findings.fix_unstarted(look)


def fix_going(look: PlanLook) -> RowMatch | None:
    return None if _fixes_wait(look) else findings.fix_going(look)


def review_owed(look: PlanLook) -> RowMatch | None:
    agents = reviewers_owed(look)
    if not agents:
        return None
    text = (
        f"Let each of these review the stage, in an agent of its own: {named([agent.name for agent in agents])}. They "
        "file what they find with haiku_feedback; record each report with haiku_review_report."
    )
    payload = {
        "agents": [{"name": agent.name, "mandate": agent.mandate, "model": agent.model} for agent in agents],
        "reported": [report.agent for report in look.stage.reports if report.tree == look.stage.reviewed],
        "warnings": warnings(stage_commands(look.plan, look.stage), look.stage),
    }
    asked = WriteStage(stage=look.stage.spec.name, fields={"review_tree": look.stage.reviewed})
    is_noted = look.stage.state.review_tree == look.stage.reviewed
    return RowMatch(text=text, payload=payload, do=() if is_noted else (asked,))


def all_reviewed(_look: PlanLook) -> RowMatch | None:
    """The rows before it found nothing owed."""
    return RowMatch()
