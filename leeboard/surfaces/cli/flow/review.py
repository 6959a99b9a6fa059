"""`leeboard flow review`: look at what stands at a gate, and decide."""

from __future__ import annotations

import getpass
import sys
from typing import TYPE_CHECKING, Any

import click
from msgspec import to_builtins

from leeboard.app.person.gate import GateWord, keep_shown, record_decision
from leeboard.app.person.pull_request import WHO_FETCHES, OpenedReview, open_review
from leeboard.app.plan.changed import MOST_LINES, DefinitionChange, StageDiff, changed_parts, stage_diff
from leeboard.app.views.next_step import next_step
from leeboard.app.views.plan import (
    DECISIONS,
    ShownDecision,
    ShownGate,
    ShownStage,
    ShownUnit,
    mark_of,
    view_finding,
    view_gate,
)
from leeboard.app.views.tool_words import for_people
from leeboard.errors import ConfigError
from leeboard.io import clock
from leeboard.model.plan import Plan
from leeboard.model.unit import Decision, Feedback, GateRun, ReviewReport
from leeboard.plan.machine.entry import unreadable
from leeboard.plan.machine.refusal import refuse
from leeboard.surfaces.cli.flow.place import CurrentFlow, intent_option, tell_refusal
from leeboard.surfaces.cli.flow.units import show_waves
from leeboard.surfaces.cli.flow.view import show_slips
from leeboard.surfaces.cli.person import is_person, require_person
from leeboard.surfaces.cli.screen import json_option, print_json, print_wrapped, screen, words
from leeboard.text.words import counted

if TYPE_CHECKING:
    from leeboard.surfaces.cli.terminal import Console


@click.command(epilog="Example:  leeboard flow review --request-changes 'The error text names no file.'")
@click.option("--approve", is_flag=True, help="Let it pass.")
@click.option("--request-changes", "changes", metavar="TEXT", help="Send it back, with what has to change.")
@click.option(
    "--external",
    is_flag=False,
    flag_value="",
    metavar="[URL]",
    help="Open a request to merge it, and let its merge decide; URL: where it is open already.",
)
@click.option("--by-hand", is_flag=True, help="With --external: push and open nothing, print the commands.")
@click.option("--withdraw", is_flag=True, help="Take back what was decided, before anything follows from it.")
@click.option("--shown", default="", metavar="HASH", help="With --approve: only if this is what stands there.")
@click.option("--full", is_flag=True, help="Show the whole diff, however long.")
@intent_option
@json_option
def review(slug: str, changes: str | None, external: str | None, shown: str, **given: bool) -> int:
    """Show what stands at a gate, and decide about it.

    Shows the diff since the stage began, how its quality gates ended, what review agents reported and which findings
    are open; where a plan waits, its units. Without a decision it only shows. A decision is written to disk first, and
    whoever does the work goes on from there, also when everything else was stopped meanwhile. Only people decide: it
    refuses inside an agent. What was changed after you looked is not approved: look again. Until the work goes on you
    may decide otherwise, or take the decision back.

    --external pushes the branch of the intent with your keys and opens a pull or merge request with `gh` or `glab`;
    where that is not possible it prints the commands that are left. Its merge, also a squashed one, releases the gate.

    Exits 0, 1 when no such decision is waited for, or 4 when files of the plan can not be read.
    """
    flow, as_json = CurrentFlow(slug), given["as_json"]
    decision = _decision(changes, external, approve=given["approve"], withdrawn=given["withdraw"])
    if shown and decision != "approved":
        raise ConfigError("--shown goes with --approve: it says what is approved")
    if given["by_hand"] and (decision != "external_review" or external):
        raise ConfigError("--by-hand goes with --external alone: it says who pushes and opens the request")
    if given["full"] and decision is not None:
        raise ConfigError("--full is for looking: look first, then decide")
    if decision is None:
        return _show(flow, as_json=as_json, full=given["full"])
    require_person("flow review")

    word = GateWord(decision=decision, by=getpass.getuser(), changes=changes or "", url=external or "", shown=shown)
    refusal = record_decision(flow.engine, flow.slug, word)
    if refusal is not None:
        return tell_refusal(refusal, as_json=as_json)
    opened = None
    if decision == "external_review" and not external:
        opened = open_review(flow.engine, flow.slug, by_hand=given["by_hand"])
    return _tell_decided(flow, decision, opened, as_json=as_json)


def _tell_decided(flow: CurrentFlow, decision: Decision, opened: OpenedReview | None, *, as_json: bool) -> int:
    """That it is on the disk, what follows, and where a request to merge was opened."""
    plan = flow.look(truth=True)
    step = next_step(plan, clock.iso(clock.now()))
    following = step.clue.action if step.clue else ""
    if as_json:
        told = {"intent": flow.slug, "decision": decision} | ({"next": following} if following else {})
        print_json(told | ({"review": to_builtins(opened)} if opened else {}))
        return 0
    said = "written down; the agent, or `leeboard flow next`, goes on from here"
    screen().print(words((DECISIONS[decision], "bold"), f": {said}", f" with {following}" if following else ""))
    if opened:
        print_wrapped(words(("  review   ", "dim")), words(opened.text), screen())
        for line in opened.left:
            print_wrapped(words(("  run      ", "bold")), words(line), screen())
        print_wrapped(words(("  then     ", "dim")), words(WHO_FETCHES), screen())
    return 0


def _decision(changes: str | None, external: str | None, *, approve: bool, withdrawn: bool = False) -> Decision | None:
    """ConfigError where more than one is given."""
    asked: list[Decision] = ["approved"] if approve else []
    asked += ["changes_requested"] if changes is not None else []
    asked += ["external_review"] if external is not None else []
    if len(asked) > 1:
        raise ConfigError("--approve, --request-changes and --external are three decisions: give one")
    if withdrawn and asked:
        raise ConfigError("--withdraw takes a decision back; another decision stands in its place without it")
    return "withdrawn" if withdrawn else asked[0] if asked else None


def _show(flow: CurrentFlow, *, as_json: bool, full: bool) -> int:
    plan = flow.look(truth=True)
    if refusal := unreadable(plan):
        return tell_refusal(refusal, as_json=as_json)
    stage = plan.active
    if stage is None or not stage.state.phase:
        why = f"No stage of {plan.intent.slug} is being worked on."
        refusal = refuse("no_active_stage", why, "`leeboard flow status` shows all of it.")
        return tell_refusal(refusal, as_json=as_json)
    diff = stage_diff(flow.home, plan.intent.slug, stage.state, sys.maxsize if full else MOST_LINES)
    gate = view_gate(plan, stage, diff, changed_parts(flow.home, plan, stage))
    if as_json:
        print_json({**gate_object(gate), "shown": mark_of(plan)})
    else:
        show_slips(plan.notes, screen())
        show_gate(gate, screen())
        _show_mark(plan)
    if is_person():
        keep_shown(flow.home, plan)
    return 0


def _show_mark(plan: Plan) -> None:
    if mark := mark_of(plan):
        screen().print(words((f"this is {mark}: what changes from now on is not approved with it", "dim")))


# What a person looks at before they decide: the plan or the work of a stage, its proofs, what is open.


OPTIONS: dict[Decision, str] = {
    "approved": "--approve",
    "changes_requested": "--request-changes TEXT",
    "external_review": "--external [URL]",
}
_STYLES = {"+": "green", "-": "red", "@": "cyan"}
_TAIL = 5
MOST_TEXT = 40
"""Lines of a unit's text that are shown at the gate of its plan."""


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
        _show_text(unit, console)
        for head, names in (("reads", unit.inputs), ("makes", unit.outputs), ("may touch", unit.touch)):
            if names:
                print_wrapped(words(f"      {head:<11}"), words(", ".join(names)), console)
        for text, _ in unit.criteria:
            print_wrapped(words("      must hold  "), words(text), console)
        for gate in unit.quality_gates:
            print_wrapped(words("      gate       "), words(f"{gate.name}: {gate.command}"), console)


def _show_text(unit: ShownUnit, console: Console) -> None:
    """What is to be done, as it was written; its criteria stand below it."""
    lines = [
        line for line in unit.body.strip().splitlines() if not line.lstrip().startswith(("- [ ]", "- [x]", "- [X]"))
    ]
    while lines and not lines[-1].strip():
        lines.pop()
    for line in lines[:MOST_TEXT]:
        print_wrapped(words("      "), words(line), console)
    if len(lines) > MOST_TEXT:
        rest = f"{len(lines) - MOST_TEXT} more lines: `leeboard flow unit {unit.unit}` shows them"
        print_wrapped(words("      "), words((rest, "dim")), console)


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
