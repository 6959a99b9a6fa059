"""What is to be made of everything that differs from its baseline: explained, being handled, or to be classified."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import msgspec
from msgspec.structs import replace

from leeboard.model.effect import WriteBaseline
from leeboard.model.plan import Plan
from leeboard.model.surface import tracked, unspelled
from leeboard.model.truth import (
    AcknowledgedVia,
    AuthorClass,
    BaselineEntry,
    Divergence,
    DriftFinding,
    LogEntry,
    Marker,
    SurfaceFile,
    Truth,
)
from leeboard.workflow._authorship import Explained, explain
from leeboard.workflow._marker_fate import fate, stage_of
from leeboard.workflow.look import Look

MOST_LINES, MOST_DIFFS, LARGEST_TEXT = 200, 64 << 10, 256 << 10
"""Lines of one diff; characters of all in one assessment; bytes of a file whose diff is still shown."""
MASS_SHARE, MASS_LEAST = 0.5, 10


class Assessed(msgspec.Struct, frozen=True, kw_only=True):
    findings: tuple[DriftFinding, ...] = ()
    """What nobody accounts for, in the order of stages and paths."""
    settled: tuple[WriteBaseline, ...] = ()
    """What explains itself, or was handled to its end."""
    cleared: tuple[Marker, ...] = ()
    """As they are to be kept."""
    stale: tuple[Marker, ...] = ()
    suppressed: int = 0
    """Divergences that are being handled."""
    mass_change: bool = False


def assess(look: Look) -> Assessed:
    """Nothing where the files were not looked at."""
    truth = look.plan.truth
    return _Assessing(look, truth).done() if truth is not None else Assessed()


def acknowledged(
    plan: Plan, divergence: Divergence, via: AcknowledgedVia, author: AuthorClass, now: str
) -> WriteBaseline:
    """The baseline moves to what is there. The log says so too, unless the entry itself tells which lines are older."""
    is_told = via == "agent-write" and divergence.file is not None
    is_told = is_told and all(line.tick_counter < plan.tick for line in divergence.log)
    noted = () if is_told else noticed(plan, divergence, author, now).log
    if divergence.file is None:
        return WriteBaseline(scope=divergence.scope, drop=(divergence.path,), log=noted)
    entry = _entry(plan, divergence.file, via, author, now)
    return WriteBaseline(scope=divergence.scope, put=(entry,), log=noted)


def noticed(plan: Plan, divergence: Divergence, author: AuthorClass, now: str) -> WriteBaseline:
    """The baseline stays; the log says that this state is known, so that no earlier line explains a later one."""
    line = LogEntry(
        entry_type="baseline_acknowledged",
        path=divergence.path,
        sha=divergence.sha,
        author_class=author,
        timestamp=now,
        tick_counter=plan.tick,
        tick_scope="stage" if divergence.scope else "intent",
    )
    return WriteBaseline(scope=divergence.scope, log=(line,))


def _entry(plan: Plan, file: SurfaceFile, via: AcknowledgedVia, author: AuthorClass, now: str) -> BaselineEntry:
    return file.acknowledged(by=author, via=via, at=now, tick=plan.tick)


def joined(writes: Iterable[WriteBaseline]) -> tuple[WriteBaseline, ...]:
    """One for each scope."""
    parts: dict[str, list[WriteBaseline]] = {}
    for write in writes:
        parts.setdefault(write.scope, []).append(write)
    return tuple(
        WriteBaseline(
            scope=scope,
            put=tuple(entry for write in found for entry in write.put),
            drop=tuple(path for write in found for path in write.drop),
            log=tuple(line for write in found for line in write.log),
        )
        for scope, found in parts.items()
    )


class _Assessing:
    def __init__(self, look: Look, truth: Truth) -> None:
        self._look = look
        self._plan = look.plan
        self._truth = truth
        self._markers = {marker.path: marker for marker in truth.markers}
        """The newest of each path governs."""
        self._stale = [marker for marker in truth.markers if self._markers[marker.path] is not marker]
        self._shown = {found.path for found in truth.dispatch.findings} if truth.dispatch else set()
        self._settled: list[WriteBaseline] = []
        self._cleared: list[Marker] = []
        self._open: list[tuple[Divergence, Explained]] = []
        self._suppressed = 0

    def done(self) -> Assessed:
        for divergence in self._truth.divergences:
            self._one(divergence)
        self._returned()
        self._open.sort(key=lambda each: (self._rank(each[0].scope), each[0].path))
        found = tuple(_findings(self._plan, self._open))
        return Assessed(
            findings=(*found, *self._waiting(len(found))),
            settled=joined(self._settled),
            cleared=tuple(self._cleared),
            stale=tuple(self._stale),
            suppressed=self._suppressed,
            mass_change=self._is_mass(),
        )

    def _one(self, divergence: Divergence) -> None:
        marker = self._markers.get(divergence.path)
        if marker is not None and marker.sha == divergence.sha and not divergence.buried:
            self._handled(divergence, marker)
            return
        explained = explain(divergence, {divergence.vouched, *({marker.sha} if marker else ())})
        if divergence.path in self._shown:  # somebody changed it, so it is to be classified, whoever wrote meanwhile
            explained = replace(explained, absorbed=False)
        if explained.absorbed:
            self._settle(divergence, "agent-write", "agent", marker)
            return
        if marker is not None:
            self._stale.append(marker)
        self._open.append((divergence, explained))

    def _handled(self, divergence: Divergence, marker: Marker) -> None:
        """The file is as it was when it was classified: it ends with what handles it."""
        match fate(self._plan, marker):
            case "holds":
                self._suppressed += 1
            case "ended":
                self._settle(divergence, "classification-terminal", self._author(divergence), marker)
            case "lost":
                self._stale.append(marker)
                self._open.append((divergence, Explained(author=self._author(divergence))))

    def _author(self, divergence: Divergence) -> AuthorClass:
        return explain(divergence, {divergence.vouched}).author

    def _settle(self, divergence: Divergence, via: AcknowledgedVia, author: AuthorClass, marker: Marker | None) -> None:
        self._settled.append(acknowledged(self._plan, divergence, via, author, self._look.now))
        if marker is not None:
            self._cleared.append(replace(marker, cleared_at=self._look.now, resolved_sha=divergence.sha))

    def _returned(self) -> None:
        """Files that are again what their baseline says: there is nothing left to handle."""
        differing = {divergence.path for divergence in self._truth.divergences}
        looked_at = {"", *(view.spec.name for view in self._look.reached)}
        for path, marker in self._markers.items():
            now = self._truth.now_at.get(path)
            is_same = now is not None and now == self._truth.acknowledged.get(path)
            if path not in differing and is_same and stage_of(path) in looked_at:
                self._cleared.append(replace(marker, cleared_at=self._look.now, resolved_sha=now))

    def _waiting(self, before: int) -> Iterator[DriftFinding]:
        """What was shown and nobody can look at now: it waits as it was shown, whatever kept us from it."""
        shown = self._truth.dispatch.findings if self._truth.dispatch else ()
        waits = [found for found in shown if found.path in self._truth.unseen]
        yield from (replace(found, finding_id=f"DRF-{before + at:02}") for at, found in enumerate(waits, 1))

    def _rank(self, scope: str) -> int:
        names = ["", *(view.spec.name for view in self._plan.stages)]
        return names.index(scope) if scope in names else len(names)

    def _is_mass(self) -> bool:
        found = self._truth.divergences
        new, gone = sum(each.entry is None for each in found), sum(each.file is None for each in found)
        most = max(self._truth.surface, self._truth.surface - new + gone)
        return len(self._open) >= MASS_LEAST and len(self._open) > MASS_SHARE * most


def _findings(plan: Plan, found: Sequence[tuple[Divergence, Explained]]) -> Iterator[DriftFinding]:
    units = _units_by_path(plan) if found else {}
    stages = [view.spec.name for view in plan.stages]
    room = MOST_DIFFS
    for number, (divergence, explained) in enumerate(found, 1):
        entry, file = divergence.entry, divergence.file
        diff = _shown_diff(divergence, room)
        room -= len(diff or "")
        of, home = file or entry, tracked(unspelled(divergence.path), stages)
        is_back = bool(divergence.lost) and divergence.sha == divergence.vouched
        yield DriftFinding(
            finding_id=f"DRF-{number:02}",
            path=divergence.path,
            change_kind=divergence.kind,
            is_binary=of.is_binary if of else False,
            diff_unified=diff,
            before_sha256=divergence.lost if is_back else entry.sha256 if entry else None,
            after_sha256=file.sha256 if file else None,
            before_bytes=entry.bytes if entry and not is_back else None,
            after_bytes=file.bytes if file else None,
            tracking_class=home[1] if home else "knowledge",
            stage=divergence.scope or None,
            context_unit=units.get(divergence.path),
            author_class=explained.author,
            written_over=bool(divergence.lost) or explained.written_over,
            lost_sha256=divergence.lost or None,
        )


def _shown_diff(divergence: Divergence, room: int) -> str | None:
    """Cut at its end, and saying so; none where there is no room any more."""
    file, diff = divergence.file, divergence.diff
    if file is None or file.is_binary or file.bytes > LARGEST_TEXT or not diff or room <= 0:
        return None
    lines = diff[: room + 1].splitlines(keepends=True)[: MOST_LINES + 1]
    shown = "".join(lines[:MOST_LINES])[:room]
    if len(shown) == len(diff):
        return shown
    return f"{shown.rstrip()}\n[the diff goes on: read {divergence.path}]\n"


def _units_by_path(plan: Plan) -> dict[str, str]:
    """Whose output or input a file is; who makes it goes first."""
    top = f".haiku/intents/{plan.intent.slug}/"
    units = [unit for view in plan.stages for unit in view.units]
    found = {path.removeprefix(top): unit.id for unit in units for path in unit.inputs}
    return found | {path.removeprefix(top): unit.id for unit in units for path in unit.outputs}
