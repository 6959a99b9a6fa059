"""`leeboard drift`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import click
import msgspec

from leeboard.app.allowances import spelled_in_project
from leeboard.app.tracked import Tracked
from leeboard.app.views.tracked import (
    DriftPage,
    difference_of,
    drift_page,
    opened_tracked,
    tracked_view,
    wrong_settings,
)
from leeboard.errors import ConfigError
from leeboard.io.places import current_project
from leeboard.model.tracked import TrackedChange
from leeboard.surfaces.cli.person import require_person
from leeboard.surfaces.cli.screen import fields, json_option, print_json, print_view, screen, trust_option, words
from leeboard.text.words import counted

_STYLES = {"+": "green", "-": "red", "@": "cyan"}
_NEXT = "`leeboard drift diff` shows how, `leeboard drift accept` takes them as they are"
_HEARD = (
    "agents are told of what is unread when you speak to them, and before they write it; there is nothing to accept",
    "the profile observe tells agents nothing of what is unread; `git diff` shows you what changed",
)
"""By whether nothing is said."""
_HOW = 'name files to be watched in leeboard.toml: [truth] track = ["docs/requirements/**"]'


@click.group(invoke_without_command=True, epilog="Example:  leeboard drift status")
@json_option
@click.pass_context
def command(ctx: click.Context, *, as_json: bool) -> None:
    """Which files others changed, beside the agents.

    Tracked files (`[truth] track` in leeboard.toml) are compared with how they were last accepted; the files that the
    newest session knows, with how its agent last read them. Without a word it shows the status.
    """
    if ctx.invoked_subcommand is None:
        ctx.invoke(status, as_json=as_json)
    elif as_json:
        ctx.fail(f"put --json after {ctx.invoked_subcommand}")


@command.command(epilog="Example:  leeboard drift status --check")
@click.option("--check", is_flag=True, help="Exit 1 where a tracked file differs, 2 where the settings are wrong.")
@trust_option
@json_option
def status(*, check: bool, as_json: bool) -> int:
    """What differs, and who changed it as far as that can be told.

    Files that are tracked for the first time are taken as they are.
    """
    page = drift_page(current_project())
    if as_json:
        for view in (*(one.file for one in page.changed), *page.unread, page.status):
            print_view(view)
    else:
        _print_status(page)
    if check and page.wrong:
        return 2
    return int(check and bool(page.changed))


@command.command(epilog="Example:  leeboard drift diff docs/requirements/login.md")
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@json_option
def diff(paths: tuple[str, ...], *, as_json: bool) -> int:
    """Show what changed in tracked files, all of them or PATH.

    Where the accepted state is in git it is a whole diff; else the new lines with their numbers, for no text is kept.
    """
    root = current_project()
    spelled = tuple(spelled_in_project(path, root) for path in paths)
    with opened_tracked(root) as (tracked, _):
        if tracked is None:
            raise _nothing_tracked("diff", root)
        told = [one for one in tracked.look().told if not spelled or _is_named(one.change, spelled)]
        unmatched = _unmatched(spelled, [one.change for one in told], tracked, root)
    for one in told:
        lines = difference_of(one.change, root)
        if as_json:
            print_json({**msgspec.to_builtins(tracked_view(one)), "diff": "\n".join(lines)})
            continue
        screen().print(words((f"{one.change.path}: {one.kind}", "bold"), f"; by whom: {one.words}"))
        for line in lines:
            screen().print(words((line, _STYLES.get(line[:1], ""))))
    return _say(unmatched)


@command.command(epilog="Example:  leeboard drift accept docs/requirements/login.md")
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@json_option
def accept(paths: tuple[str, ...], *, as_json: bool) -> int:
    """Take tracked files as they are now, all of them or PATH.

    Agents are no longer told of them. Only people may do this: inside an agent it refuses.
    """
    require_person("drift accept")
    root = current_project()
    spelled = tuple(spelled_in_project(path, root) for path in paths)
    with opened_tracked(root) as (tracked, _):
        if tracked is None:
            raise _nothing_tracked("accept", root)
        accepted = tracked.accept(spelled)
        unmatched = _unmatched(spelled, accepted, tracked, root)
    for change in accepted:
        if as_json:
            print_json({"kind": "accepted", "path": change.path, "change": change.kind, "sha256": change.sha256})
        else:
            screen().print(words("accepted ", (change.path, "bold")))
    if not accepted and not as_json and not spelled:
        screen().print(words("nothing differs"))
    return _say(unmatched)


def _nothing_tracked(word: str, root: str) -> ConfigError:
    """A slip anywhere in the settings may be why, or may not."""
    notes = "".join(f"; {note}" for note in wrong_settings(root)[:1])
    return ConfigError(f"`drift {word}` is for tracked files, and none is tracked in {root}: {_HOW}{notes}")


def _unmatched(
    paths: tuple[str, ...], changes: Sequence[TrackedChange], tracked: Tracked, root: str
) -> tuple[str, ...]:
    """A path that names nothing was hardly meant so."""
    left = (path for path in paths if not any(_is_named(change, (path,)) for change in changes))
    return tuple(f"{path}: {_why_not(path, tracked, root)}" for path in left)


def _why_not(path: str, tracked: Tracked, root: str) -> str:
    if tracked.knows(path):
        return "it is as it was accepted"
    if (Path(root) / path).exists():
        return "it is not tracked: [truth] track in leeboard.toml names what is"
    return "there is no such file"


def _say(unmatched: tuple[str, ...]) -> int:
    for line in unmatched:
        screen(stderr=True).print(words(line))
    return int(bool(unmatched))


def _is_named(change: TrackedChange, paths: tuple[str, ...]) -> bool:
    return any(change.path == path or change.path.startswith(f"{path.rstrip('/')}/") for path in paths)


def _print_status(page: DriftPage) -> None:
    rows = [("project", page.status.project), ("tracked", _how_many(page))]
    rows += [(one.kind, f"{one.file.path}; by whom: {one.file.by}") for one in page.changed]
    rows += [("unread", f"{one.path}: {one.what}; by whom: {one.by}") for one in page.unread]
    rows += [("note", note) for note in page.status.notes]
    rows += [("next", _NEXT)] if page.changed else []
    rows += [("next", _HEARD[page.is_silent])] if page.unread else []
    fields(rows, screen())


def _how_many(page: DriftPage) -> str:
    files = counted(page.status.tracked, "file")
    if not page.tracks:
        return f"nothing: {_HOW}"
    if page.status.established:
        return f"{files}, from now on"
    if not page.changed:
        return f"{files}, as accepted"
    kinds = Counter(one.kind for one in page.changed)
    parts = ", ".join(f"{number} {kind}" for kind, number in kinds.items())
    return f"{files} there; not as accepted: {parts}"
