"""`leeboard flow`."""

from __future__ import annotations

import click
from msgspec import to_builtins

from leeboard.app.person import answer
from leeboard.app.views.next_step import next_step
from leeboard.app.views.plan import view_plan
from leeboard.app.views.plan_log import ENTRIES, plan_log
from leeboard.errors import ConfigError
from leeboard.io import clock
from leeboard.model.plan import Plan
from leeboard.plan.disk.lost_intents import Lost, lost_intents
from leeboard.plan.disk.studios import list_studios, load_studio
from leeboard.plan.effect import Refusal
from leeboard.plan.machine import moves
from leeboard.surfaces.cli.flow.classify import baseline_reset, classify
from leeboard.surfaces.cli.flow.ending import abandon, archive, delete
from leeboard.surfaces.cli.flow.feedback import feedback
from leeboard.surfaces.cli.flow.new import new, refuse_unusable
from leeboard.surfaces.cli.flow.place import CurrentFlow, FlowGroup, intent_option, meant, tell_refusal
from leeboard.surfaces.cli.flow.repair import repair
from leeboard.surfaces.cli.flow.review import review
from leeboard.surfaces.cli.flow.units import next_, report, unit, units
from leeboard.surfaces.cli.flow.view import plan_object, show_plan, show_slips
from leeboard.surfaces.cli.person import is_person, require_person
from leeboard.surfaces.cli.screen import json_option, print_json, print_wrapped, screen, table, words


@click.group(cls=FlowGroup, epilog="Example:  leeboard flow new --from issue.md")
def command() -> None:
    """A workflow that lives on disk: new, next, status, review and more.

    An intent (one piece of work) goes through the stages of a studio (how a kind of work is gone about); an agent asks
    for the next action, does it, and asks again. Here a person sees where it stands, drives it without an agent, and
    decides at its gates.

    Exits 0 when done, 1 when the plan does not allow it as it stands, 2 for wrong use, 4 where the plan's files are
    illegal, 5 where the disk or git failed.
    """


@command.command(epilog="Example:  leeboard flow studio library")
@click.argument("name", default="")
@intent_option
@json_option
def studio(name: str, slug: str, *, as_json: bool) -> int:
    """List the studios there are, or choose one before the first stage begins. It begins nothing."""
    flow = CurrentFlow(slug)
    if name:
        return _choose(flow, name, as_json=as_json)
    if slug:
        raise ConfigError("--intent goes with a NAME: the studios are the same for every intent")
    found = list_studios(flow.home)
    if as_json:
        for each in found:
            stages = [stage.name for stage in each.stages]
            told = {"studio": each.slug, "name": each.name, "stages": stages, "warnings": list(each.complaints)}
            print_json({**told, "unusable": each.unusable})
        return 0
    rows = [(each.slug, ", ".join(stage.name for stage in each.stages), each.description) for each in found]
    table(("studio", "stages", "for"), rows, screen())
    show_slips([slip for each in found for slip in each.complaints], screen())
    return 0


def _choose(flow: CurrentFlow, name: str, *, as_json: bool) -> int:
    refuse_unusable(flow, load_studio(flow.home, name))
    by_person = is_person()
    refusal = flow.note(lambda plan, _now: moves.select_studio(plan, name, by_person=by_person))
    if refusal is not None:
        return tell_refusal(refusal, as_json=as_json)
    chosen = flow.look().intent.studio
    if as_json:
        print_json({"intent": flow.slug, "studio": chosen})
    else:
        screen().print(words((chosen, "bold"), f" is the studio of {flow.slug}; `leeboard flow next` goes on"))
    return 0


@command.command(epilog="Example:  leeboard flow status --json | jq .next.action")
@click.option(
    "--all", "every", is_flag=True, help="One line for each intent, archived ones and those on other branches too."
)
@intent_option
@json_option
def status(slug: str, *, every: bool, as_json: bool) -> None:
    """Where the work stands: stages, phases, waves, and what blocks.

    Looks, and changes nothing. With several intents and no branch of one of them checked out it lists them, those on
    other branches too.
    """
    if every and slug:
        raise ConfigError("--all is of every intent, --intent of one: give one of them")
    flow = CurrentFlow(slug, looks=True)
    named = None if every else meant(flow)
    if named is None:
        list_intents(flow, as_json=as_json, archived=every)
        return
    plan = flow.engine.look(named, truth=True)
    view = view_plan(plan, next_step(plan, clock.iso(clock.now())))
    told = {**plan_object(view), "asleep": flow.engine.is_asleep(named)}
    if as_json:
        print_json({**told, "warnings": [*told["warnings"], *plan.notes]})
    else:
        if told["asleep"]:
            line = " is not trusted here, and nobody acts on it; `leeboard trust` shows what it would do, and asks"
            screen().print(words(("asleep: ", "bold yellow"), f"{named}{line}"))
        show_plan(view, screen())
        show_slips(plan.notes, screen())


@command.command(epilog="Example:  leeboard flow say 'Words are split at white space, nothing else.'")
@click.argument("text")
@intent_option
@json_option
def say(text: str, slug: str, *, as_json: bool) -> int:
    """Answer what an agent asked about the work: it counts as a turn with you.

    A stage that is elaborated together needs three of them. A nod (`ok`, `go on`) is none. What you say is kept in the
    intent's knowledge, where every agent finds it. Only people may do this, and only while the intent is not completed.
    What you type into an agent's own prompt counts by itself, where Leeboard's hooks are installed.
    """
    require_person("flow say")
    if not text.strip():
        raise ConfigError("there is nothing said")
    flow = CurrentFlow(slug)
    asked = flow.slug
    heard = answer.say(flow.engine, asked, text)
    if isinstance(heard, Refusal):
        return tell_refusal(heard, as_json=as_json)
    stage, turns = heard.stage, heard.turns
    if as_json:
        print_json({"intent": asked, "stage": stage, "turns": turns, "counts": heard.counts})
    else:
        nod = "" if heard.counts else "; a nod is kept and counts as no turn: say what it is about"
        screen().print(words("heard", f"; {turns} in this visit of {stage}" if stage else "", nod))
    return 0


def _active_stage(flow: CurrentFlow, slug: str) -> str:
    return answer.active_stage(flow.engine.look(slug))


@command.command(epilog="Example:  leeboard flow revisit design --reason 'The format changed.'")
@click.argument("stage", default="")
@click.option("--reason", required=True, metavar="TEXT", help="Why; the new units of the stage have to settle it.")
@intent_option
@json_option
def revisit(stage: str, reason: str, slug: str, *, as_json: bool) -> int:
    """Go back to this or an earlier stage.

    Its units and their history stay; later stages become stale and are gone through again. A completed intent is
    reopened. Asked again before the work went back, it is the same request in other words.
    """
    flow = CurrentFlow(slug)
    by_person = is_person()
    refusal = flow.note(lambda plan, now: moves.revisit(plan, now, stage, reason, by_person=by_person))
    if refusal is not None:
        return tell_refusal(refusal, as_json=as_json)
    if as_json:
        print_json({"intent": flow.slug, "revisit": stage or _active_stage(flow, flow.slug)})
    else:
        screen().print(words("written down; the next action goes back"))
    return 0


@click.command("log", epilog='Example:  leeboard flow log --json | jq -r \'.at + " " + .who + " " + .what\'')
@click.option("--skip", type=click.IntRange(min=0), default=0, metavar="N", help="Leave out the newest N entries.")
@intent_option
@json_option
def log(slug: str, skip: int, *, as_json: bool) -> None:
    """What happened, newest first: visits of stages, decisions, hats, findings, answers, files people brought.

    Shows two hundred entries at once; --skip goes on.
    """
    flow = CurrentFlow(slug)
    found = plan_log(flow.engine, flow.look(), skip)
    if as_json:
        for entry in found.entries:
            print_json(to_builtins(entry))
        return
    console = screen()
    width = max((len(entry.who) for entry in found.entries), default=0)
    for entry in found.entries:
        head = words((f"{entry.at}  ", "dim"), f"{entry.who:<{width}}  ")
        print_wrapped(head, words(entry.what, (f": {entry.text}" if entry.text else "", "dim")), console)
    if found.older:
        console.print(words((f"{found.older} older entries: --skip {skip + ENTRIES} shows the next", "yellow")))


for each in (new, next_, units, unit, report, feedback, classify, review, log, repair, baseline_reset):
    command.add_command(each)
for each in (archive, abandon, delete):
    command.add_command(each)


# All intents of a project, one line for each: those that lie here, and those on branches of their own.


def list_intents(flow: CurrentFlow, *, as_json: bool, archived: bool) -> None:
    plans = [flow.engine.look(slug) for slug in flow.engine.slugs(archived=archived)]
    elsewhere = [each for each in lost_intents(flow.home) if each.command]
    if as_json:
        for plan in plans:
            print_json({**plan.summary(), "asleep": flow.engine.is_asleep(plan.intent.slug)})
        for each in elsewhere:
            print_json({"intent": each.slug, "on": each.where, "command": each.command})
        return
    if not plans and not elsewhere:
        screen().print(words("no intent here; `leeboard flow new TITLE` begins one"))
        return
    rows = [
        *(_here(plan, asleep=flow.engine.is_asleep(plan.intent.slug)) for plan in plans),
        *map(_elsewhere, elsewhere),
    ]
    table(("intent", "status", "stage", "phase", "title"), rows, screen())


def _here(plan: Plan, *, asleep: bool) -> tuple[str, ...]:
    told = plan.summary()
    state = "archived" if plan.intent.archived else "asleep" if asleep else plan.intent.status
    return plan.intent.slug, state, told["stage"], told["phase"], plan.intent.title


def _elsewhere(each: Lost) -> tuple[str, ...]:
    where = f"on branch {each.where}" if each.parked else f"in {each.where}"
    return each.slug, "elsewhere", "", "", f"{where}: `{each.command}`"
