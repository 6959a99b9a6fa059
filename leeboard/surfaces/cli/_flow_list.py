"""All intents of a project, one line for each: those that lie here, and those on branches of their own."""

from __future__ import annotations

from leeboard.io.plan.lost import Lost, lost_intents
from leeboard.model.plan import Plan
from leeboard.surfaces.cli._flow_place import Flow
from leeboard.surfaces.cli._screen import print_json, screen, table, words


def list_intents(flow: Flow, *, as_json: bool, archived: bool) -> None:
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
