"""The effects on baselines, markers, dispatches and assessments. Each may be done twice, with the same end.

What somebody else changed since the look is left alone: the next look says so, and a step that is replayed after a kill
never waits for it.
"""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Collection, Mapping
from hashlib import sha256
from posixpath import basename, dirname

import msgspec

from leeboard.errors import EffectError, StateError
from leeboard.io import system
from leeboard.model.plan import Plan
from leeboard.model.truth import ABSENT, INTENT_SCOPE, AuthorClass, BaselineEntry, LogEntry, Marker, SurfaceFile
from leeboard.plan.disk import layout
from leeboard.plan.disk.folder import PlanFolder
from leeboard.plan.disk.seal import Signer
from leeboard.plan.disk.truth import record as acks
from leeboard.plan.disk.truth import surface as snapshots
from leeboard.plan.disk.truth.action_log import append, holds, last_of_baseline, told
from leeboard.plan.disk.truth.record import TruthRecord, digests_now
from leeboard.plan.disk.truth.surface import digest_of, drift_settings, ignored_globs, read_surface
from leeboard.plan.effect import (
    EstablishBaseline,
    LogBaseline,
    RecordAssessment,
    WriteBaseline,
    WriteDispatch,
    WriteMarkers,
)
from leeboard.plan.files.truth import (
    AuditRecord,
    ThrashEvent,
    assessment_file,
    baseline_mark,
    entry_id,
    format_assessment,
    format_audit,
    format_baseline,
    format_dispatch,
    format_markers,
    format_thrash,
    parse_thrash,
)
from leeboard.plan.surface import unspelled

TruthEffect = EstablishBaseline | WriteBaseline | WriteMarkers | WriteDispatch | RecordAssessment | LogBaseline
TRUTH_EFFECTS = (EstablishBaseline, WriteBaseline, WriteMarkers, WriteDispatch, RecordAssessment, LogBaseline)
_MOST_THRASH = 50


class TruthWriter:
    """For one intent, under its lock."""

    def __init__(self, folder: PlanFolder, plan: Plan) -> None:
        self._folder = folder
        self._plan = plan
        self._slug = plan.intent.slug

    def perform(self, effect: TruthEffect, now: str) -> None:
        match effect:
            case EstablishBaseline(scopes=scopes, tick=tick):
                self._establish(scopes, tick, now)
            case WriteBaseline():
                self._baseline(effect)
            case WriteMarkers(put=put, drop=drop):
                self._markers(put, drop)
            case WriteDispatch(dispatch=dispatch):
                self._record().write({layout.DISPATCH: format_dispatch(dispatch) if dispatch else None})
            case RecordAssessment(stage=stage, number=number, assessment=assessment):
                place = f"{layout.assessments_folder(stage)}/{assessment_file(number)}"
                self._folder.write(layout.below(self._slug, place), format_assessment(assessment))
            case LogBaseline():
                self._log(effect, now)

    def establish(self, files: Mapping[str, Mapping[str, SurfaceFile]], tick: int, now: str) -> None:
        """Take these files as the baselines of their scopes, whatever was there."""
        said = told(self._folder, self._slug, [path for found in files.values() for path in found]).entries
        self._put(
            {
                scope: {
                    path: _entry(file, _author(said.get(path, ()), file.sha256), tick, now)
                    for path, file in found.items()
                }
                for scope, found in files.items()
            }
        )

    def _establish(self, scopes: tuple[str, ...], tick: int, now: str) -> None:
        """Only of scopes that never had one, or where an operator accepted just what is there."""
        record = self._record()
        standing = {scope: record.standing(scope)[0] for scope in scopes}
        open_scopes = tuple(scope for scope in scopes if standing[scope] != "established")
        ignore = ignored_globs(drift_settings(self._folder))
        surface = read_surface(self._folder, self._slug, open_scopes, ignore)
        lost = {scope: surface.files(scope) for scope in open_scopes if standing[scope] in acks.LOST}
        good, _ = acks.accepted(self._folder, self._slug, lost)
        taken = [scope for scope in open_scopes if scope in good or standing[scope] == "unestablished"]
        old = self._earlier(record) if INTENT_SCOPE in taken and INTENT_SCOPE not in good else {}
        if old:
            self._put({INTENT_SCOPE: old})
        self.establish({scope: surface.files(scope) for scope in taken if scope or not old}, tick, now)
        for scope in good:
            self._folder.remove(layout.below(self._slug, layout.ack_file(scope)))

    def _earlier(self, record: TruthRecord) -> dict[str, BaselineEntry]:
        """A tree of an earlier tool kept the intent's knowledge with each stage: the active one's counts."""
        return record.earlier_knowledge(self._plan.active.spec.name) if self._plan.active else {}

    def _baseline(self, effect: WriteBaseline) -> None:
        record = self._record()
        if record.standing(effect.scope)[0] != "established":
            return
        append(self._folder, self._slug, effect.log, once=True)
        put = {entry.path: entry for entry in effect.put}
        entries = {path: entry for path, entry in record.entries(effect.scope).items() if path not in effect.drop}
        if any(entries.get(path) != entry for path, entry in put.items()) or effect.drop:
            self._put({effect.scope: entries | put}, put)

    def _put(self, scopes: Mapping[str, dict[str, BaselineEntry]], fresh: Collection[str] | None = None) -> None:
        """The texts go first: an entry is never without the text that could be kept. `fresh`: those that changed."""
        for scope, entries in scopes.items():
            changed = entries.values() if fresh is None else [entries[path] for path in fresh]
            snapshots.keep(self._folder, self._slug, scope, changed)
        if scopes:
            files = {layout.baseline_file(scope): format_baseline(entries) for scope, entries in scopes.items()}
            self._record().write(files)
        for scope, entries in scopes.items():
            snapshots.prune(self._folder, self._slug, scope, {entry.sha256 for entry in entries.values()})

    def _markers(self, put: tuple[Marker, ...], drop: tuple[Marker, ...]) -> None:
        record = self._record()
        gone = {_key(marker) for marker in (*put, *drop)}
        kept = [marker for marker in record.markers() if _key(marker) not in gone]
        record.write({layout.MARKERS: format_markers([*kept, *put])})

    def _log(self, effect: LogBaseline, now: str) -> None:
        """A loss is put down once, however often it is looked at."""
        kind = effect.entry_type
        last = last_of_baseline(self._folder, self._slug, effect.scope)
        if kind == "baseline_corruption_event" and last is not None and last.entry_type == kind:
            return
        words = f"{self._slug}:{effect.scope}:{kind}:{effect.tick}"
        entry = LogEntry(
            entry_type=kind,
            path=baseline_mark(kind, effect.scope),
            sha="",
            author_class="agent",
            timestamp=now,
            entry_id=entry_id(kind, effect.tick, sha256(words.encode()).hexdigest()[:6]),
            tick_counter=effect.tick,
            tick_scope="stage" if effect.scope else "intent",
        )
        if kind == "baseline_corruption_event":
            self._thrash(effect.scope, ThrashEvent(at=now, tick_counter=effect.tick))
        if not holds(self._folder, self._slug, entry):
            append(self._folder, self._slug, [entry])

    def _thrash(self, scope: str, event: ThrashEvent) -> None:
        record = self._record()
        known = parse_thrash(record.thrash(scope))
        if event not in known:
            events = (*known, event)[-_MOST_THRASH:]
            record.write({layout.thrash_file(scope): format_thrash(events)})

    def _record(self) -> TruthRecord:
        return TruthRecord(
            self._folder, self._slug, digests_now(self._folder, self._slug, layout.all_scopes(self._plan))
        )


def _key(marker: Marker) -> tuple[str, str]:
    return marker.path, marker.created_by_assessment_id


def _author(log: tuple[LogEntry, ...], sha: str) -> AuthorClass:
    """Whoever wrote just this; nobody knows of what is not in the log."""
    return next((entry.author_class for entry in reversed(log) if entry.sha == sha), "human-implicit")


def _entry(file: SurfaceFile, author: AuthorClass, tick: int, now: str) -> BaselineEntry:
    return file.acknowledged(by=author, via="baseline-init", at=now, tick=tick)


# A file that is about to be written on a person's behalf: its content and a signed note are on the disk first.
#
# So the log and the file never tell different stories. Killed anywhere, the next tick or the next write does the rest;
# where somebody changed the file meanwhile, their version stays and the audit says that ours was not written. The last
# step moves a finished file into a folder that was reached without any link, so it is seen whole or not at all.


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
        elif now == ahead.before and digest_of(folder, layout.below(slug, ahead.spare)) == ahead.entry.sha:
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
    for name in folder.names(layout.below(slug, "")):
        if name.startswith(SPARE):
            _drop_spare(folder, slug, name)


def _tell(folder: PlanFolder, slug: str, ahead: Ahead) -> None:
    if not holds(folder, slug, ahead.entry):
        append(folder, slug, [ahead.entry])
    if ahead.entry.entry_id.encode() not in folder.tail(layout.below(slug, layout.AUDIT), _AUDIT_TAIL):
        _audit(folder, slug, ahead.audit)


def _tell_unwritten(folder: PlanFolder, slug: str, ahead: Ahead) -> None:
    _audit(folder, slug, msgspec.structs.replace(ahead.audit, rationale=_NOT_WRITTEN, overwrite=False))


def _audit(folder: PlanFolder, slug: str, record: AuditRecord) -> None:
    folder.append(layout.below(slug, layout.AUDIT), format_audit(record))


def _place(folder: PlanFolder, slug: str, ahead: Ahead) -> None:
    path = _path(slug, ahead)
    makes = bool(ahead.audit.dirs_created)
    with folder.opened(layout.below(slug, "")) as around, folder.opened(dirname(path), make=makes) as to:
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
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | system.NOFOLLOW | system.CLOEXEC
    with folder.opened(layout.below(slug, "")) as around:
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
    with contextlib.suppress(OSError), folder.opened(layout.below(slug, "")) as around:
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
    return layout.below(slug, unspelled(ahead.place))


def _note(slug: str) -> str:
    return f"tmp/{slug}.hwm"
