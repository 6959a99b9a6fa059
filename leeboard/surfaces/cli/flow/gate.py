"""What a person looks at before they decide: the plan or the work of a stage, its proofs, what is open."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import to_builtins

from leeboard.app.plan.changed import DefinitionChange, StageDiff
from leeboard.app.views.plan import ShownDecision, ShownGate, ShownStage, view_finding
from leeboard.model.unit import Decision, Feedback, GateRun, ReviewReport
from leeboard.surfaces.cli.flow.tools import for_people
from leeboard.surfaces.cli.flow.units import show_waves
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


def show_gate(gate: ShownGate, console: Console) -> None:
    stage = gate.stage
    what = "the plan of stage" if gate.is_plan else "stage"
    console.print(words((gate.intent, "bold"), f"  {what} {stage.name}, visit {stage.visits}"))
    for text in gate.cautions:
        print_wrapped(words(("  note     ", "yellow")), words(text), console)
    _show_changes(gate.changes, console)
    if gate.is_plan:
        _show_units(stage, console)
    _show_runs(gate, console)
    _show_reports(gate.reports, console)
    _show_findings(gate.findings, console)
    _show_unchanged(gate, console)
    _show_diff(gate.diff, console)
    if gate.decision:
        print_wrapped(words(("  decided  ", "bold green")), words(_decided_text(gate.decision)), console)
    decisions = [OPTIONS[each] for each in gate.decisions]
    said = f"decide with {', '.join(decisions)}" if decisions else _unready(gate)
    console.print(words((said, "bold")))


def _decided_text(found: ShownDecision) -> str:
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


def _unready(gate: ShownGate) -> str:
    if gate.obstacle:
        return for_people(gate.obstacle, {"intent": gate.intent})
    if gate.uncommitted:
        return f"commit or stash {', '.join(gate.uncommitted)} first: what is decided on is what git keeps"
    return "no decision is waited for"


def _show_units(stage: ShownStage, console: Console) -> None:
    show_waves(stage.waves, console, indent=2)
    for unit in stage.units:
        if unit.status == "completed":
            continue
        console.print(words(f"  {unit.unit}", (f"  {unit.title}", "dim")))
        for text, _ in unit.criteria:
            print_wrapped(words("      must hold  "), words(text), console)
        for gate in unit.quality_gates:
            print_wrapped(words("      gate       "), words(f"{gate.name}: {gate.command}"), console)


def _show_runs(gate: ShownGate, console: Console) -> None:
    for run in gate.runs:
        console.print(words(("  gate     ", "dim"), f"{run.name}: ", _verdict(run), f" ({run.seconds:.1f} s)"))
        tail = run.tail.strip().splitlines()[-_TAIL:] if not run.passed else []
        for line in tail:
            console.print(words((f"             {line}", "dim")))
    for each in gate.unproven:
        console.print(words(("  gate     ", "dim"), f"{each.name}: ", ("not run over this tree", "yellow")))


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


def _show_unchanged(gate: ShownGate, console: Console) -> None:
    """What was let through on a reason alone, for people to judge."""
    for each in gate.unchanged:
        name = each.get("unit") or f"{each['feedback_id']} ({each['title']})"
        if each.get("stage", gate.stage.name) != gate.stage.name:
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


def gate_object(gate: ShownGate) -> dict[str, Any]:
    diff = gate.diff
    return {
        "intent": gate.intent,
        "stage": gate.stage.name,
        "phase": gate.stage.phase,
        "visit": gate.stage.visits,
        "decisions": list(gate.decisions),
        "decided": to_builtins(gate.decision),
        "why_not": "" if gate.decisions else _unready(gate),
        "warnings": list(gate.cautions),
        "gates": [to_builtins(run) for run in gate.runs],
        "reports": [to_builtins(report) for report in gate.reports],
        "findings": [to_builtins(view_finding(item)) for item in gate.findings],
        "nothing_changed": list(gate.unchanged),
        "base": diff.base or None,
        "files": [{"path": path, "added": more, "removed": fewer} for path, more, fewer in diff.files],
        "diff": "\n".join(diff.lines),
        "diff_left_out": diff.left_out,
        "records_left_out": diff.records,
        "changed": [to_builtins(each) for each in gate.changes],
    }
