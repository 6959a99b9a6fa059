"""Units as people read and move them: in waves, with who works on each and what each waits for."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import click
from msgspec import to_builtins
from msgspec.structs import replace

from leeboard.app.person.gate import Change
from leeboard.app.plan.unit_page import draft_unit, tick_off
from leeboard.app.views.plan import ShownUnit, view_unit, view_waves
from leeboard.errors import ConfigError
from leeboard.model.plan import Clue, Plan, StageView
from leeboard.model.unit import Pass, ReviewReport
from leeboard.plan.effect import PlanStep, Refusal
from leeboard.plan.machine import moves
from leeboard.plan.machine.held import HeldHat, stale_unit, unassessed
from leeboard.plan.machine.proof import GATES_FAIL, by_gates, sender
from leeboard.surfaces.cli.flow.place import CurrentFlow, intent_option, tell_outcome
from leeboard.surfaces.cli.person import is_person
from leeboard.surfaces.cli.screen import fields, json_option, paragraphs, print_json, screen, words

if TYPE_CHECKING:
    from leeboard.surfaces.cli.terminal import Console, Text

MARKS = {"completed": "[x]", "active": "[>]", "pending": "[ ]", "blocked": "[!]"}
STYLES = {"completed": "green", "active": "bold", "pending": "dim", "blocked": "red"}


def show_waves(waves: tuple[tuple[ShownUnit, ...], ...], console: Console, indent: int = 0) -> None:
    """A line for each unit, the number of its wave before the first of them."""
    width = max((len(unit.unit) for wave in waves for unit in wave), default=0)
    for number, wave in enumerate(waves):
        for at, unit in enumerate(wave):
            head = f"wave {number}" if at == 0 else ""
            line = words(" " * indent, (f"{head:<8}", "dim"), (MARKS[unit.status], STYLES[unit.status]))
            console.print(line.append_text(words(f" {unit.unit:<{width}}  ", unit.state)))


def unit_rows(unit: ShownUnit) -> list[tuple[str, Text | str]]:
    rows: list[tuple[str, Text | str]] = [
        ("unit", words((unit.unit, "bold"), f"  {unit.title}")),
        ("stage", unit.stage),
        ("state", unit.state),
    ]
    rows += [("depends on", name) for name in unit.depends_on]
    rows += [("reads", name) for name in unit.inputs] + [("makes", name) for name in unit.outputs]
    rows += [("may touch", name) for name in unit.touch] + [("closes", name) for name in unit.closes]
    rows += [("gate", f"{gate.name}: {gate.command}") for gate in unit.quality_gates]
    rows += [("must hold", f"{'[x]' if done else '[ ]'} {text}") for text, done in unit.criteria]
    if unit.worktree:
        rows.append(("work tree", unit.worktree))
    return rows + pass_rows(unit.passes)


def pass_rows(passes: Iterable[Pass]) -> list[tuple[str, Text | str]]:
    """Which hats were done, and which sent it back, and why. Who is done before quality gates fail has not passed."""
    found = [*passes]
    return [(_passed(each, after), _pass(each)) for each, after in zip(found, [*found[1:], None], strict=False)]


def _passed(done: Pass, after: Pass | None) -> str:
    if done.result == "reject":
        return "sent back"
    return "said done" if after is not None and by_gates(after) else "passed"


def _pass(done: Pass) -> str:
    if done.result == "reject":
        said = f"by {sender(done)}: {done.reason.removeprefix(GATES_FAIL) or 'no reason was given'}"
    else:
        said = f"{done.hat}: {'' if done.changed else 'no change, '}{done.reason}" if done.reason else done.hat
    return f"{said}{f', {done.completed_at}' if done.completed_at else ''}"


def show_unit(unit: ShownUnit, console: Console) -> None:
    fields(unit_rows(unit), console)
    if unit.body.strip():
        console.print()
        console.print(paragraphs(unit.body.strip()))


def unit_object(unit: ShownUnit) -> dict[str, Any]:
    """What programs are told of it: its text and what must hold are read from its file."""
    told = {name: value for name, value in to_builtins(unit).items() if name not in {"criteria", "body"}}
    gates = [{"name": gate.name, "command": gate.command} for gate in unit.quality_gates]
    return {name: list(value) if isinstance(value, tuple) else value for name, value in told.items()} | {
        "quality_gates": gates
    }


# `leeboard flow next`, `units`, `unit` and `report`: the work itself, driven by hand.


_STAGE = click.option("--stage", default="", metavar="NAME", help="Of this stage; else of the active one.")


@click.command("next", epilog="Example:  leeboard flow next")
@click.option("--external-review-url", "url", default="", metavar="URL", help="Where the stage is being reviewed.")
@intent_option
@json_option
def next_(slug: str, url: str, *, as_json: bool) -> int:
    """Go on: the one next action, as an agent gets it from haiku_run_next.

    Whatever the engine can do by itself is done first: branches and work trees, merges, quality gates, phases. Exits 1
    where the action is `error`, 4 where files of the plan can not be read. Any other action is something to do, also
    where it says what is wrong with the units or that quality gates fail: 0.
    """
    flow = CurrentFlow(slug)
    if url:
        outcome = flow.engine.move(flow.slug, lambda plan, _now: moves.external_url(plan, url))
        if isinstance(outcome, Refusal):
            return tell_outcome(outcome, as_json=as_json, home=flow.home)
    slug, before = flow.slug, flow.branch
    return tell_outcome(_with_switch(flow, flow.engine.tick(slug), before), as_json=as_json, home=flow.home)


def _with_switch(flow: CurrentFlow, clue: Clue, before: str) -> Clue:
    """The work lives on a branch of its own: whoever stands in the work tree is told that it was checked out."""
    after = flow.branch
    if after == before:
        return clue
    said = f"{flow.home} was switched from {before or 'no branch'} to {after}, the branch of {flow.slug}."
    return replace(clue, payload={**clue.payload, "warnings": [said, *clue.payload.get("warnings", ())]})


@click.command(epilog="Example:  leeboard flow units --json")
@_STAGE
@intent_option
@json_option
def units(stage: str, slug: str, *, as_json: bool) -> None:
    """The units of a stage, in waves."""
    plan = CurrentFlow(slug).look()
    view = _stage_of(plan, stage)
    if as_json:
        for wave in view_waves(plan, view):
            for unit in wave:
                print_json(unit_object(unit))
    elif view.units:
        show_waves(view_waves(plan, view), screen())
    else:
        screen().print(words(f"stage {view.spec.name} has no units yet"))


@click.command(epilog="Example:  leeboard flow unit unit-01-parser --advance")
@click.argument("name", metavar="UNIT")
@click.option("--draft", is_flag=True, help="Begin its file for you to fill in, with the criteria of the intent.")
@click.option("--start", is_flag=True, help="Begin it: its first hat is put on.")
@click.option("--advance", is_flag=True, help="The hat's work is done; the last one completes the unit.")
@click.option("--because", default="", metavar="WHY", help="With --advance: why nothing had to change.")
@click.option("--met", is_flag=True, help="With --advance: every criterion holds; tick them off.")
@click.option(
    "--reject", metavar="WHY", help="The hat before fell short: back to it, one bolt on; the first one begins again."
)
@click.option("--bolt", is_flag=True, help="Another pass of the same hat.")
@click.option("--hat", default="", metavar="NAME", help="The hat it is about: refused where it is with another one.")
@_STAGE
@intent_option
@json_option
def unit(name: str, stage: str, slug: str, **given: Any) -> int:
    """Show a unit, or move its hats.

    Its text is a file: the path stands in `leeboard flow unit UNIT --json`. Hats are moved by the engine alone.
    """
    flow = CurrentFlow(slug)
    asked = [word for word in ("draft", "start", "advance", "reject", "bolt") if given[word] not in {None, False}]
    if len(asked) > 1:
        raise ConfigError("--draft, --start, --advance, --reject and --bolt are five moves: give one")
    if given["because"] and asked != ["advance"]:
        raise ConfigError("--because goes with --advance: it says why nothing had to change")
    if given["met"] and asked != ["advance"]:
        raise ConfigError("--met goes with --advance: it says that every criterion holds")
    if asked and stage:
        raise ConfigError("--stage is for looking: hats are moved in the active stage alone")
    if asked == ["draft"]:
        return _draft(flow, name, as_json=given["as_json"])
    if asked:
        if given["met"]:
            tick_off(flow.engine, flow.slug, name)
        held = HeldHat(hat=given["hat"], looks=is_person())
        change = _move(asked[0], name, given["reject"] or given["because"])
        return tell_outcome(_moved(flow, name, held, change), as_json=given["as_json"], home=flow.home)
    if given["hat"]:
        raise ConfigError("--hat goes with --advance, --reject or --bolt: it says which pass is meant")
    return _show(flow, name, stage, as_json=given["as_json"])


def _draft(flow: CurrentFlow, name: str, *, as_json: bool) -> int:
    made = draft_unit(flow.engine, flow.slug, name)
    if isinstance(made, Refusal):
        return tell_outcome(made, as_json=as_json, home=flow.home)
    if as_json:
        print_json({"unit": name, "path": made})
    else:
        screen().print(words("drafted ", (name, "bold"), f": fill in {made}, then `leeboard flow next`"))
    return 0


def _moved(flow: CurrentFlow, name: str, held: HeldHat, change: Change) -> Clue | Refusal:
    """Not while somebody has to say what changed files mean, and for no other hat than the one that is meant."""
    return flow.engine.move(
        flow.slug,
        lambda plan, now: unassessed(plan) or stale_unit(plan, name, held) or change(plan, now),
        truth=True,
    )


def _move(what: str, name: str, reason: str) -> Change:
    match what:
        case "start":
            return lambda plan, now: moves.unit_start(plan, name, now)
        case "advance":
            return lambda plan, now: moves.advance_hat(plan, name, now, reason)
        case "reject":
            return lambda plan, now: moves.reject_hat(plan, name, now, reason)
        case _:
            return lambda plan, now: moves.increment_bolt(plan, name, now)


def _show(flow: CurrentFlow, name: str, stage: str, *, as_json: bool) -> int:
    plan = flow.look()
    view = _stage_of(plan, stage)
    found = view.unit(name)
    if found is None:
        known = ", ".join(each.id for each in view.units) or "none"
        raise ConfigError(f"stage {view.spec.name} has no unit {name!r}; it has {known}")
    if as_json:
        path = f"{flow.home}/.haiku/intents/{plan.intent.slug}/stages/{view.spec.name}/units/{found.id}.md"
        print_json({**unit_object(view_unit(plan, view, found)), "path": path})
    else:
        show_unit(view_unit(plan, view, found), screen())
    return 0


@click.command(epilog="Example:  leeboard flow report correctness --text 'Read all of it; nothing to say.'")
@click.argument("agent")
@click.option("--text", required=True, help="The report in full.")
@click.option("--finding", "findings", multiple=True, metavar="ID", help="Filed for it; give it as often as needed.")
@intent_option
@json_option
def report(agent: str, text: str, findings: tuple[str, ...], slug: str, *, as_json: bool) -> int:
    """Record what a review agent of the stage found. Without a finding it let the work pass."""
    flow = CurrentFlow(slug)
    ids = tuple(name.upper() for name in findings)
    made = ReviewReport(agent=agent, verdict="findings" if ids else "pass", findings=ids)

    def reported(plan: Plan, _now: str) -> PlanStep | Refusal:
        return unassessed(plan) or moves.record_report(plan, made, text)

    outcome = flow.engine.move(flow.slug, reported, truth=True)
    return tell_outcome(outcome, as_json=as_json, home=flow.home)


def _stage_of(plan: Plan, name: str) -> StageView:
    """ConfigError where there is no such stage, or none is active."""
    view = plan.stage(name) if name else plan.active or (plan.stages[-1] if plan.stages else None)
    if view is None:
        known = ", ".join(each.spec.name for each in plan.stages) or "none: `leeboard flow next` says why"
        raise ConfigError(f"there is no stage {name!r}; there are {known}" if name else f"there are no stages: {known}")
    return view
