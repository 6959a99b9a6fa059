"""`leeboard drift`."""

from __future__ import annotations

import difflib
import hashlib
import os
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import click
import msgspec

from leeboard.app.allowances import spelled_in_project
from leeboard.app.handle import RunSetting, world_of
from leeboard.app.person.baseline import opened_tracked
from leeboard.app.settings import policy_of
from leeboard.app.settings_files import read_project
from leeboard.app.tracked import Tracked, TrackedNews, TrackedReport
from leeboard.errors import ConfigError
from leeboard.io.clock import now
from leeboard.io.git import ask
from leeboard.io.git.tree_files import DiskFiles
from leeboard.io.places import current_project, secret_key
from leeboard.model.event import PromptGiven
from leeboard.model.known import ChangedFile, Known
from leeboard.model.lookup import KnownFiles
from leeboard.model.policy import Policy
from leeboard.model.truth import ABSENT, TrackedChange, TrackedFile
from leeboard.model.workspace import Workspace
from leeboard.model.world import Analysis, World
from leeboard.secrets.redaction import redact
from leeboard.store.sqlite import SqliteStore
from leeboard.surfaces.cli.person import require_person
from leeboard.surfaces.cli.screen import fields, json_option, print_json, print_view, screen, trust_option, words
from leeboard.text.words import counted
from leeboard.truth.cause import author_of
from leeboard.truth.change import changed_file
from leeboard.truth.state import state_of
from leeboard.truth.words import shown_change, summary

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


# What differs: tracked files since they were accepted, and those a session knows since it read them.


GIT_SECONDS = 5.0
MOST_FILES = 1_000
MOST_VERSIONS = 50
"""Commits of a file that its accepted text is looked for in."""


class UnreadView(msgspec.Struct, frozen=True, kw_only=True):
    """A file that is not as a session's agent last knew it."""

    kind: str = "unread_change"
    path: str
    session: str
    what: str
    author: str
    by: str


class TrackedView(msgspec.Struct, frozen=True, kw_only=True):
    """A tracked file that is not as it was accepted."""

    kind: str = "tracked_change"
    path: str
    change: str
    author: str
    by: str
    before_sha256: str | None
    after_sha256: str | None


class TrackedPage(msgspec.Struct, frozen=True, kw_only=True):
    file: TrackedView
    kind: str
    """The kind of change, as people call it."""


class DriftStatus(msgspec.Struct, frozen=True, kw_only=True):
    kind: str = "drift"
    project: str
    tracked: int
    established: bool
    changed: int
    unread: int
    notes: tuple[str, ...]


class DriftPage(msgspec.Struct, frozen=True, kw_only=True):
    """All that differs in a project."""

    status: DriftStatus
    changed: tuple[TrackedPage, ...]
    unread: tuple[UnreadView, ...]
    wrong: tuple[str, ...]
    """What is wrong with the settings, and what of them nobody trusted."""
    tracks: bool
    """Whether the settings name any file to be watched."""
    is_silent: bool
    """Whether agents are told nothing of it."""


def drift_page(root: str) -> DriftPage:
    """Files that are tracked for the first time are taken as they are."""
    wrong = wrong_settings(root)
    with opened_tracked(root) as (tracked, store):
        seen = tracked.look() if tracked else TrackedReport(told=(), files=0)
        unread = unread_files(root, store) if store else ()
    status = DriftStatus(
        project=root,
        tracked=seen.files,
        established=seen.established,
        changed=len(seen.told),
        unread=len(unread),
        notes=(*wrong, *seen.notes),
    )
    return DriftPage(
        status=status,
        changed=tuple(TrackedPage(file=tracked_view(one), kind=one.kind) for one in seen.told),
        unread=unread,
        wrong=wrong,
        tracks=tracked is not None,
        is_silent=policy_of(root).profile == "observe",
    )


def wrong_settings(root: str) -> tuple[str, ...]:
    """What is wrong with the settings, and what of them nobody trusted."""
    read = read_project(root, os.environ)
    strange = read.project is not None and read.project.track and not read.trusted
    asleep = ("[truth] track of this repository does not count: it is not trusted here yet (`leeboard trust`)",)
    return (*read.notes, *(asleep if strange else ()))


def unread_files(root: str, store: SqliteStore) -> tuple[UnreadView, ...]:
    """The files that changed since the agent of the newest session, which still goes on, last read them."""
    session = next(iter(store.sessions(root, 1)), None)
    key = secret_key()
    if session is None or session.status != "active" or not key:
        return ()
    knowledge = KnownFiles(store, session.id, DiskFiles(root))
    event = PromptGiven(session=session.id, text="", time=now())
    setting = RunSetting(workspace=Workspace(root), policy=Policy(), secret_key=key)
    world = world_of(Analysis(event=event), session, setting)
    return tuple(_unread_view(one, world, knowledge) for one in _changed(knowledge, key))


def _changed(knowledge: KnownFiles, key: bytes) -> Iterator[ChangedFile]:
    for light in knowledge.newest_known(MOST_FILES, ""):
        known = knowledge.known("", light.path) if light.seen else None
        changed = changed_file(known, knowledge, key) if known else None
        if changed is not None:
            yield changed


def _unread_view(changed: ChangedFile, world: World, knowledge: KnownFiles) -> UnreadView:
    author = author_of(changed, world, knowledge)
    known = changed.known
    return UnreadView(
        path=known.path,
        session=known.session,
        what=summary(changed),
        author=author.kind,
        by=author.words.replace("your own", "its own"),
    )


def tracked_view(told: TrackedNews) -> TrackedView:
    change = told.change
    return TrackedView(
        path=change.path,
        change=change.kind,
        author=told.author,
        by=told.words,
        before_sha256=change.before.sha256 if change.before else None,
        after_sha256=None if change.sha256 == ABSENT else change.sha256,
    )


def difference_of(change: TrackedChange, root: str) -> tuple[str, ...]:
    """A diff where the accepted text can be had from git, else what the digests of its lines tell; no secret."""
    text = DiskFiles(root).text(change.path) if change.sha256 != ABSENT else ""
    if text is None or change.is_binary:
        return ("no text",)
    before = _accepted_text(change.before, root) if change.before else ""
    if before is not None:
        old, new = (redact(before).splitlines(), redact(text).splitlines())
        names = (change.path if change.before else "/dev/null", change.path if text else "/dev/null")
        shown = tuple(difflib.unified_diff(old, new, *names, lineterm=""))
        return shown or ("only what is not shown has changed: secrets, or how its lines end",)
    return _by_lines(change, text)


def _by_lines(change: TrackedChange, text: str) -> tuple[str, ...]:
    before = change.before
    if before is None or not before.lines:
        return ("where it changed is not known: its lines were not remembered",)
    known = Known(session="", agent="", path=change.path, root="", digest="", lines=before.lines, count=before.count)
    changed = ChangedFile(known=known, now=state_of(text, secret_key()), stamp=())
    return shown_change(changed, text)


def _accepted_text(file: TrackedFile, root: str) -> str | None:
    """The text that was acknowledged, where git holds exactly this: in the commit of that time, or in another one."""
    for name in _versions(file, root):
        data = ask.run(root, ("cat-file", "blob", name), GIT_SECONDS)
        if data is not None and hashlib.sha256(data).hexdigest() == file.sha256:
            return data.decode("utf-8", "replace")
    return None


def _versions(file: TrackedFile, root: str) -> Iterator[str]:
    """What git calls the file's versions. What was accepted before it was committed is in a later commit."""
    if file.head:
        yield f"{file.head}:{os.fspath(file.path)}"
    log = ("--literal-pathspecs", "log", f"-{MOST_VERSIONS}", "--format=", "--raw", "--no-abbrev", "--no-renames")
    told = ask.run(root, (*log, "--", os.fspath(file.path)), GIT_SECONDS) or b""
    blobs = (line.split()[3].decode("ascii") for line in told.splitlines() if line.startswith(b":"))
    yield from (blob for blob in dict.fromkeys(blobs) if blob.strip("0"))
