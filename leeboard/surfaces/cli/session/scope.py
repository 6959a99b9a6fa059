"""`leeboard scope`."""

from __future__ import annotations

import shlex

import click

from leeboard.app.allowances import spelled_in_project
from leeboard.app.archive import opened_archive
from leeboard.app.person.allowance import widenings_for
from leeboard.app.views.session import allowance_view, scope_page, widenings
from leeboard.errors import ConfigError
from leeboard.io.clock import now
from leeboard.io.places import current_project
from leeboard.surfaces.cli.person import require_no_agent, require_person
from leeboard.surfaces.cli.screen import fields, json_option, print_json, print_view, screen, words
from leeboard.surfaces.cli.session_view import described, how_long, limit_text


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
        ctx.fail(f"put --json after {ctx.invoked_subcommand}")


@command.command(epilog="Example:  leeboard scope show --json")
@json_option
def show(*, as_json: bool) -> None:
    """What the work may touch, and why.

    The goal, the places the human's words named, those that joined because the work led there, the limits, and what a
    person let in or let stand against a limit, until when.
    """
    page = scope_page(current_project())
    scope = page.scope
    if as_json:
        print_view(scope)
        return
    rows = [("project", scope.project)]
    if scope.session is None:
        rows.append(("goal", "no session was recorded here yet"))
    else:
        rows += [("goal", scope.goal or "not stated yet")]
        rows += [("named", ", ".join(scope.named) or "no place yet; it is learned from the first edits")]
        rows += [("agreed", f"{', '.join(scope.let_stand)}: you said yes")] if scope.let_stand else []
        rows += [("grown", ", ".join(scope.grown))] if scope.grown else []
        rows += [("limit", limit_text(limit)) for limit in page.limits]
    rows += [("widened", f"{one.path} {how_long(one)}: {one.reason}") for one in scope.widened]
    rows += [("lifted", f"{described(one)}, {how_long(one)}: {one.reason} ({one.id})") for one in scope.lifted]
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
    root = current_project()
    made = widenings_for(root, paths, reason, until)
    spelled = list(dict.fromkeys(allowance.path for allowance in made))
    with opened_archive() as store:
        for allowance in made:
            store.allow(allowance, root)
    views = [allowance_view(allowance) for allowance in made]
    if as_json:
        for view in views:
            print_view(view)
    else:
        line = words("the scope now includes ", (", ".join(spelled), "bold"), f", {how_long(views[0])}")
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
    root = current_project()
    spelled = spelled_in_project(path, root)
    with opened_archive() as store:
        known = widenings(store.allowances(root, "", now()))
        gone = [one for one in known if one.path.rstrip("/") == spelled.rstrip("/")]
        for one in gone:
            store.revoke(one.id)
    if not gone:
        there = ", ".join(dict.fromkeys(one.path for one in known)) or "nothing"
        raise ConfigError(f"{spelled} was not widened here; what was: {there}")
    if as_json:
        print_json({"kind": "narrowed", "path": spelled, "revoked": [one.id for one in gone]})
    else:
        screen().print(words("no longer widened: ", (spelled, "bold")))
