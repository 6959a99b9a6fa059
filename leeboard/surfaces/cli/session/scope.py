"""`leeboard scope`."""

from __future__ import annotations

import math
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import click

from leeboard.errors import ConfigError
from leeboard.io.clock import now
from leeboard.io.places import database
from leeboard.model.contract import Allowance
from leeboard.model.session import Session
from leeboard.surfaces.cli.archive import (
    allowance_object,
    how_long,
    new_allowance,
    opened_archive,
    scope_rules,
    spelled_in_project,
)
from leeboard.surfaces.cli.here import here
from leeboard.surfaces.cli.person import require_no_agent, require_person
from leeboard.surfaces.cli.screen import fields, json_option, print_json, screen, words
from leeboard.surfaces.cli.session_view import grown_scope, limit_text, named_scope

if TYPE_CHECKING:
    from rich.text import Text


@click.group(invoke_without_command=True, epilog="Example:  leeboard scope widen docs/ --reason 'docs ride along'")
@json_option
@click.pass_context
def command(ctx: click.Context, *, as_json: bool) -> None:
    """Show what the work may touch; widen or narrow it.

    Without a word it shows the scope of this project's newest session.
    """
    if ctx.invoked_subcommand is None:
        ctx.invoke(show, as_json=as_json)
    elif as_json:
        ctx.fail(f"write --json behind {ctx.invoked_subcommand}")


@command.command(epilog="Example:  leeboard scope show --json")
@json_option
def show(*, as_json: bool) -> None:
    """What the work may touch, and why.

    The goal, the places the human's words named, those that joined because the work led there, the limits, and what a
    person let in until when.
    """
    root = here()
    session, allowed = _known(root)
    if as_json:
        print_json(_object(session, allowed, root))
        return
    rows: list[tuple[str, Text | str]] = [("project", root)]
    if session is None:
        rows.append(("goal", "no session was recorded here yet"))
    else:
        contract = session.contract
        rows += [("goal", contract.objective or "not stated yet")]
        rows += [("named", ", ".join(named_scope(session)) or "no place: it is learnt from the first edits")]
        rows += [("grown", ", ".join(grown_scope(session)))] if grown_scope(session) else []
        rows += [("limit", limit_text(constraint)) for constraint in contract.constraints]
    rows += [("widened", f"{one.path} {how_long(one)}: {one.reason}") for one in allowed]
    fields(rows, screen())


@command.command(epilog="Example:  leeboard scope widen src/billing/ --reason 'the bug is there too' --until 2h")
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@click.option("--reason", required=True, help="Why; kept with it.")
@click.option("--until", default="", help="2h, 3d or a date; without it, for good.")
@json_option
def widen(paths: tuple[str, ...], reason: str, until: str, *, as_json: bool) -> None:
    """Let the work touch PATH too, in every session of this project.

    A folder stands for all below it; globs such as 'src/**/*.css' work. What the user forbade in so many words stays
    forbidden. Only people may do this, in a terminal of their own: inside an agent, a quality gate or a script it
    refuses.
    """
    require_person("scope widen")
    root = here()
    spelled = [spelled_in_project(path, root) for path in paths]
    made = [
        new_allowance(rule=rule, path=path, reason=reason, until=until) for path in spelled for rule in scope_rules()
    ]
    with opened_archive() as store:
        for allowance in made:
            store.allow(allowance, root)
    if as_json:
        for allowance in made:
            print_json(allowance_object(allowance))
    else:
        line = words("the scope now holds ", (", ".join(spelled), "bold"), f", {how_long(made[0])}")
        back = ", ".join(f"`leeboard scope narrow {shlex.quote(path)}`" for path in spelled)
        screen().print(line, words((f"  ({back} takes it back)", "dim")), sep="")


@command.command(epilog="Example:  leeboard scope narrow src/billing/")
@click.argument("path")
@json_option
def narrow(path: str, *, as_json: bool) -> None:
    """Take back what `scope widen` let in.

    To keep an agent out of a place it may touch by its goal, say so to the agent: "don't touch src/billing/".
    """
    require_no_agent("scope narrow")
    root = here()
    spelled = spelled_in_project(path, root)
    with opened_archive() as store:
        known = _widened(store.allowances(root, "", now()))
        gone = [one for one in known if one.path.rstrip("/") == spelled.rstrip("/")]
        for one in gone:
            store.revoke(one.id)
    if not gone:
        there = ", ".join(dict.fromkeys(one.path for one in known)) or "nothing"
        raise ConfigError(f"{spelled} was not widened here; widened is {there}")
    if as_json:
        print_json({"kind": "narrowed", "path": spelled, "revoked": [one.id for one in gone]})
    else:
        screen().print(words("no longer widened: ", (spelled, "bold")))


def _known(root: str) -> tuple[Session | None, tuple[Allowance, ...]]:
    if not Path(database()).exists():
        return None, ()
    with opened_archive() as store:
        session = next(iter(store.sessions(root, 1)), None)
        return session, _each_once(_widened(store.allowances(root, "", now())))


def _each_once(widened: tuple[Allowance, ...]) -> tuple[Allowance, ...]:
    """One widening is an allowance for each of its rules; of several for one reason the one that lasts longest."""
    lasting = sorted(widened, key=lambda one: one.until or math.inf)
    return tuple({(one.path, one.reason): one for one in lasting}.values())


def _widened(allowances: tuple[Allowance, ...]) -> tuple[Allowance, ...]:
    return tuple(one for one in allowances if one.rule in scope_rules() and one.path)


def _object(session: Session | None, allowed: tuple[Allowance, ...], root: str) -> dict[str, object]:
    return {
        "kind": "scope",
        "project": root,
        "session": session.id if session else None,
        "goal": session.contract.objective if session else "",
        "named": list(named_scope(session)) if session else [],
        "grown": list(grown_scope(session)) if session else [],
        "constraints": [constraint.text for constraint in session.contract.constraints] if session else [],
        "widened": [allowance_object(one) for one in allowed],
    }
