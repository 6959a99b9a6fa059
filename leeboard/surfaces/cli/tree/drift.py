"""`leeboard drift`."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import click

from leeboard.app.settings import policy_of
from leeboard.app.settings_files import read_project, read_settings
from leeboard.app.tracked import Tracked, TrackedReport
from leeboard.errors import ConfigError
from leeboard.io.places import database, secret_key
from leeboard.model.tracked import TrackedChange
from leeboard.store.sqlite import SqliteStore
from leeboard.surfaces.cli.archive import opened_archive, spelled_in_project
from leeboard.surfaces.cli.here import here
from leeboard.surfaces.cli.person import require_person
from leeboard.surfaces.cli.screen import fields, json_option, print_json, screen, words
from leeboard.surfaces.cli.tree.tracked_view import Stale, change_object, difference_of, stale_files, stale_object
from leeboard.surfaces.cli.trust_view import trust_option
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
        ctx.fail(f"write --json behind {ctx.invoked_subcommand}")


@command.command(epilog="Example:  leeboard drift status --check")
@click.option("--check", is_flag=True, help="Exit 1 where a tracked file differs, 2 where the settings are wrong.")
@trust_option
@json_option
def status(*, check: bool, as_json: bool) -> int:
    """What differs, and who changed it as far as that can be told.

    Files that are tracked for the first time are taken as they are.
    """
    root = here()
    wrong = _wrong(root)
    with _tracked(root) as (tracked, store):
        seen = tracked.look() if tracked else None
        stale = stale_files(root, store) if store else ()
    notes = (*wrong, *(seen.notes if seen else ()))
    if as_json:
        _print_objects(root, seen, stale, notes)
    else:
        _print_status(root, seen, stale, notes)
    if check and wrong:
        return 2
    return int(check and bool(seen and seen.told))


@command.command(epilog="Example:  leeboard drift diff docs/requirements/login.md")
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@json_option
def diff(paths: tuple[str, ...], *, as_json: bool) -> int:
    """Show what changed in tracked files, all of them or PATH.

    Where the accepted state is in git it is a whole diff; else the new lines with their numbers, for no text is kept.
    """
    root = here()
    spelled = tuple(spelled_in_project(path, root) for path in paths)
    with _tracked(root) as (tracked, _):
        if tracked is None:
            raise _nothing_tracked("diff", root)
        told = [one for one in tracked.look().told if not spelled or _is_named(one.change, spelled)]
        unmatched = _unmatched(spelled, [one.change for one in told], tracked, root)
    for one in told:
        lines = difference_of(one.change, root)
        if as_json:
            print_json({**change_object(one), "diff": "\n".join(lines)})
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
    root = here()
    spelled = tuple(spelled_in_project(path, root) for path in paths)
    with _tracked(root) as (tracked, _):
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


def _wrong(root: str) -> tuple[str, ...]:
    """What is wrong with the settings, and what of them nobody trusted."""
    read = read_project(root, os.environ)
    strange = read.project is not None and read.project.track and not read.trusted
    asleep = ("[truth] track of this repository does not count: it is not trusted here yet (`leeboard trust`)",)
    return (*read.notes, *(asleep if strange else ()))


def _nothing_tracked(word: str, root: str) -> ConfigError:
    """A slip anywhere in the settings may be why, or may not."""
    notes = "".join(f"; {note}" for note in _wrong(root)[:1])
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


@contextmanager
def _tracked(root: str) -> Iterator[tuple[Tracked | None, SqliteStore | None]]:
    """None where the settings track nothing; no store is made to find that out."""
    settings, _ = read_settings(root, os.environ)
    if not settings.track and not Path(database()).exists():
        yield None, None
        return
    with opened_archive() as store:
        yield Tracked(root, settings.track, store, secret_key()) if settings.track else None, store


def _is_named(change: TrackedChange, paths: tuple[str, ...]) -> bool:
    return any(change.path == path or change.path.startswith(f"{path.rstrip('/')}/") for path in paths)


def _print_status(root: str, seen: TrackedReport | None, stale: tuple[Stale, ...], notes: tuple[str, ...]) -> None:
    rows = [("project", root), ("tracked", _how_many(seen))]
    rows += [(one.kind, f"{one.change.path}; by whom: {one.words}") for one in (seen.told if seen else ())]
    rows += [("unread", f"{one.path}: {one.summary}; by whom: {one.words}") for one in stale]
    rows += [("note", note) for note in notes]
    rows += [("next", _NEXT)] if seen and seen.told else []
    rows += [("next", _HEARD[policy_of(root).profile == "observe"])] if stale else []
    fields(rows, screen())


def _how_many(seen: TrackedReport | None) -> str:
    if seen is None:
        return f"nothing: {_HOW}"
    if seen.established:
        return f"{counted(seen.files, 'file')}, from now on"
    if not seen.told:
        return f"{counted(seen.files, 'file')}, as accepted"
    kinds = Counter(one.kind for one in seen.told)
    parts = ", ".join(f"{number} {kind}" for kind, number in kinds.items())
    return f"{counted(seen.files, 'file')} there; not as accepted: {parts}"


def _print_objects(root: str, seen: TrackedReport | None, stale: tuple[Stale, ...], notes: tuple[str, ...]) -> None:
    for one in seen.told if seen else ():
        print_json(change_object(one))
    for file in stale:
        print_json(stale_object(file))
    print_json(
        {
            "kind": "drift",
            "project": root,
            "tracked": seen.files if seen else 0,
            "established": bool(seen and seen.established),
            "changed": len(seen.told) if seen else 0,
            "unread": len(stale),
            "notes": list(notes),
        }
    )
