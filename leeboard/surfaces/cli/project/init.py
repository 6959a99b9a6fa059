"""`leeboard init`."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import click
import msgspec

from leeboard.app.actors import sleeping
from leeboard.app.install.hook_files import (
    FileEdit,
    SettingsPlace,
    found_clients,
    hide_token,
    install,
    others_status_line,
    our_command,
    place,
    places,
    plan_install,
    require_lasting,
    short_path,
    standing,
)
from leeboard.app.install.profile_file import (
    is_tracked,
    plan_exclude,
    plan_profile,
    profile_file,
    trust_profile,
    write_exclude,
    write_profile,
)
from leeboard.app.install.server_file import SERVER_FILE, is_on_path, plan_server, server_file, write_server
from leeboard.app.posting.hooks import HttpHooks, forget_hooks_in, hooks_of, keep_hooks, new_hooks
from leeboard.app.settings_files import read_settings
from leeboard.clients import FIRST, Scope, client_names, first_sign, settings_path, signs
from leeboard.errors import ConfigError
from leeboard.io.connection import other_end_is_told
from leeboard.io.git.ask import status
from leeboard.io.places import current_project
from leeboard.model.policy import Profile
from leeboard.surfaces.cli.change_view import change_object, print_difference, print_summary, scope_options
from leeboard.surfaces.cli.person import require_no_agent, require_person
from leeboard.surfaces.cli.project.checks.clients import posting_version
from leeboard.surfaces.cli.screen import json_option, print_json, quiet_option, screen, words
from leeboard.trust.released import release

if TYPE_CHECKING:
    from leeboard.surfaces.cli.terminal import Console

_PROFILES: tuple[Profile, ...] = ("observe", "advise", "enforce")
"""The loosest first."""
_TRUST = ("leeboard trust", "what this repository brings sleeps until you trust it: shows it, and asks")
_PROFILE = click.Choice(_PROFILES)
_ALL = "all"
_CLIENT = click.Choice((*client_names(), _ALL))


class _Plan(msgspec.Struct, frozen=True, kw_only=True):
    """All that one call of `init` wants to do."""

    root: str
    place: SettingsPlace
    hooks: FileEdit
    profile: FileEdit | None
    exclude: FileEdit | None
    """What keeps the settings that are for one person alone out of git's sight."""
    server: FileEdit | None = None
    """The workflow's server among the client's."""
    posts: HttpHooks | None = None
    """Where the client posts what follows a call, if that was asked for."""
    posted_before: HttpHooks | None = None
    """Where it did so until now, if that ends."""
    dry_run: bool

    @property
    def changes(self) -> tuple[FileEdit, ...]:
        wanted = (self.hooks, self.profile, self.exclude, self.server)
        return tuple(change for change in wanted if change is not None and change.changes)


@click.command(epilog="Example:  leeboard init --profile observe --dry-run")
@scope_options
@click.option(
    "--client", type=_CLIENT, default=FIRST, help="Whose settings; Claude Code's by default, `all` that are found."
)
@click.option("--profile", type=_PROFILE, help="Also write this profile into leeboard.toml.")
@click.option("--workflow", is_flag=True, help="Also register the workflow's MCP server in .mcp.json.")
@click.option("--http", is_flag=True, help="Have what follows a call posted to the resident, which is cheaper.")
@click.option("--statusline", is_flag=True, help="Also show in the client's status line that the guard is alive.")
@click.option("-n", "--dry-run", is_flag=True, help="Show what would change, and change nothing.")
@json_option
@quiet_option
def command(scope: Scope | None, client: str, profile: Profile | None, **flags: bool) -> None:
    """Put Leeboard's hooks into the settings of Claude Code, or of another client.

    Without an option they go into .claude/settings.local.json: for you, in this project, in a file that is not under
    version control; where git does not ignore it, it is added to the repository's own .git/info/exclude. Settings that
    stand there stay, byte for byte; `leeboard uninstall` gives the file back as it was. Running it twice changes
    nothing. A script may run it too, an agent may not; a profile that is looser than the one that counts here takes a
    person in a terminal.

    With --http Claude Code posts what follows a call to a port of 127.0.0.1 that is this project's, in place of
    starting a process. What can be refused still runs the command. It takes a person, Linux, and a version that
    `leeboard doctor --probe` has seen to post its hooks; `leeboard init` without it goes back to commands. On a machine
    that you share with people you do not trust, leave it: while nobody answers there, any of them can take the port.
    """
    require_no_agent("init")
    require_lasting()
    root = current_project()
    found = found_clients(root) if client == _ALL else (client,)
    ats = _settings_of(found or (FIRST,), root, scope)
    if not found and not flags["as_json"] and not flags["quiet"]:
        screen().print(
            words(f"no client was found on this machine: the settings of {first_sign(FIRST, 'title')} are taken")
        )
    if flags["statusline"]:
        _check_status_line(ats[0], root)
    posts = _posts(ats, root, dry_run=flags["dry_run"]) if flags["http"] else None
    if profile is not None and any(_loosens(_plan(at, profile, flags, posts), profile) for at in ats):
        require_person(f"init --profile {profile}")
    begun = []
    for at in ats:
        plan = _plan(at, profile, flags, posts)  # only now: the one before may have written to a file that both change
        if not plan.dry_run:
            _carry_out(plan)
            release(plan.root)
        if flags["as_json"]:
            print_json(_object(plan))
        elif not flags["quiet"]:
            _show(plan, screen())
            begun += [plan] if plan.changes and not plan.dry_run else []
    if begun:
        _show_next(begun, screen())


def _settings_of(clients: Sequence[str], root: str, scope: Scope | None) -> tuple[SettingsPlace, ...]:
    """Of these clients, those that have settings of that scope; ConfigError where none has."""
    able = [name for name in clients if scope is None or settings_path(name, scope, root, os.environ)]
    return tuple(place(scope, root, name) if scope else places(root, name)[0] for name in able or clients[:1])


def _posts(ats: Sequence[SettingsPlace], root: str, *, dry_run: bool) -> HttpHooks:
    """The port and the token of this project; ConfigError where the hooks have to stay commands."""
    if not dry_run:
        require_person("init --http")
    (at,) = ats if len(ats) == 1 else (place("local", root),)
    if len(ats) != 1 or at.scope != "local":
        raise ConfigError("--http is for the local settings of one client: a port and its token are for you alone")
    if not other_end_is_told():
        raise ConfigError("this system does not tell who posts a hook; `leeboard init` puts the hooks in as commands")
    version, known = posting_version(at.client, root), hooks_of(root)
    if known is not None and not known.given_up and known.settings == at.path:
        return msgspec.structs.replace(known, version=version)
    try:
        return new_hooks(root, at.path, version)
    except OSError as error:
        raise ConfigError(f"{error}; `leeboard init` puts the hooks in as commands") from error


def _check_status_line(at: SettingsPlace, root: str) -> None:
    """A status line of the user's own stays what it is: ours would take its place."""
    if at.client != FIRST:
        raise ConfigError(f"{first_sign(at.client, 'title')} has no status line that a command could fill")
    if theirs := others_status_line(root):
        raise ConfigError(
            f"{short_path(theirs)} has a status line of your own, which stays. "
            "To have ours in it, let its command print what `leeboard statusline` says for the same stdin."
        )


def _plan(at: SettingsPlace, profile: Profile | None, flags: Mapping[str, bool], posts: HttpHooks | None) -> _Plan:
    root = current_project()
    to = posts.posted_to if posts else None
    kept = None if posts else hooks_of(root)
    return _Plan(
        root=root,
        place=at,
        posts=posts,
        posted_before=kept if kept is not None and kept.settings == at.path and not kept.given_up else None,
        hooks=plan_install(at, our_command(at.client), status_line=flags["statusline"], posted_to=to),
        profile=plan_profile(profile_file(at.scope, root), profile) if profile else None,
        exclude=plan_exclude(root, first_sign(at.client, "local-settings")) if at.scope == "local" else None,
        server=plan_server(server_file(root)) if flags["workflow"] else None,
        dry_run=flags["dry_run"],
    )


def _loosens(plan: _Plan, profile: Profile) -> bool:
    """Whether something that guards already would guard less: where nothing stands, any profile is more than none."""
    stands = not plan.hooks.changes or (plan.profile is not None and plan.profile.before is not None)
    return stands and _PROFILES.index(profile) < _PROFILES.index(read_settings(plan.root, os.environ)[0].policy.profile)


def _carry_out(plan: _Plan) -> None:
    if plan.posts is not None:
        keep_hooks(plan.posts)  # first: the port is to be open when the client posts to it
    if plan.hooks.changes:
        install(plan.hooks, plan.place.client)
    else:
        hide_token(plan.place)
    if plan.posts is None:
        forget_hooks_in(plan.place.path)
    if plan.profile is not None and plan.profile.changes:
        write_profile(plan.profile)
    if plan.profile is not None and plan.place.scope != "user":
        trust_profile(plan.root, plan.profile)
    if plan.exclude is not None:
        write_exclude(plan.exclude)
    if plan.server is not None and plan.server.changes:
        write_server(plan.server)


def _object(plan: _Plan) -> dict[str, object]:
    return {
        "kind": "init",
        "client": plan.place.client,
        "scope": plan.place.scope,
        "project": plan.root,
        "dry_run": plan.dry_run,
        "already_installed": not plan.hooks.changes,
        "changes": [change_object(change) for change in plan.changes],
    }


def _show(plan: _Plan, console: Console) -> None:
    if not plan.changes:
        console.print(words(("already installed", "green"), f" in {short_path(plan.place.path)}; nothing to change"))
    elif plan.dry_run:
        console.print(words(("would change", "bold")))
        for change in plan.changes:
            print_difference(change, console)
    else:
        for change in plan.changes:
            print_summary(change, console)
    for note in _notes(plan):
        console.print(words("  ", (note, "dim")))


def _notes(plan: _Plan) -> list[str]:
    notes, local = [], first_sign(plan.place.client, "local-settings")
    if status(plan.root) is None:
        notes.append(
            f"{plan.root} is not a git work tree: what scripts change can not be seen there; everything else works"
        )
    elif plan.exclude is not None:
        ignores = "would ignore" if plan.dry_run else "now ignores"
        notes.append(f"git {ignores} {local} here, by a line in {short_path(plan.exclude.path)} that nobody commits")
    elif plan.place.scope == "local" and is_tracked(plan.root, local):
        notes.append(f"{local} is under version control here; it is meant for you alone")
    elif plan.place.scope == "project":
        notes.append(_shared(plan))
    if plan.server is not None:
        notes.append(_how_served())
    if plan.posts is not None:
        notes.append(_how_posted(plan.posts, first_sign(plan.place.client, "title"), dry_run=plan.dry_run))
    elif plan.posted_before is not None:
        runs, port = "would run" if plan.dry_run else "runs", plan.posted_before.port
        notes.append(f"what follows a call {runs} the command again, not port {port}; `leeboard init --http` posts it")
    notes += [f"{step}; `leeboard doctor` tells how it stands" for step in signs(plan.place.client, "next-step")]
    others = (other for other in places(plan.root, plan.place.client) if other != plan.place)
    return notes + [_doubled(other) for other in others if _stands(other)]


def _how_posted(posts: HttpHooks, title: str, *, dry_run: bool) -> str:
    """A port is chosen when it is taken: what is only shown reserves none."""
    kept = hooks_of(posts.root)
    if dry_run and (kept is None or kept.port != posts.port):
        return (
            f"{title} {posts.version} would post what follows a call to a free port of 127.0.0.1, chosen when you run "
            f"this without --dry-run: port {posts.port} above is an example"
        )
    does = "would post" if dry_run else "posts"
    where = f"port {posts.port} of 127.0.0.1"
    return f"{title} {posts.version} {does} what follows a call to {where}; `leeboard init` goes back to commands"


def _doubled(other: SettingsPlace) -> str:
    """How to be rid of the second ones, and of nothing else."""
    alone = f"`leeboard uninstall --{other.scope} --client {other.client}`"
    where = ", for every project of yours" if other.scope == "user" else ""
    return f"the hooks are also in {short_path(other.path)}, so each runs twice; {alone} takes out those alone{where}"


def _shared(plan: _Plan) -> str:
    """What a file is that everybody who works here could have."""
    file = first_sign(plan.place.client, "project-settings")
    if is_tracked(plan.root, file):
        return (
            f"{file} is under version control, and holds paths of this machine: others run `leeboard init` themselves"
        )
    alone = f"`echo {file} >> .git/info/exclude`"
    return f"{file} holds paths of this machine: others run `leeboard init` themselves, and {alone} keeps it out of git"


def _how_served() -> str:
    if is_on_path():
        return f"{SERVER_FILE} starts the server as `leeboard mcp`: it may be shared with others who have it"
    return f"{SERVER_FILE} names this interpreter ({sys.executable}): PATH leads to no leeboard, or to another one"


def _stands(other: SettingsPlace) -> bool:
    try:
        return bool(standing(other)[0])
    except ConfigError:
        return False


def _show_next(plans: Sequence[_Plan], console: Console) -> None:
    plan = plans[0]
    undo = "leeboard uninstall --user" if plan.place.scope == "user" else "leeboard uninstall"
    console.print()
    for one in plans:
        console.print(_watched(one.place))
    begin = ("leeboard flow new 'TITLE'", "begin a piece of work; your agent, or `leeboard flow next`, goes on")
    for line, what in (
        *((begin,) if plan.server is not None else ()),
        *((_TRUST,) if any(actor.acts for actor in sleeping(plan.root, os.environ)) else ()),
        ("leeboard status", "is it alive, and what does it think the goal is"),
        ("leeboard report", "what came of a session"),
        (undo, "takes the hooks out again, and names what stays"),
    ):
        console.print(words("  ", (f"{line:<27}", "bold"), what))


def _watched(at: SettingsPlace) -> str:
    where = "in every project of yours" if at.scope == "user" else "here"
    running = ", in running sessions too" if at.client == FIRST else " once it is restarted"
    watches = "watches" if signs(at.client, "next-step") else "now watches"
    return f"Leeboard {watches} the next thing {first_sign(at.client, 'title')} does {where}{running}."
