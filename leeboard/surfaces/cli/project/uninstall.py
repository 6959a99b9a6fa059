"""`leeboard uninstall`."""

from __future__ import annotations

from collections.abc import Iterator
from posixpath import exists, join, lexists

import click

from leeboard.app.install.hook_files import (
    FileEdit,
    SettingsPlace,
    client_of,
    place,
    places,
    plan_remove,
    remove,
    short_path,
    written_places,
)
from leeboard.app.install.kept_file import all_records
from leeboard.app.install.profile_file import (
    exclude_file,
    plan_exclude_removal,
    plan_profile_removal,
    profile_file,
    remove_exclude,
    remove_profile,
)
from leeboard.app.install.server_file import plan_server_removal, remove_server, server_file
from leeboard.app.posting.hooks import forget_hooks_in
from leeboard.clients import FIRST, Scope, client_names
from leeboard.errors import ConfigError
from leeboard.io.places import current_project, database, state_dir
from leeboard.settings.decisions import ALLOWED, BASELINE
from leeboard.surfaces.cli.change_view import change_object, print_difference, print_summary, scope_options
from leeboard.surfaces.cli.person import require_person
from leeboard.surfaces.cli.screen import json_option, print_json, quiet_option, screen, words
from leeboard.trust.released import release


@click.command(epilog="Example:  leeboard uninstall --all")
@scope_options
@click.option("--client", type=click.Choice(client_names()), help="Only the hooks of this client.")
@click.option("--all", "everywhere", is_flag=True, help="From every settings file `init` ever wrote to.")
@click.option("-n", "--dry-run", is_flag=True, help="Show what would change, and change nothing.")
@json_option
@quiet_option
def command(scope: Scope | None, client: str | None, *, everywhere: bool, dry_run: bool, **shown: bool) -> None:
    """Take Leeboard's hooks out of the settings again.

    Without an option it cleans both settings files of this project, and those of other clients that `init` was run for.
    A file nobody touched since `init` comes back byte for byte, and one that `init` made is removed; the line in
    .git/info/exclude goes too. From a file that was changed since only our own entries go. With --client the hooks of
    that client go, and nothing else. What stays is named at the end: what was recorded, until `leeboard purge`, and
    files that are part of the repository. Only people may do this, in a terminal of their own; anybody may look at what
    it would do.
    """
    if client and everywhere:
        raise click.UsageError("--client is about this project, --all about every one: give one of them")
    if not dry_run:
        require_person("uninstall")
    found = _places_of(client, scope) if client else _places(scope, everywhere=everywhere)
    hooks, problems = _plan(found)
    profiles, excludes, servers = ([], [], []) if client else _beside_hooks(scope, everywhere=everywhere)
    if not dry_run:
        release(current_project())
        release(current_project(), "hooks")  # before the hooks go: running sessions hold back what no person did
        for change in servers:
            remove_server(change)
        for change in hooks:
            remove(change)
            forget_hooks_in(change.path)
        for change in profiles:
            remove_profile(change)
        for change in excludes:
            remove_exclude(change)
    _tell([*hooks, *profiles, *excludes, *servers], dry_run=dry_run, as_json=shown["as_json"], quiet=shown["quiet"])
    if problems:
        raise ConfigError("; ".join(problems))


def _plan(found: tuple[SettingsPlace, ...]) -> tuple[list[FileEdit], list[str]]:
    """What is to be changed, and which files can not be read: one of those does not keep the others."""
    changes, problems = [], []
    for at in found:
        try:
            changes.append(plan_remove(at))
        except ConfigError as error:
            problems.append(str(error))
    return [change for change in changes if change.changes], problems


def _beside_hooks(scope: Scope | None, *, everywhere: bool) -> tuple[list[FileEdit], list[FileEdit], list[FileEdit]]:
    """What else `init` wrote, for no client in particular: profiles, lines for git, and the workflow's server."""
    written = (plan_profile_removal(path) for path in _profiles(scope, everywhere=everywhere))
    lines = (plan_exclude_removal(path) for path in _excludes(scope, everywhere=everywhere))
    server = plan_server_removal(server_file(current_project())) if scope in {None, "project"} else None
    profiles = [plan for plan in written if plan is not None]
    return profiles, [plan for plan in lines if plan is not None], [server] if server is not None else []


def _places_of(client: str, scope: Scope | None) -> tuple[SettingsPlace, ...]:
    """The settings files of one client: that of the scope, else those of the project."""
    root = current_project()
    return (place(scope, root, client),) if scope else tuple(at for at in places(root, client) if at.scope != "user")


def _places(scope: Scope | None, *, everywhere: bool) -> tuple[SettingsPlace, ...]:
    root = current_project()
    if everywhere:
        paths = [record.path for record in all_records() if not record.path.endswith((".toml", "/info/exclude"))]
        known = [SettingsPlace("project", path, client_of(path)) for path in paths]
        return tuple({at.path: at for at in (*places(root), *known)}.values())
    first = (place(scope, root),) if scope else (place("local", root), place("project", root))
    others = (at for name in client_names() if name != FIRST for at in written_places(root, name))
    return (*first, *(at for at in others if at.scope == scope or (scope is None and at.scope != "user")))


def _profiles(scope: Scope | None, *, everywhere: bool) -> tuple[str, ...]:
    if everywhere:
        return tuple(record.path for record in all_records() if record.path.endswith(".toml"))
    return (profile_file(scope or "local", current_project()),)


def _excludes(scope: Scope | None, *, everywhere: bool) -> tuple[str, ...]:
    if everywhere:
        return tuple(record.path for record in all_records() if record.path.endswith("/info/exclude"))
    return (exclude_file(current_project()),) if scope in {None, "local"} else ()


def _stays(root: str, changes: list[FileEdit]) -> Iterator[str]:
    """What of ours is left when the hooks are gone, and how it goes."""
    if exists(database()):
        yield (
            f"what was recorded, in {short_path(state_dir())}: `leeboard purge --project` forgets this project, "
            "`leeboard purge --all` every one"
        )
    changed = {change.path for change in changes}
    for path in (join(root, name) for name in (".leeboard", "leeboard.toml", ALLOWED, BASELINE)):
        if lexists(path) and path not in changed:
            yield f"{short_path(path)}, which is part of your repository: delete it if you do not want it"


def _tell(changes: list[FileEdit], *, dry_run: bool, as_json: bool, quiet: bool) -> None:
    stays = list(_stays(current_project(), changes))
    if as_json:
        objects = [change_object(change) for change in changes]
        print_json({"kind": "uninstall", "dry_run": dry_run, "changes": objects, "stays": stays})
        return
    if quiet:
        return
    console = screen()
    if not changes:
        console.print(words("not installed here; nothing to change (`--user` and `--all` look further)"))
    for change in changes:
        if dry_run:
            print_difference(change, console)
        else:
            print_summary(change, console)
    for line in stays:
        console.print(words(("  stays: ", "dim"), line))
