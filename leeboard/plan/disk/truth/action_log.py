"""`action-log.jsonl`: who wrote which digest to which path. One signed line for each write.

The log has a lock of its own, held for moments, so that a hook can stamp a write while a tick holds the intent's. A
line that this machine did not sign explains nothing. The log is read from its end, and no further than somebody asks.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Sequence
from posixpath import basename, dirname

import msgspec
from msgspec.structs import replace

from leeboard.model.truth import EntryType, LogEntry
from leeboard.plan.disk import layout
from leeboard.plan.disk.folder import PlanFolder, hold_log
from leeboard.plan.disk.seal import Signer
from leeboard.plan.files.truth import baseline_mark, entry_id, format_log_line, parse_log_line

_STEPS = (64 << 10, 1 << 20, 8 << 20, 64 << 20)
"""Bytes from the end of the log, one try after another; what lies before the last is not read."""


class _Line(msgspec.Struct):
    """What has to be known of a line before it is worth a look."""

    path: str = ""
    tick_counter: int = 0
    entry_id: str = ""


class LogExcerpt(msgspec.Struct, frozen=True, kw_only=True):
    """What the log says of some paths."""

    entries: dict[str, tuple[LogEntry, ...]]
    """Oldest first."""
    unsigned: int = 0
    """Lines about them that nobody signed."""
    cut: bool = False
    """The log goes further back than it was read."""


_LINE = msgspec.json.Decoder(_Line)


def append(folder: PlanFolder, slug: str, entries: Sequence[LogEntry], *, once: bool = False) -> tuple[LogEntry, ...]:
    """The entries with their ids, on the disk. `once`: what the newest line of its path says already is left out."""
    if not entries:
        return ()
    path = layout.below(slug, layout.LOG)
    with hold_log(folder, slug):
        wanted = _unsaid(folder, slug, entries) if once else entries
        numbered = _numbered(folder, slug, wanted)
        if numbered:
            signer = Signer(folder, path)
            folder.append(path, b"\n".join(signer.signed(format_log_line(each)) for each in numbered))
    return numbered


def next_id(folder: PlanFolder, slug: str, entry: LogEntry) -> str:
    """The id that this entry is going to have, for whoever keeps others from writing one of its kind meanwhile."""
    return _numbered(folder, slug, [entry])[0].entry_id


def holds(folder: PlanFolder, slug: str, entry: LogEntry) -> bool:
    """Whether a line with this entry's id is there."""
    lines, _ = _back_to(folder, slug, entry.tick_counter)
    return any(line.entry_id == entry.entry_id for line, _ in lines)


def told(
    folder: PlanFolder, slug: str, paths: Collection[str], since: int = 0, *, scopes: Collection[str] = ()
) -> LogExcerpt:
    """What is said of these paths since a tick, and of all others in these scopes.

    That the baseline of such a scope was established stands among the lines of each path.
    """
    if not paths and not scopes:
        return LogExcerpt(entries={})
    signer, wanted = Signer(folder, layout.below(slug, layout.LOG)), set(paths)
    marks = {baseline_mark("baseline_established", scope): scope for scope in scopes}
    found: dict[str, list[LogEntry]] = {}
    lines, cut = _back_to(folder, slug, since)
    unsigned = 0
    for line, text in lines:
        is_wanted = line.path in wanted or line.path in marks or layout.scope_of(line.path) in scopes
        if is_wanted and line.tick_counter >= since:
            fields = signer.verified(text)
            entry = parse_log_line(fields) if fields else None
            unsigned += fields is None and line.path in wanted
            if entry is not None:
                _add(entry, found, marks.get(entry.path))
    return LogExcerpt(entries={each: tuple(many) for each, many in found.items()}, unsigned=unsigned, cut=cut)


def _add(entry: LogEntry, found: dict[str, list[LogEntry]], scope: str | None) -> None:
    """`scope`: whose baseline was established."""
    if scope is None:
        found.setdefault(entry.path, []).append(entry)
        return
    for path, lines in found.items():
        if layout.scope_of(path) == scope:
            lines.append(entry)


def size(folder: PlanFolder, slug: str) -> int:
    """Bytes of the log: it only grows."""
    return _size(folder, layout.below(slug, layout.LOG))


def highest_tick(folder: PlanFolder, slug: str) -> int:
    """The newest tick the log knows of, so that ticks only go forward: the counter itself may be lost.

    Lines of another machine count where there are no others.
    """
    path = layout.below(slug, layout.LOG)
    signer, lines = Signer(folder, path), list(_decoded(folder.tail(path, _STEPS[0])))
    ours = next((line for line, text in reversed(lines) if signer.verified(text)), None)
    return ours.tick_counter if ours else max((line.tick_counter for line, _ in lines), default=0)


def was_established(folder: PlanFolder, slug: str, scope: str) -> bool:
    """Whether the log knows of a baseline; a line of another machine is good enough to ask a person."""
    mark = baseline_mark("baseline_established", scope)
    return any(line.path == mark for line, _ in _back_to(folder, slug, 0)[0])


def last_of_baseline(folder: PlanFolder, slug: str, scope: str) -> LogEntry | None:
    """Whether the baseline of a scope was established or damaged last, by the log; None where neither is on it."""
    kinds: tuple[EntryType, ...] = ("baseline_established", "baseline_corruption_event")
    marks, signer = {baseline_mark(kind, scope) for kind in kinds}, Signer(folder, layout.below(slug, layout.LOG))
    for line, text in reversed(_back_to(folder, slug, 0)[0]):
        fields = signer.verified(text) if line.path in marks else None
        if fields and (entry := parse_log_line(fields)):
            return entry
    return None


def _unsaid(folder: PlanFolder, slug: str, entries: Sequence[LogEntry]) -> list[LogEntry]:
    said = told(folder, slug, {each.path for each in entries}, min(each.tick_counter for each in entries)).entries
    newest = {path: _without_id(many[-1]) for path, many in said.items()}
    return [each for each in entries if newest.get(each.path) != _without_id(each)]


def _without_id(entry: LogEntry) -> LogEntry:
    return replace(entry, entry_id="", timestamp="", human_author_id=None)


def _numbered(folder: PlanFolder, slug: str, entries: Iterable[LogEntry]) -> tuple[LogEntry, ...]:
    counts: dict[str, int] = {}
    numbered = []
    for entry in entries:
        if entry.entry_id:
            numbered.append(entry)
            continue
        first = entry_id(entry.entry_type, entry.tick_counter, "")
        if first not in counts:
            counts[first] = _highest(folder, slug, first, entry.tick_counter)
        counts[first] += 1
        mark = entry_id(entry.entry_type, entry.tick_counter, counts[first])
        numbered.append(replace(entry, entry_id=mark))
    return tuple(numbered)


def _highest(folder: PlanFolder, slug: str, first: str, tick: int) -> int:
    """The number of the newest id that begins so. Newest is highest: they are given one after another."""
    lines, _ = _back_to(folder, slug, tick)
    numbers = (line.entry_id.removeprefix(first) for line, _ in lines if line.entry_id.startswith(first))
    return max((int(number) for number in numbers if number.isdecimal()), default=0)


def _back_to(folder: PlanFolder, slug: str, tick: int) -> tuple[list[tuple[_Line, bytes]], bool]:
    """Lines from the end of the log back to one of an earlier tick, oldest first; whether there are more before."""
    path = layout.below(slug, layout.LOG)
    size, lines, is_cut = _size(folder, path), [], False
    for most in _STEPS:
        lines = list(_decoded(folder.tail(path, most)))
        is_cut = size > most
        if not is_cut or (lines and lines[0][0].tick_counter < tick):
            return lines, False
    return lines, is_cut


def _size(folder: PlanFolder, path: str) -> int:
    try:
        with folder.opened(dirname(path)) as around:
            return os.stat(basename(path), dir_fd=around, follow_symlinks=False).st_size
    except OSError:
        return 0


def _decoded(data: bytes) -> Iterator[tuple[_Line, bytes]]:
    for text in data.splitlines():
        try:
            yield _LINE.decode(text), text
        except (ValueError, RecursionError):
            continue
