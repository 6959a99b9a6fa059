"""A file that is about to be written on a person's behalf: its content and a signed note are on the disk first.

So the log and the file never tell different stories. Killed anywhere, the next tick or the next write does the rest;
where somebody changed the file meanwhile, their version stays and the audit says that ours was not written. The last
step moves a finished file into a folder that was reached without any link, so it is seen whole or not at all.
"""

from __future__ import annotations

import contextlib
import os
import stat
from posixpath import basename, dirname

import msgspec

from leeboard.errors import EffectError, StateError
from leeboard.model.truth import ABSENT, LogEntry
from leeboard.plan.disk.folder import PlanFolder
from leeboard.plan.disk.signed_lines import Signer
from leeboard.plan.disk.truth import places
from leeboard.plan.disk.truth.action_log import append, holds
from leeboard.plan.disk.truth.one_file import digest_of
from leeboard.plan.files.truth import AuditRecord, format_audit
from leeboard.plan.surface import unspelled

SPARE = ".hwm-tmp-"
_AUDIT_TAIL = 256 << 10
_NOT_WRITTEN = "not written: somebody changed the file or its folder meanwhile, or the disk refused it"


class Ahead(msgspec.Struct, frozen=True, kw_only=True):
    spare: str
    """Name of the finished content, in the intent's folder."""
    place: str
    """Where it goes, below the intent's folder, spelled for JSON."""
    before: str
    """The digest that is there."""
    entry: LogEntry
    audit: AuditRecord


class MovedAwayError(EffectError):
    """A folder on the way was put somewhere else while the file was written."""


def begin(folder: PlanFolder, slug: str, ahead: Ahead, content: bytes) -> None:
    """OSError where the disk refuses the content; then nothing is left of it."""
    _write_spare(folder, slug, ahead.spare, content)
    try:
        folder.write(_note(slug), Signer(folder, _note(slug)).signed(_builtins(ahead)) + b"\n")
    except BaseException:
        _drop_spare(folder, slug, ahead.spare)
        raise


def finish(folder: PlanFolder, slug: str, ahead: Ahead) -> None:
    """Log, audit, then the file itself."""
    _tell(folder, slug, ahead)
    _place(folder, slug, ahead)
    folder.remove(_note(slug))


def roll_forward(folder: PlanFolder, slug: str) -> None:
    """Do what a killed writer had begun, or take it back. Under the intent's lock. EffectError: the disk refuses."""
    ahead = _noted(folder, slug)
    if ahead is not None:
        now = digest_of(folder, _path(slug, ahead))
        if now == ahead.entry.sha:
            _tell(folder, slug, ahead)
        elif now == ahead.before and digest_of(folder, places.below(slug, ahead.spare)) == ahead.entry.sha:
            try:
                finish(folder, slug, ahead)
            except (MovedAwayError, StateError, OSError):
                _tell_unwritten(folder, slug, ahead)
        else:
            _tell_unwritten(folder, slug, ahead)
    _sweep(folder, slug)


def abandon(folder: PlanFolder, slug: str, ahead: Ahead) -> None:
    """Take back what was begun, as far as the disk lets us."""
    with contextlib.suppress(EffectError):
        if holds(folder, slug, ahead.entry):
            _tell_unwritten(folder, slug, ahead)
    _sweep(folder, slug)


def _sweep(folder: PlanFolder, slug: str) -> None:
    folder.remove(_note(slug))
    for name in folder.names(places.below(slug, "")):
        if name.startswith(SPARE):
            _drop_spare(folder, slug, name)


def _tell(folder: PlanFolder, slug: str, ahead: Ahead) -> None:
    if not holds(folder, slug, ahead.entry):
        append(folder, slug, [ahead.entry])
    if ahead.entry.entry_id.encode() not in folder.tail(places.below(slug, places.AUDIT), _AUDIT_TAIL):
        _audit(folder, slug, ahead.audit)


def _tell_unwritten(folder: PlanFolder, slug: str, ahead: Ahead) -> None:
    _audit(folder, slug, msgspec.structs.replace(ahead.audit, rationale=_NOT_WRITTEN, overwrite=False))


def _audit(folder: PlanFolder, slug: str, record: AuditRecord) -> None:
    folder.append(places.below(slug, places.AUDIT), format_audit(record))


def _place(folder: PlanFolder, slug: str, ahead: Ahead) -> None:
    path = _path(slug, ahead)
    makes = bool(ahead.audit.dirs_created)
    with folder.opened(places.below(slug, "")) as around, folder.opened(dirname(path), make=makes) as to:
        seen = os.stat(ahead.spare, dir_fd=around, follow_symlinks=False)
        if not _is_at(folder, dirname(path), os.fstat(to)):
            raise MovedAwayError(f"{dirname(ahead.place)} was moved while it was written to")
        if digest_of(folder, path) != ahead.before:
            raise FileExistsError(path)
        _moved(ahead, around, to)
        os.fsync(to)
    if not _is_at(folder, path, seen):
        raise MovedAwayError(f"{ahead.place} was moved while it was written")


def _moved(ahead: Ahead, around: int, to: int) -> None:
    """Where nothing was there a link is made, which never replaces anything."""
    name = basename(unspelled(ahead.place))
    if ahead.before == ABSENT:
        try:
            os.link(ahead.spare, name, src_dir_fd=around, dst_dir_fd=to, follow_symlinks=False)
        except FileExistsError:
            raise
        except OSError:  # a file system without second names
            os.rename(ahead.spare, name, src_dir_fd=around, dst_dir_fd=to)
        else:
            os.unlink(ahead.spare, dir_fd=around)
    else:
        os.rename(ahead.spare, name, src_dir_fd=around, dst_dir_fd=to)


def _is_at(folder: PlanFolder, path: str, seen: os.stat_result) -> bool:
    try:
        with folder.opened(dirname(path)) as around:
            found = os.stat(basename(path), dir_fd=around, follow_symlinks=False)
    except OSError:
        return False
    return (found.st_dev, found.st_ino) == (seen.st_dev, seen.st_ino) and not stat.S_ISLNK(found.st_mode)


def _write_spare(folder: PlanFolder, slug: str, name: str, content: bytes) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    with folder.opened(places.below(slug, "")) as around:
        file = os.open(name, flags, 0o644, dir_fd=around)
        try:
            with open(file, "wb", buffering=0) as opened:  # noqa: PTH123 - a descriptor, not a path
                view = memoryview(content)
                while view:
                    view = view[opened.write(view) or 0 :]
                os.fsync(file)
        except BaseException:
            os.unlink(name, dir_fd=around)
            raise


def _drop_spare(folder: PlanFolder, slug: str, name: str) -> None:
    with contextlib.suppress(OSError), folder.opened(places.below(slug, "")) as around:
        os.unlink(name, dir_fd=around)


def _noted(folder: PlanFolder, slug: str) -> Ahead | None:
    data = folder.read(_note(slug))
    fields = Signer(folder, _note(slug)).verified(data) if data else None
    try:
        ahead = msgspec.convert(fields, Ahead) if fields else None
    except msgspec.ValidationError:
        return None
    return ahead


def _builtins(ahead: Ahead) -> dict[str, object]:
    found: dict[str, object] = msgspec.to_builtins(ahead)
    return found


def _path(slug: str, ahead: Ahead) -> str:
    return places.below(slug, unspelled(ahead.place))


def _note(slug: str) -> str:
    return f"tmp/{slug}.hwm"
