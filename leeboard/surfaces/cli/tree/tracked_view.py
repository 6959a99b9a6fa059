"""Changes of tracked files and of files a session knows, for people and for programs."""

from __future__ import annotations

import difflib
import hashlib
import os
from collections.abc import Iterator

import msgspec

from leeboard.app.handle import RunSetting, world_of
from leeboard.app.tracked import TrackedNews
from leeboard.io.clock import now
from leeboard.io.git import ask
from leeboard.io.git.tree_files import DiskFiles
from leeboard.io.places import secret_key
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


class Stale(msgspec.Struct, frozen=True, kw_only=True):
    """A file that is not as a session's agent last knew it."""

    path: str
    session: str
    summary: str
    author: str
    words: str


def stale_files(root: str, store: SqliteStore) -> tuple[Stale, ...]:
    """Of the newest session that still goes on."""
    session = next(iter(store.sessions(root, 1)), None)
    key = secret_key()
    if session is None or session.status != "active" or not key:
        return ()
    knowledge = KnownFiles(store, session.id, DiskFiles(root))
    event = PromptGiven(session=session.id, text="", time=now())
    setting = RunSetting(workspace=Workspace(root), policy=Policy(), secret_key=key)
    world = world_of(Analysis(event=event), session, setting)
    return tuple(_stale(one, world, knowledge) for one in _changed(knowledge, key))


def _changed(knowledge: KnownFiles, key: bytes) -> Iterator[ChangedFile]:
    for light in knowledge.newest_known(MOST_FILES, ""):
        known = knowledge.known("", light.path) if light.seen else None
        changed = changed_file(known, knowledge, key) if known else None
        if changed is not None:
            yield changed


def _stale(changed: ChangedFile, world: World, knowledge: KnownFiles) -> Stale:
    author = author_of(changed, world, knowledge)
    known = changed.known
    return Stale(
        path=known.path,
        session=known.session,
        summary=summary(changed),
        author=author.kind,
        words=author.words.replace("your own", "its own"),
    )


def stale_object(stale: Stale) -> dict[str, object]:
    return {
        "kind": "unread_change",
        "path": stale.path,
        "session": stale.session,
        "what": stale.summary,
        "author": stale.author,
        "by": stale.words,
    }


def change_object(told: TrackedNews) -> dict[str, object]:
    change = told.change
    return {
        "kind": "tracked_change",
        "path": change.path,
        "change": change.kind,
        "author": told.author,
        "by": told.words,
        "before_sha256": change.before.sha256 if change.before else None,
        "after_sha256": None if change.sha256 == ABSENT else change.sha256,
    }


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
