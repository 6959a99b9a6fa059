"""One look at the tracked files of an intent against their baselines: what differs, and all that may explain it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from hashlib import sha256

import msgspec
from msgspec.structs import replace

from leeboard.model.plan import Plan
from leeboard.model.truth import ABSENT, BaselineEntry, Divergence, DriftAssessment, Standing, Truth
from leeboard.plan.disk import layout
from leeboard.plan.disk.folder import PlanFolder
from leeboard.plan.disk.truth import record
from leeboard.plan.disk.truth import surface as snapshots
from leeboard.plan.disk.truth.action_log import LogExcerpt, told
from leeboard.plan.disk.truth.action_log import size as log_size
from leeboard.plan.disk.truth.record import TruthRecord, digests_now, kept_files
from leeboard.plan.disk.truth.surface import (
    MOST_BYTES,
    MOST_CHARACTERS,
    SECONDS,
    Surface,
    drift_settings,
    ignored_globs,
    read_surface,
    text_of,
    unified,
)
from leeboard.plan.files.files import PlanSettings
from leeboard.plan.files.truth import assessment_file, assessment_number, parse_assessment
from leeboard.plan.machine.drift_assess import buried
from leeboard.plan.machine.look import named
from leeboard.plan.surface import tracked, unspelled
from leeboard.truth.digests.cache import cache_place, read_signed, write_signed

_MOST_NOTES, _MOST_NAMED = 20, 5


def gather(folder: PlanFolder, plan: Plan) -> Truth | None:
    """None where it is switched off, or no stage is worked on: then nothing is read. For who holds the lock."""
    settings = drift_settings(folder)
    at_work = plan.active is not None and plan.intent.status == "active" and not plan.intent.archived
    if not settings.drift_detection or not at_work:
        return None
    return _Gathering(folder, plan, settings).truth()


class _Gathering:
    def __init__(self, folder: PlanFolder, plan: Plan, settings: PlanSettings) -> None:
        self._folder = folder
        self._slug = plan.intent.slug
        self._plan = plan
        self._ignore = ignored_globs(settings)
        self._scopes = layout.reached_scopes(plan)
        kept = kept_files(layout.all_scopes(plan))
        seconds = settings.drift_seconds or SECONDS
        self._surface = read_surface(folder, self._slug, self._scopes, self._ignore, kept, seconds)
        self._memory = TruthMemory(folder, self._slug)
        found = self._surface.kept
        if self._surface.ran_out:  # what the truth is kept in is looked at in any case
            found = digests_now(folder, self._slug, layout.all_scopes(plan))
        self._record = TruthRecord(folder, self._slug, found, self._memory.baselines)
        self._dispatch = self._record.dispatch()
        self._shown = self._still_asked()
        if self._shown and self._surface.ran_out:
            self._surface.look_closer(folder.spelled(layout.below(self._slug, "").rstrip("/")), self._shown)
        self._log = log_size(folder, self._slug)
        self._keys: dict[str, str] = {}
        self._unseen: set[str] = set()
        """Scopes with a file that the log tells of, and that nobody could look at."""
        self._notes: list[str] = []

    def truth(self) -> Truth:
        standing, reasons = self._standings()
        found = {scope: self._differing(scope) for scope in self._scopes if standing[scope] == "established"}
        divergences = self._explained(found)
        self._remember(found, divergences)
        markers = tuple(marker for marker in self._record.markers() if marker.is_open)
        marked = {marker.path for marker in markers}
        number, last = self._assessments()
        lost = [scope for scope in self._scopes if standing[scope] in record.LOST]
        tick = self._plan.tick
        accepted, refused = record.accepted(
            self._folder, self._slug, {scope: self._surface.files(scope) for scope in lost}
        )
        self._unread()
        return Truth(
            standing=standing,
            reasons=reasons,
            divergences=divergences,
            markers=tuple(sorted(markers, key=lambda marker: marker.created_at)),
            now_at={path: self._digest_now(path) for path in marked},
            acknowledged={path: self._digest_then(path) for path in marked},
            dispatch=self._dispatch,
            unseen=tuple(sorted(self._not_looked_at())),
            last_assessment=last,
            next_assessment=number + 1,
            acks=accepted,
            thrashing={scope: waits for scope in lost if (waits := record.worn_for(self._record, scope, tick))},
            surface=self._surface.size,
            notes=tuple([*self._record.notes, *refused, *self._notes][:_MOST_NOTES]),
        )

    def _still_asked(self) -> set[str]:
        """What was shown, and waits for its classification."""
        found = {each.path for each in self._dispatch.findings} if self._dispatch else set[str]()
        stages = [scope for scope in self._scopes if scope]
        return {path for path in found if tracked(unspelled(path), stages, self._ignore) is not None}

    def _not_looked_at(self) -> set[str]:
        """Paths that were shown once, and of which nobody can tell what is there now."""
        return {
            path
            for path in self._shown
            if self._surface.file(layout.scope_of(path), path) is None and not self._surface.is_gone(path)
        }

    def _standings(self) -> tuple[dict[str, Standing], dict[str, str]]:
        """How each scope stands. Later stages only lack a baseline: the rest counts when they are reached."""
        found = {scope: self._record.standing(scope) for scope in layout.all_scopes(self._plan)}
        shown = {
            scope: standing
            for scope, (standing, _) in found.items()
            if scope in self._scopes or standing == "unestablished"
        }
        return shown, {scope: found[scope][1] for scope in shown if found[scope][1]}

    def _differing(self, scope: str) -> tuple[Divergence, ...]:
        key = key_of(self._record.digest(scope), self._surface.fingerprint(scope), self._ignore)
        self._keys[scope] = key
        found = self._memory.get(scope, key)
        return tuple(differing(scope, self._record.entries(scope), self._surface)) if found is None else found

    def _remember(self, found: Mapping[str, tuple[Divergence, ...]], divergences: tuple[Divergence, ...]) -> None:
        """A scope is settled where nothing differs, and all that the log says of it could be looked at."""
        open_ones = {each.scope for each in divergences} | self._unseen
        for scope, differs in found.items():
            is_settled = scope not in open_ones
            self._memory.put(
                scope,
                Compared(
                    key=self._keys[scope],
                    baseline=self._record.digest(scope),
                    differs=differs,
                    settled=self._plan.tick if is_settled else -1,
                    log=self._log if is_settled else -1,
                ),
            )
        self._memory.keep()

    def _explained(self, differing_ones: Mapping[str, tuple[Divergence, ...]]) -> tuple[Divergence, ...]:
        """With what the log says, and how the text changed, as long as there is room for it."""
        found = [each for many in differing_ones.values() for each in many]
        differs = {each.path for each in found}
        shown = self._shown
        asked = {layout.scope_of(path) for path in differs | shown} & differing_ones.keys()
        scopes = asked | {each for each in differing_ones if not self._memory.is_settled(each, self._log)}
        since = min(map(self._memory.settled, scopes), default=0)
        said = told(self._folder, self._slug, differs, since, scopes=scopes)
        self._doubt(said)
        room, explained = MOST_CHARACTERS, []
        for each in found:
            diff = self._diff(each) if room > 0 else None
            room -= len(diff or "")
            explained.append(replace(self._with_log(each, said), diff=diff))
        again = [self._with_log(each, said) for each in self._same_again({*said.entries, *shown} - differs, scopes)]
        return (*explained, *(each for each in again if each.buried))

    def _with_log(self, each: Divergence, said: LogExcerpt) -> Divergence:
        first = each.entry.acknowledged_tick if each.entry else 0
        log = tuple(line for line in said.entries.get(each.path, ()) if line.tick_counter >= first)
        each = replace(each, log=log)
        return replace(each, buried=buried(each, self._dispatch))

    def _same_again(self, paths: Iterable[str], scopes: Collection[str]) -> Iterator[Divergence]:
        """Files that are what their baselines say, or not there as nobody expects them to be."""
        for scope, path in sorted((layout.scope_of(path), path) for path in paths):
            file = self._surface.file(scope, path) if scope in scopes else None
            if file is not None or (scope in scopes and self._surface.is_gone(path)):
                yield Divergence(path=path, scope=scope, entry=self._record.entries(scope).get(path), file=file)
            elif path in self._surface.unread:
                self._unseen.add(scope)

    def _doubt(self, said: LogExcerpt) -> None:
        if said.unsigned:
            self._notes.append(
                f"{said.unsigned} lines of {layout.LOG} were written by somebody else: they explain nothing"
            )
        if said.cut:
            self._notes.append(f"{layout.LOG} is too long to be read to its beginning")

    def _diff(self, each: Divergence) -> str | None:
        file = each.file
        if file is None or file.is_binary or file.bytes > snapshots.LONGEST:
            return None
        before = snapshots.kept(self._folder, self._slug, each.scope, each.entry.sha256) if each.entry else ""
        if before is None:
            return None
        place = layout.below(self._slug, unspelled(file.place))
        after = text_of(self._folder, place, file.sha256, snapshots.LONGEST)
        return None if after is None else unified(before, after, each.path)

    def _digest_now(self, path: str) -> str:
        sha = self._surface.shas(layout.scope_of(path)).get(path)
        if sha is None and not self._surface.is_gone(path):
            return self._digest_then(path)
        return sha or ABSENT

    def _digest_then(self, path: str) -> str:
        entry = self._record.entries(layout.scope_of(path)).get(path)
        return entry.sha256 if entry else ABSENT

    def _assessments(self) -> tuple[int, DriftAssessment | None]:
        """The highest number in the intent, and what was decided there."""
        number, where = 0, ""
        for scope in layout.all_scopes(self._plan)[1:]:
            place = layout.below(self._slug, layout.assessments_folder(scope))
            highest = max(map(assessment_number, self._folder.names(place)), default=0)
            if highest > number:
                number, where = highest, f"{place}/{assessment_file(highest)}"
        data = self._folder.read(where, MOST_BYTES) if where else None
        return number, parse_assessment(data) if data else None

    def _unread(self) -> None:
        for path, why in list(self._surface.unread.items())[:_MOST_NOTES]:
            self._notes.append(f"{path} could not be looked at: {why}")
        if self._surface.ran_out:
            unseen = self._surface.unseen
            self._notes.append(
                f"the time for looking at files ran out (drift_seconds): {len(unseen)} files and folders were not "
                f"looked at: {named(unseen, _MOST_NAMED)}"
            )


def differing(scope: str, entries: Mapping[str, BaselineEntry], surface: Surface) -> list[Divergence]:
    """The files of a scope that are not as its baseline has them, in the order of their paths."""
    shas = surface.shas(scope)
    known = {path: entry.sha256 for path, entry in entries.items()}
    changed = [path for path, sha in shas.items() if known.get(path) != sha]
    files = {path: file for path in changed if (file := surface.file(scope, path)) is not None}
    gone = [path for path in known if path not in shas and surface.is_gone(path)]
    return [
        Divergence(path=path, scope=scope, entry=entries.get(path), file=files.get(path))
        for path in sorted([*files, *gone])
    ]


# What a comparison with a baseline came to, remembered for as long as neither side changes.
#
# Kept beside the digests, signed with this user's key: it is only a memory, and losing it costs the comparison.


MOST = 500
"""Differences of a scope that are remembered."""
_STRIDE = 10
"""Ticks after which it is put down again that there was no difference."""


class Compared(msgspec.Struct, frozen=True, kw_only=True):
    key: str
    """The digest of the baseline, the files and what is ignored."""
    baseline: str
    """Digest of its file, which is in order."""
    differs: tuple[Divergence, ...] = ()
    settled: int = -1
    """The last tick at which nothing differed: no line of the log before it explains or accuses anything."""
    log: int = -1
    """Bytes of the log then."""


class TruthMemory:
    """Keeps the comparisons of one intent, by scope."""

    def __init__(self, folder: PlanFolder, slug: str) -> None:
        self._place = cache_place(f"{folder.spelled(layout.intent_folder(slug))}\0compared")
        data = read_signed(self._place)
        try:
            self._scopes = msgspec.json.decode(data, type=dict[str, Compared]) if data is not None else {}
        except (ValueError, RecursionError):
            self._scopes = {}
        self._is_new = False

    @property
    def baselines(self) -> frozenset[str]:
        """Digests of those that are in order."""
        return frozenset(each.baseline for each in self._scopes.values())

    def get(self, scope: str, key: str) -> tuple[Divergence, ...] | None:
        """What an earlier look found out; None where something changed since and it has to be compared again."""
        found = self._scopes.get(scope)
        return found.differs if found is not None and key and found.key == key else None

    def settled(self, scope: str) -> int:
        found = self._scopes.get(scope)
        return max(found.settled, 0) if found else 0

    def is_settled(self, scope: str, log: int) -> bool:
        """Whether nothing differed when the log was as long as it is now."""
        found = self._scopes.get(scope)
        return found is not None and found.log == log

    def put(self, scope: str, found: Compared) -> None:
        """`found.settled` is below zero where the log is not settled: then it stays as it was."""
        old = self._scopes.get(scope)
        if not found.key or len(found.differs) > MOST:
            self._is_new |= self._scopes.pop(scope, None) is not None
            return
        if found.settled < 0 and old is not None:
            found = replace(found, settled=old.settled, log=old.log)
        is_same = old is not None and (old.key, old.differs, old.log) == (found.key, found.differs, found.log)
        if old is None or not is_same or found.settled >= old.settled + _STRIDE:
            self._scopes[scope] = found
            self._is_new = True

    def keep(self) -> None:
        if self._is_new:
            write_signed(self._place, msgspec.json.encode(self._scopes))


def key_of(baseline: str, files: str, ignore: tuple[str, ...]) -> str:
    """Empty where one of both is not known."""
    return sha256(msgspec.json.encode([baseline, files, ignore])).hexdigest() if baseline and files else ""
