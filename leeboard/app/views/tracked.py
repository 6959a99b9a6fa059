"""Which files others changed: tracked ones since they were accepted, and those a session knows since it read them."""

from __future__ import annotations

import difflib
import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from leeboard.app.archive import opened_archive
from leeboard.app.handle import RunSetting, world_of
from leeboard.app.settings import policy_of
from leeboard.app.settings_files import read_project, read_settings
from leeboard.app.tracked import Tracked, TrackedNews, TrackedReport
from leeboard.io.clock import now
from leeboard.io.git import ask
from leeboard.io.git.tree_files import DiskFiles
from leeboard.io.places import database, secret_key
from leeboard.model.event import PromptGiven
from leeboard.model.known import ChangedFile, Known
from leeboard.model.lookup import KnownFiles
from leeboard.model.policy import Policy
from leeboard.model.tracked import TrackedChange, TrackedFile
from leeboard.model.truth import ABSENT
from leeboard.model.workspace import Workspace
from leeboard.model.world import Analysis, World
from leeboard.secrets.redaction import redact
from leeboard.store.sqlite import SqliteStore
from leeboard.truth.cause import author_of
from leeboard.truth.change import changed_file
from leeboard.truth.state import state_of
from leeboard.truth.words import shown_change, summary

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


@contextmanager
def opened_tracked(root: str) -> Iterator[tuple[Tracked | None, SqliteStore | None]]:
    """The tracked files of a project; None where its settings track nothing, and no store is made to find that out."""
    settings, _ = read_settings(root, os.environ)
    if not settings.track and not Path(database()).exists():
        yield None, None
        return
    with opened_archive() as store:
        yield Tracked(root, settings.track, store, secret_key()) if settings.track else None, store


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
