"""What is to be made of everything that differs from its baseline: explained, being handled, or to be classified."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import pairwise

import msgspec
from msgspec.structs import replace

from leeboard.model.plan import Plan
from leeboard.model.truth import (
    AcknowledgedVia,
    AuthorClass,
    BaselineEntry,
    Dispatch,
    Divergence,
    DriftFinding,
    EntryType,
    LogEntry,
    Marker,
    SurfaceFile,
    Truth,
)
from leeboard.plan.effect import WriteBaseline
from leeboard.plan.machine.drift_checks import fate, stage_of
from leeboard.plan.machine.look import PlanLook
from leeboard.plan.surface import tracked, unspelled

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


def assess(look: PlanLook) -> Assessed:
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
    """The writes, put together to one for each scope."""
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
    def __init__(self, look: PlanLook, truth: Truth) -> None:
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
            via: AcknowledgedVia = "agent-write" if explained.author == "agent" else "human-write-tool"
            self._settle(divergence, via, explained.author, marker)
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
            place=file.place if file and file.place != divergence.path else "",
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


# Who made a divergence, as far as the action log can tell, and whether it explains all of it.
#
# A write of the agent is taken silently only where every step from what was acknowledged to what is there now is one of
# its writes. Where the chain breaks somebody's change lies beneath, and it is told, whoever wrote last.


_OF_PATHS: tuple[EntryType, ...] = ("human_write", "agent_write", "person_said", "baseline_acknowledged")
_SILENT: tuple[EntryType, ...] = ("agent_write", "person_said")
"""Writes that explain themselves: the agent's own, and the engine's record of what a person said."""


class Explained(msgspec.Struct, frozen=True, kw_only=True):
    """What the log makes of one divergence."""

    author: AuthorClass = "human-implicit"
    absorbed: bool = False
    """Writes that explain themselves from the first step to the last: nobody has to hear of it."""

    @property
    def written_over(self) -> bool:
        return self.author == "agent" and not self.absorbed


def explain(divergence: Divergence, starts: Collection[str]) -> Explained:
    """`starts` are the digests somebody vouched for. What the agent took away and put back is not its own."""
    lines = _lines(divergence) if divergence.sha in starts else _since(divergence, starts)
    matching = [at for at, line in enumerate(lines) if line.sha == divergence.sha]
    if not matching:
        return Explained()
    author = _author(lines[: matching[-1] + 1], divergence.sha)
    if author == "agent" and divergence.buried == divergence.sha:
        author = "human-implicit"
    is_whole = matching[-1] == len(lines) - 1 and _is_silent_chain(lines, starts)
    return Explained(author=author, absorbed=author != "human-implicit" and is_whole and not divergence.buried)


def _lines(divergence: Divergence) -> list[LogEntry]:
    return [line for line in divergence.log if line.entry_type in _OF_PATHS]


def _since(divergence: Divergence, starts: Collection[str]) -> list[LogEntry]:
    """What was written after the last state that was vouched for. A write that changed nothing says nothing."""
    lines = _lines(divergence)
    ends = (at + 1 for at, line in enumerate(lines) if line.sha in starts)
    begins = (at for at, line in enumerate(lines) if line.before_sha in starts)
    first = max((*ends, *begins), default=None)
    if first is None:
        tick = divergence.entry.acknowledged_tick if divergence.entry else 0
        lines = [line for line in lines if line.tick_counter >= tick]
    else:
        lines = lines[first:]
    return [line for line in lines if line.entry_type != "agent_write" or line.before_sha != line.sha]


def _author(lines: Sequence[LogEntry], sha: str) -> AuthorClass:
    """The newest write of this digest decides; a person who wrote the same just before it goes first."""
    for line in reversed(lines):
        if line.sha != sha:
            break
        if line.entry_type in {"human_write", "person_said"}:
            return "human-via-mcp"
    return "agent" if lines[-1].entry_type == "agent_write" else lines[-1].author_class


def _is_silent_chain(lines: Sequence[LogEntry], starts: Collection[str]) -> bool:
    """A write that did not look what it wrote over is a link."""
    links = [(lines[0].before_sha, starts), *((line.before_sha, (before.sha,)) for before, line in pairwise(lines))]
    return all(line.entry_type in _SILENT for line in lines) and all(
        before is None or before in allowed for before, allowed in links
    )


# What somebody had put into a tracked file, and a tool wrote over before anybody saw it.
#
# Where the old text is put back over it nothing differs any more, and only the log knows that there was a change: a
# write over a state that was neither vouched for nor reached by writes of the agent.


_WRITES: tuple[EntryType, ...] = ("agent_write", "human_write", "person_said")
_KNOWN: tuple[EntryType, ...] = ("baseline_acknowledged", "baseline_established")
"""What was written before is known, and accuses nobody any more."""


def buried(divergence: Divergence, dispatch: Dispatch | None = None) -> str:
    """The digest that was written over last; empty where there is none. What is there again goes last."""
    over = _written_over(divergence)
    lost = [sha for sha in over if sha != divergence.sha]
    if over:
        return lost[-1] if lost else divergence.sha
    return _taken_back(divergence, dispatch) if divergence.sha == divergence.vouched else ""


def _written_over(divergence: Divergence) -> list[str]:
    """Since it was acknowledged. A write that did not look accuses nobody."""
    reached = {divergence.vouched}
    over: list[str] = []
    for line in divergence.log:
        if line.entry_type in _KNOWN:
            reached, over = {divergence.vouched, line.sha}, []
        elif line.entry_type in _WRITES and line.before_sha != line.sha:
            if line.before_sha is not None and line.before_sha not in reached:
                over.append(line.before_sha)
            if line.entry_type in _SILENT:
                reached.add(line.sha)
    return over


def _taken_back(divergence: Divergence, dispatch: Dispatch | None) -> str:
    """A change that was shown, and is not there any more. Whoever made it may undo it; an agent has to classify it."""
    found = next((each for each in dispatch.findings if each.path == divergence.path), None) if dispatch else None
    if dispatch is None or found is None:
        return ""
    since = [line for line in divergence.log if line.tick_counter >= dispatch.tick_counter]
    if found.written_over or any(line.entry_type == "agent_write" for line in since):
        return found.lost_sha256 or found.sha
    return ""
