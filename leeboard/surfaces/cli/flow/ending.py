"""`leeboard flow archive`, `abandon` and `delete`: three ways to have a piece of work out of the way."""

from __future__ import annotations

import click
from msgspec import to_builtins

from leeboard.app.person import ending
from leeboard.app.person.ending import EndedWork
from leeboard.errors import ConfigError
from leeboard.plan.effect import Refusal
from leeboard.plan.machine import moves
from leeboard.surfaces.cli.flow.place import CurrentFlow, tell_refusal
from leeboard.surfaces.cli.person import require_person
from leeboard.surfaces.cli.screen import json_option, print_json, print_wrapped, screen, words

_YES = click.option("--yes", is_flag=True, help="Do not ask.")


@click.command(epilog="Example:  leeboard flow archive count-words")
@click.argument("slug", default="")
@click.option("--undo", is_flag=True, help="Take it out again.")
@json_option
def archive(slug: str, *, undo: bool, as_json: bool) -> int:
    """Put an intent away: it is no longer worked on. Its branches and trees stay as they are."""
    flow = CurrentFlow(slug)
    refusal = flow.note(lambda plan, now: moves.archive(plan, now, archived=not undo))
    was_so = refusal is not None and refusal.code == "noop"
    if refusal is not None and not was_so:
        return tell_refusal(refusal, as_json=as_json)
    if as_json:
        print_json({"intent": flow.slug, "archived": not undo, "changed": not was_so})
    else:
        state = ("is not put away" if was_so else "is worked on again") if undo else "is put away"
        screen().print(words((flow.slug, "bold"), f" {state}{': there is nothing to do' if was_so else ''}"))
    return 0


@click.command(epilog="Example:  leeboard flow abandon count-words --reason 'The library does it by now.'")
@click.argument("slug", default="")
@click.option("--reason", required=True, metavar="WHY", help="Kept with the work.")
@_YES
@json_option
def abandon(slug: str, reason: str, *, yes: bool, as_json: bool) -> int:
    """Give an intent up: its work trees go, its branch and its record stay.

    What is not committed in the trees is committed on their branches first. You are told what is kept. Only people may
    do this.
    """
    require_person("flow abandon")
    if not reason.strip():
        raise ConfigError("--reason is empty: say why, it is kept with the work")
    flow = CurrentFlow(slug)
    if not slug and flow.look().intent.status == "completed":
        raise ConfigError(f"{flow.slug}, whose branch is checked out, is completed; name the intent to give up")
    if not yes:
        click.confirm(f"give {flow.slug} up? its work trees go, its branch stays", abort=True, err=True)
    return _tell(ending.abandon(flow.engine, flow.slug, reason), "given up", as_json=as_json)


@click.command(epilog="Example:  leeboard flow delete count-words")
@click.argument("slug")
@_YES
@json_option
def delete(slug: str, *, yes: bool, as_json: bool) -> int:
    """Take an intent off the disk: its record, its work trees and its branches.

    Asks for its name once more. You are told which commits git still has, and what lies on a remote. Only people may do
    this.
    """
    require_person("flow delete")
    flow = CurrentFlow(slug)
    if not yes:
        typed = click.prompt(f"everything of {flow.slug} goes; its name once more", err=True)
        if typed.strip() != flow.slug:
            raise ConfigError(f"{typed.strip()[:60]!r} is not {flow.slug!r}: nothing was deleted")
    return _tell(ending.delete(flow.engine, flow.slug), "deleted", as_json=as_json)


def _tell(ended: EndedWork | Refusal, done: str, *, as_json: bool) -> int:
    if isinstance(ended, Refusal):
        return tell_refusal(ended, as_json=as_json)
    if as_json:
        print_json(to_builtins(ended))
        return 0
    console = screen()
    console.print(words((ended.intent, "bold"), f" is {done}"))
    for head, texts in (("gone", ended.gone), ("kept", ended.kept)):
        for text in texts:
            print_wrapped(words((f"  {head}     ", "dim")), words(text), console)
    return 0
