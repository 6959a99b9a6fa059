"""What a person looks at before they decide: the plan or the work of a stage, its proofs, what is open."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import to_builtins

from leeboard.model.plan import Plan, StageView
from leeboard.model.unit import Decision, Feedback, GateRun, ReviewReport
from leeboard.plan.machine.cautions import cautions
from leeboard.plan.machine.drift_gate import obstacle
from leeboard.plan.machine.look import looking
from leeboard.plan.machine.policy import offered, undecided
from leeboard.plan.machine.proof import owed, stage_commands, unchanged
from leeboard.plan.machine.stage_moves import GATES
from leeboard.plan.machine.table import stands_at
from leeboard.surfaces.cli.flow.changed import DefinitionChange, StageDiff
from leeboard.surfaces.cli.flow.tools import for_people
from leeboard.surfaces.cli.flow.units import show_waves
from leeboard.surfaces.cli.flow.view import Decided, decision_of, finding_object
from leeboard.surfaces.cli.screen import print_wrapped, words
from leeboard.text.words import counted

if TYPE_CHECKING:
    from rich.console import Console

OPTIONS: dict[Decision, str] = {
    "approved": "--approve",
    "changes_requested": "--request-changes TEXT",
    "external_review": "--external [URL]",
}
_STYLES = {"+": "green", "-": "red", "@": "cyan"}
_TAIL = 5


def choices(plan: Plan) -> tuple[Decision, ...]:
    """What a person can decide now, also where they may still think again; nothing where nobody is waited for."""
    look = undecided(looking(plan, ""))
    return offered(look) if plan.sealed and stands_at(look) in GATES else ()


def show_gate(
    plan: Plan, stage: StageView, diff: StageDiff, console: Console, changes: tuple[DefinitionChange, ...] = ()
) -> None:
    planned = stage.state.phase == "elaborate" or bool(changes)
    what = "the plan of stage" if planned else "stage"
    console.print(words((plan.intent.slug, "bold"), f"  {what} {stage.spec.name}, visit {stage.state.visits}"))
    for text in cautions(stage):
        print_wrapped(words(("  note     ", "yellow")), words(text), console)
    _show_changes(changes, console)
    if planned:
        _show_units(plan, stage, console)
    _show_runs(plan, stage, console)
    _show_reports(stage.reports, console)
    _show_findings(findings_of(plan, stage), console)
    _show_unchanged(unchanged(plan, stage), stage, console)
    _show_diff(diff, console)
    if found := decision_of(plan):
        print_wrapped(words(("  decided  ", "bold green")), words(_decided_text(found)), console)
    decisions = [OPTIONS[each] for each in choices(plan)]
    said = f"decide with {', '.join(decisions)}" if decisions else _unready(plan)
    console.print(words((said, "bold")))


def _decided_text(found: Decided) -> str:
    who = f"{found.text} by {found.by or 'somebody'}, {found.at}"
    if not found.counts:
        return f"{who}; what it was given for has changed since, so it does not count: decide again"
    return (
        f"{who}; it takes effect with the next `leeboard flow next`, or when the agent asks. Until then --withdraw "
        "takes it back, and another decision stands in its place"
    )


def _show_changes(changes: tuple[DefinitionChange, ...], console: Console) -> None:
    for each in changes:
        console.print(words(("  changed  ", "dim"), (each.name, "yellow"), " since the plan was approved"))
        if each.unknown:
            console.print(words((f"             {each.unknown}", "dim")))
        for part in each.parts:
            console.print(words(f"             {part.part}"))
            for line in part.was:
                print_wrapped(words(("               - ", "red")), words((line, "red")), console)
            for line in part.now:
                print_wrapped(words(("               + ", "green")), words((line, "green")), console)


def _unready(plan: Plan) -> str:
    if text := obstacle(plan):
        return for_people(text, {"intent": plan.intent.slug})
    if stands_at(looking(plan, "")) == "commit_wip":
        return f"commit or stash {', '.join(plan.git.dirty)} first: what is decided on is what git keeps"
    return "no decision is waited for"


def findings_of(plan: Plan, stage: StageView) -> tuple[Feedback, ...]:
    """Those that are not ended: also what is settled and waits for the person to look."""
    return tuple(item for item in (*plan.feedback, *stage.feedback) if item.status not in {"closed", "rejected"})


def _show_units(plan: Plan, stage: StageView, console: Console) -> None:
    show_waves(plan, stage, console, indent=2)
    for unit in stage.units:
        if unit.status == "completed":
            continue
        console.print(words(f"  {unit.id}", (f"  {unit.title}", "dim")))
        for text, _ in unit.criteria:
            print_wrapped(words("      must hold  "), words(text), console)
        for gate in unit.quality_gates:
            print_wrapped(words("      gate       "), words(f"{gate.name}: {gate.command}"), console)


def _show_runs(plan: Plan, stage: StageView, console: Console) -> None:
    for run in runs_of(stage):
        console.print(words(("  gate     ", "dim"), f"{run.name}: ", _verdict(run), f" ({run.seconds:.1f} s)"))
        tail = run.tail.strip().splitlines()[-_TAIL:] if not run.passed else []
        for line in tail:
            console.print(words((f"             {line}", "dim")))
    if stage.state.phase in {"review", "gate"}:
        for gate in owed(stage_commands(plan, stage), stage):
            console.print(words(("  gate     ", "dim"), f"{gate.name}: ", ("not run over this tree", "yellow")))


def runs_of(stage: StageView) -> tuple[GateRun, ...]:
    """Over the primary work tree, as it is now."""
    return tuple(run for run in stage.gate_runs if not run.unit)


def _verdict(run: GateRun) -> tuple[str, str]:
    if run.missing:
        return f"not run, {run.missing} is not installed", "yellow"
    if run.passed:
        return "passed", "green"
    return ("failed, out of time" if run.code is None else f"failed with {run.code}"), "red"


def _show_reports(reports: tuple[ReviewReport, ...], console: Console) -> None:
    for report in reports:
        found = f" ({', '.join(report.findings)})" if report.findings else ""
        console.print(words(("  review   ", "dim"), f"{report.agent}: {report.verdict}{found}"))


def _show_findings(items: tuple[Feedback, ...], console: Console) -> None:
    for item in items:
        state = (item.status, "red" if item.is_open else "green")
        console.print(words(("  finding  ", "dim"), f"{item.id} ", state, f": {item.title}"))


def _show_unchanged(found: list[dict[str, str]], stage: StageView, console: Console) -> None:
    """What was let through on a reason alone, for people to judge."""
    for each in found:
        name = each.get("unit") or f"{each['feedback_id']} ({each['title']})"
        if each.get("stage", stage.spec.name) != stage.spec.name:
            name = f"{each['stage'] or 'intent'}/{name}"
        print_wrapped(words(("  no change", "yellow"), f"  {name}: "), words(each["reason"]), console)


def _show_diff(diff: StageDiff, console: Console) -> None:
    if not diff.base:
        console.print(words(("  diff     ", "dim"), "there is nothing to compare with: no git, or no commit yet"))
        return
    own = f"; {counted(diff.records, 'record')} of the plan not shown" if diff.records else ""
    console.print(words(("  diff     ", "dim"), f"{counted(len(diff.files), 'file')} since {diff.base[:12]}{own}"))
    for path, more, fewer in diff.files:
        change = ("not text", "dim") if more < 0 else (f"+{more} -{fewer}", "")
        console.print(words("             ", f"{path}  ", change))
    for line in diff.lines:
        console.print(words((line, "bold" if line.startswith("diff ") else _STYLES.get(line[:1], ""))))
    if diff.left_out:
        console.print(words((f"{diff.left_out} more lines: --full shows them", "yellow")))


def gate_object(
    plan: Plan, stage: StageView, diff: StageDiff, changes: tuple[DefinitionChange, ...] = ()
) -> dict[str, Any]:
    return {
        "intent": plan.intent.slug,
        "stage": stage.spec.name,
        "phase": stage.state.phase,
        "visit": stage.state.visits,
        "decisions": list(choices(plan)),
        "decided": to_builtins(decision_of(plan)),
        "why_not": "" if choices(plan) else _unready(plan),
        "warnings": cautions(stage),
        "gates": [to_builtins(run) for run in runs_of(stage)],
        "reports": [to_builtins(report) for report in stage.reports],
        "findings": [finding_object(item) for item in findings_of(plan, stage)],
        "nothing_changed": unchanged(plan, stage),
        "base": diff.base or None,
        "files": [{"path": path, "added": more, "removed": fewer} for path, more, fewer in diff.files],
        "diff": "\n".join(diff.lines),
        "diff_left_out": diff.left_out,
        "records_left_out": diff.records,
        "changed": [to_builtins(each) for each in changes],
    }
