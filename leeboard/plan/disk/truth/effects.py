"""The effects on baselines, markers, dispatches and assessments. Each may be done twice, with the same end.

What somebody else changed since the look is left alone: the next look says so, and a step that is replayed after a kill
never waits for it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from hashlib import sha256

from leeboard.model.plan import Plan
from leeboard.model.truth import INTENT_SCOPE, AuthorClass, BaselineEntry, LogEntry, Marker, SurfaceFile
from leeboard.plan.disk.folder import PlanFolder
from leeboard.plan.disk.truth import acks, places, snapshots
from leeboard.plan.disk.truth.action_log import append, holds, last_of_baseline, told
from leeboard.plan.disk.truth.record import TruthRecord, digests_now
from leeboard.plan.disk.truth.surface import read_surface
from leeboard.plan.effect import (
    EstablishBaseline,
    LogBaseline,
    RecordAssessment,
    WriteBaseline,
    WriteDispatch,
    WriteMarkers,
)
from leeboard.plan.files.truth import (
    ThrashEvent,
    assessment_file,
    baseline_mark,
    entry_id,
    format_assessment,
    format_baseline,
    format_dispatch,
    format_markers,
    format_thrash,
    parse_thrash,
)

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
                self._record().write({places.DISPATCH: format_dispatch(dispatch) if dispatch else None})
            case RecordAssessment(stage=stage, number=number, assessment=assessment):
                place = f"{places.assessments_folder(stage)}/{assessment_file(number)}"
                self._folder.write(places.below(self._slug, place), format_assessment(assessment))
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
        ignore = places.ignored(places.settings(self._folder))
        surface = read_surface(self._folder, self._slug, open_scopes, ignore)
        lost = {scope: surface.files(scope) for scope in open_scopes if standing[scope] in acks.LOST}
        good, _ = acks.accepted(self._folder, self._slug, lost)
        taken = [scope for scope in open_scopes if scope in good or standing[scope] == "unestablished"]
        old = self._earlier(record) if INTENT_SCOPE in taken and INTENT_SCOPE not in good else {}
        if old:
            self._put({INTENT_SCOPE: old})
        self.establish({scope: surface.files(scope) for scope in taken if scope or not old}, tick, now)
        for scope in good:
            self._folder.remove(places.below(self._slug, places.ack_file(scope)))

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
            files = {places.baseline_file(scope): format_baseline(entries) for scope, entries in scopes.items()}
            self._record().write(files)
        for scope, entries in scopes.items():
            snapshots.prune(self._folder, self._slug, scope, {entry.sha256 for entry in entries.values()})

    def _markers(self, put: tuple[Marker, ...], drop: tuple[Marker, ...]) -> None:
        record = self._record()
        gone = {_key(marker) for marker in (*put, *drop)}
        kept = [marker for marker in record.markers() if _key(marker) not in gone]
        record.write({places.MARKERS: format_markers([*kept, *put])})

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
            record.write({places.thrash_file(scope): format_thrash(events)})

    def _record(self) -> TruthRecord:
        return TruthRecord(
            self._folder, self._slug, digests_now(self._folder, self._slug, places.all_scopes(self._plan))
        )


def _key(marker: Marker) -> tuple[str, str]:
    return marker.path, marker.created_by_assessment_id


def _author(log: tuple[LogEntry, ...], sha: str) -> AuthorClass:
    """Whoever wrote just this; nobody knows of what is not in the log."""
    return next((entry.author_class for entry in reversed(log) if entry.sha == sha), "human-implicit")


def _entry(file: SurfaceFile, author: AuthorClass, tick: int, now: str) -> BaselineEntry:
    return file.acknowledged(by=author, via="baseline-init", at=now, tick=tick)
