"""A file written on a person's behalf: `haiku_human_write`. The baseline is not touched; the next tick sees the file.

The name of the author is a claim of the agent, never an identity: it is kept, and nothing hangs on it.
"""

from __future__ import annotations

import base64
import os
import stat
from collections.abc import Callable
from hashlib import sha256
from posixpath import basename, dirname
from typing import Any

import msgspec

from leeboard.errors import EffectError, StateError, WireError
from leeboard.model.truth import ABSENT, LogEntry
from leeboard.plan.disk import layout
from leeboard.plan.disk.folder import PlanFolder, hold
from leeboard.plan.disk.read import read_intent, read_tick
from leeboard.plan.disk.truth import effects
from leeboard.plan.disk.truth.action_log import next_id
from leeboard.plan.disk.truth.surface import digest_of, drift_settings
from leeboard.plan.effect import Refusal
from leeboard.plan.files.files import safe_id
from leeboard.plan.files.truth import AuditRecord, format_audit
from leeboard.plan.surface import ALIAS, KNOWLEDGE, STAGE_FOLDERS, Reason, alias, spelled, unspelled, write_place
from leeboard.secrets.redaction import redact

_LONGEST_AUTHOR = 128
_OUTSIDE = "path_outside_tracked_surface"
_DECODERS: dict[str, Callable[[str], bytes]] = {
    "utf-8": str.encode,
    "base64": lambda text: base64.b64decode(text, validate=True),
}


class HumanWrite(msgspec.Struct, frozen=True, kw_only=True):
    """A file that a person wants written into the plan, and who they say they are."""

    path: str
    content: str
    content_encoding: str = "utf-8"
    claimed_author_id: str | None = None
    human_author_id: str | None = None
    rationale: str | None = None
    user_instruction_excerpt: str | None = None
    overwrite: bool = True
    create_dirs: bool = True
    session_id: str | None = None


class HumanWritten(msgspec.Struct, frozen=True, kw_only=True):
    path: str
    sha: str
    timestamp: str
    claimed_author_id: str | None
    human_author_id: str | None
    dirs_created: tuple[str, ...]
    action_log_entry_id: str
    author_class: str = "human-via-mcp"
    audit_log_appended: bool = True


class _Target(msgspec.Struct, frozen=True, kw_only=True):
    path: str
    place: str
    """Where it really lies, or will."""
    before: str
    made: tuple[str, ...] = ()
    """Folders on the way that are not there yet."""


class _RefusedError(Exception):
    def __init__(self, code: str, message: str, **details: Any) -> None:
        super().__init__(message)
        self.refusal = Refusal(code=code, message=message, details=details)


def human_write(folder: PlanFolder, slug: str, request: HumanWrite, now: str) -> HumanWritten | Refusal:
    """Nothing is left of what is refused."""
    try:
        _check_intent(folder, slug)
        content = _content(request)
        _check_rationale(folder, request)
        with hold(folder, slug):
            effects.roll_forward(folder, slug)
            return _written(folder, slug, request, content, now)
    except _RefusedError as refused:
        return refused.refusal


def _check_intent(folder: PlanFolder, slug: str) -> None:
    intent = read_intent(folder, slug) if safe_id(slug, "slug") else None
    if intent is None:
        raise _RefusedError(
            "intent_not_found", f"There is no intent {slug!r}: haiku_intent_list names those there are."
        )
    if intent.archived or intent.status == "archived":
        raise _RefusedError("intent_not_active", f"{slug} is archived: haiku_intent_unarchive brings it back.")
    if intent.status == "locked":
        raise _RefusedError("intent_locked", f"{slug} is locked: a person unlocks it.")


def _check_rationale(folder: PlanFolder, request: HumanWrite) -> None:
    if drift_settings(folder).human_write_require_rationale and not (request.rationale or "").strip():
        raise _RefusedError("rationale_required", "This project wants to know why: give a rationale.")


def _content(request: HumanWrite) -> bytes:
    decode = _DECODERS.get(request.content_encoding)
    try:
        content = decode(request.content) if decode else None
    except ValueError:
        content = None
    if content is None:
        words = "The content is not in its encoding, which is utf-8 or base64."
        raise _RefusedError("invalid_content_encoding", words)
    if not content:
        raise _RefusedError("empty_content", "There is nothing to write: give the content.")
    return content


def _written(folder: PlanFolder, slug: str, request: HumanWrite, content: bytes, now: str) -> HumanWritten:
    target = _where(folder, slug, _path(folder, slug, request.path))
    _check_there(target, request)
    made = target.made
    if made and not request.create_dirs:
        raise _RefusedError(
            "parent_dir_missing", f"{made[0]} is not there, and was not to be made.", missing_dir=made[0]
        )
    entry = _entry(request, target, sha256(content).hexdigest(), now, read_tick(folder, slug))
    entry = msgspec.structs.replace(entry, entry_id=next_id(folder, slug, entry))
    ahead = _ahead(request, target, entry)
    _done(folder, slug, ahead, content)
    return HumanWritten(
        path=target.path,
        sha=ahead.entry.sha,
        timestamp=now,
        claimed_author_id=ahead.entry.claimed_author_id,
        human_author_id=ahead.entry.human_author_id,
        dirs_created=made,
        action_log_entry_id=ahead.entry.entry_id,
    )


def _path(folder: PlanFolder, slug: str, given: str) -> str:
    stages = [name for name in folder.folders(layout.below(slug, "stages")) if safe_id(name)]
    found = write_place(given, stages)
    if isinstance(found, Reason):
        details = {"reason": found.reason} | ({"deny_rule": found.deny_rule} if found.deny_rule else {})
        words = f"{given!r} is no place for a person's file ({found.reason}). {_allowed(stages)}"
        raise _RefusedError(_OUTSIDE, words, **details)
    return found


def _allowed(stages: list[str]) -> str:
    folders = ", ".join(f"stages/STAGE/{name}/" for name in STAGE_FOLDERS if name != ALIAS)
    below = f", {folders} (STAGE is {' or '.join(stages)})" if stages else ""
    return f"In the intent's folder it may lie below {KNOWLEDGE}/{below}."


def _where(folder: PlanFolder, slug: str, path: str) -> _Target:
    """One that lies under the other name of the folder stays there."""
    for place in dict.fromkeys((unspelled(path), alias(unspelled(path)))):
        _refuse_links(folder, slug, place)
        found = digest_of(folder, layout.below(slug, place))
        if found is None:
            raise _RefusedError("disk_write_failed", f"What lies at {path} is no file that can be replaced.")
        if found != ABSENT:
            return _Target(path=path, place=place, before=found)
    place = unspelled(path)
    return _Target(path=path, place=place, before=ABSENT, made=_missing_folders(folder, slug, dirname(place)))


def _refuse_links(folder: PlanFolder, slug: str, place: str) -> None:
    parts = layout.below(slug, place).split("/")
    for count in range(1, len(parts) + 1):
        part = "/".join(parts[:count])
        try:
            with folder.opened(dirname(part)) as around:
                seen = os.stat(basename(part), dir_fd=around, follow_symlinks=False)
        except OSError:
            return
        if stat.S_ISLNK(seen.st_mode):
            words = f"{spelled(place)} leads over a symbolic link: put a real folder or file in its place."
            raise _RefusedError(_OUTSIDE, words, reason="parent_chain_contains_symlink")
        if count < len(parts) and not stat.S_ISDIR(seen.st_mode):
            raise _RefusedError("disk_write_failed", f"{spelled(part)} is no folder.")


def _check_there(target: _Target, request: HumanWrite) -> None:
    if target.before != ABSENT and not request.overwrite:
        words = f"{request.path} is there already, and was not to be replaced."
        raise _RefusedError("path_already_exists", words, existing_sha=target.before)


def _missing_folders(folder: PlanFolder, slug: str, place: str) -> tuple[str, ...]:
    """On the way to a file, from the outermost."""
    parts = place.split("/")
    ways = ["/".join(parts[: count + 1]) for count in range(len(parts))]
    return tuple(spelled(way) for way in ways if digest_of(folder, layout.below(slug, way)) == ABSENT)


def _entry(request: HumanWrite, target: _Target, sha: str, now: str, tick: int) -> LogEntry:
    author = (request.claimed_author_id or request.human_author_id or "")[:_LONGEST_AUTHOR] or None
    return LogEntry(
        entry_type="human_write",
        path=target.path,
        sha=sha,
        author_class="human-via-mcp",
        timestamp=now,
        claimed_author_id=author,
        human_author_id=author,
        tick_counter=tick,
        tick_scope="stage" if layout.scope_of(target.path) else "intent",
        before_sha=target.before,
    )


def _ahead(request: HumanWrite, target: _Target, entry: LogEntry) -> effects.Ahead:
    audit = AuditRecord(
        timestamp=entry.timestamp,
        entry_id=entry.entry_id,
        path=entry.path,
        sha=entry.sha,
        claimed_author_id=entry.claimed_author_id,
        human_author_id=entry.human_author_id,
        rationale=redact(request.rationale) if request.rationale else None,
        user_instruction_excerpt=redact(request.user_instruction_excerpt) if request.user_instruction_excerpt else None,
        tick_counter=entry.tick_counter,
        session_id=request.session_id,
        overwrite=target.before != ABSENT,
        dirs_created=target.made,
        tick_scope=entry.tick_scope,
    )
    try:
        format_audit(audit)
    except WireError as error:
        raise _RefusedError("record_too_large", str(error)) from error
    spare = f"{effects.SPARE}{os.getpid()}-{os.urandom(6).hex()}.tmp"
    return effects.Ahead(spare=spare, place=spelled(target.place), before=target.before, entry=entry, audit=audit)


def _done(folder: PlanFolder, slug: str, ahead: effects.Ahead, content: bytes) -> None:
    try:
        effects.begin(folder, slug, ahead, content)
        effects.finish(folder, slug, ahead)
    except effects.MovedAwayError as error:
        effects.abandon(folder, slug, ahead)
        raise _RefusedError(_OUTSIDE, str(error), reason="parent_chain_escape") from error
    except (OSError, EffectError, StateError) as error:
        effects.abandon(folder, slug, ahead)
        words = f"{ahead.entry.path} was not written: {error}."
        raise _RefusedError("disk_write_failed", words) from error
