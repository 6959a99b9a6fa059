"""Where a file differs from what an agent knew of it, and whether that is in what the agent saw."""

from __future__ import annotations

from collections.abc import Iterator

from leeboard.analysis.patch import common_start
from leeboard.model.known import LINE_BYTES, NO_TEXT, Change, ChangedFile, Disk, FileState, Knowledge, Known, Ranges
from leeboard.model.text import lazy
from leeboard.model.truth import ABSENT
from leeboard.truth.state import joined, state_of

_MOST_COMPARED = 1_500
"""Lines on either side: a longer stretch counts as one change, for comparing takes time with the square of it."""

Block = tuple[bool, int, int, int, int]
"""Whether it is the same on both sides; then the lines it takes of the one and of the other, counted from zero."""


def change_between(known: Known, now: FileState) -> Change:
    """New lines by their numbers now, and where how many are gone."""
    if not _is_comparable(known, now):
        return Change(is_located=False)
    blocks = [block for block in _blocks(known.lines, now.lines) if not block[0]]
    return Change(
        new=tuple((start + 1, end) for _, _, _, start, end in blocks if end > start),
        gone=tuple((start, end_old - old) for _, old, end_old, start, _ in blocks if end_old > old),
    )


def concerns(known: Known, now: FileState) -> bool:
    """Whether the change is in lines that the agent saw, or between them."""
    if known.is_whole:
        return True
    if not known.seen or not _is_comparable(known, now):
        return bool(known.seen)
    return any(
        _is_within(start, end, seen)
        for same, start, end, _, _ in _blocks(known.lines, now.lines)
        for seen in known.seen
        if not same
    )


def _is_within(start: int, end: int, seen: tuple[int, int]) -> bool:
    """Whether lines that went, or the place where others came in, are among those that were seen."""
    first, last = seen[0] - 1, seen[1]
    return first < end and start < last if end > start else first < start < last


def carried(known: Known, now: FileState, *, inner: bool) -> Ranges:
    """The seen lines by their numbers now. `inner`: what changed among them is seen as well."""
    if known.is_whole and inner:
        return whole(now)
    if not _is_comparable(known, now):
        return ()
    found: list[tuple[int, int]] = []
    for same, old, end_old, start, end in _blocks(known.lines, now.lines):
        for first, last in known.seen:
            low, high = max(first - 1, old), min(last, end_old)
            if same and low < high:
                found.append((start + low - old + 1, start + high - old))
            elif not same and inner and end > start and _is_within(old, end_old, (first, last)):
                found.append((start + 1, end))
    return joined(tuple(found))


def seen_again(known: Known, now: FileState, shown: Ranges) -> Ranges | None:
    """What an agent has seen of a file that changed since, with what it is shown. None: the change was not in it."""
    change, mine = change_between(known, now), carried(known, now, inner=True)
    news = tuple(one for one in change.new if meets((one,), mine))
    if concerns(known, now) and not (change.is_located and holds(news, shown)) and shown != whole(now):
        return None
    return joined(mine, shown)


def whole(now: FileState) -> Ranges:
    return ((1, now.count),) if now.count else ()


def holds(ranges: Ranges, inside: Ranges) -> bool:
    """Whether all of these lines lie inside the other ones."""
    return all(any(first <= low and high <= last for first, last in inside) for low, high in ranges)


def meets(ranges: Ranges, others: Ranges) -> bool:
    return any(first <= high and low <= last for first, last in ranges for low, high in others)


def _is_comparable(known: Known, now: FileState) -> bool:
    return len(known.lines) == known.count * LINE_BYTES and len(now.lines) == now.count * LINE_BYTES


def _blocks(before: bytes, after: bytes) -> Iterator[Block]:
    """Both texts cut into stretches, in order."""
    old, new = _split(before), _split(after)
    head = common_start(old, new)
    tail = common_start(old[head:][::-1], new[head:][::-1])
    end_old, end_new = len(old) - tail, len(new) - tail
    if head:
        yield True, 0, head, 0, head
    for same, one, end_one, other, end_other in _middle(old[head:end_old], new[head:end_new]):
        yield same, one + head, end_one + head, other + head, end_other + head
    if tail:
        yield True, end_old, len(old), end_new, len(new)


def _middle(old: list[bytes], new: list[bytes]) -> Iterator[Block]:
    if not old and not new:
        return
    if not old or not new or len(old) > _MOST_COMPARED or len(new) > _MOST_COMPARED:
        yield False, 0, len(old), 0, len(new)
        return
    from difflib import SequenceMatcher  # noqa: PLC0415 - only where a file has changed in several places

    for kind, one, end_one, other, end_other in SequenceMatcher(None, old, new).get_opcodes():
        yield kind == "equal", one, end_one, other, end_other


def _split(lines: bytes) -> list[bytes]:
    return [lines[at : at + LINE_BYTES] for at in range(0, len(lines), LINE_BYTES)]


# Files as agents know them beside the files as they are: which of them are no longer the same.


MOVING = lazy(r"\.(?:log|pid|tmp|sock|swp)$|(?:^|/)\.git/")
"""What programs write all the time is nothing to tell of; only who edits such a file has to know."""
_MAY_MOVE = lazy(r"(?:^|/)(?:logs?|te?mp)/|\.(?:out|lock)$")
"""Names that programs give to such files and people to sources: git tells which it is."""


def is_moving(path: str, disk: Disk | None) -> bool:
    if MOVING.search(path):
        return True
    return disk is not None and bool(_MAY_MOVE.search(path)) and path in disk.ignored_of((path,))


def changed_file(known: Known, knowledge: Knowledge, key: bytes) -> ChangedFile | None:
    """None where it is the same, or nobody can tell. A file that looks the same from outside is not read."""
    disk = knowledge.disk
    stamp = disk.look(known.path) if disk else None
    if disk is None or stamp is None or not known.digest or (stamp and stamp == known.stamp):
        return None
    now = FileState(digest=ABSENT)
    if stamp:
        found = state_now(known.path, disk, key)
        if found is None:
            return None
        now = found
    return None if now.digest == known.digest else ChangedFile(known=known, now=now, stamp=stamp)


def state_now(path: str, disk: Disk, key: bytes) -> FileState | None:
    """The state of a file that is there. None where nobody can tell."""
    text = disk.text(path)
    return state_of(text, key) if text is not None else without_text(path, disk)


def without_text(path: str, disk: Disk) -> FileState | None:
    """The state of a file that has no text: what it is, and how it looks from outside, stand where a digest would."""
    kind, stamp = disk.no_text(path), disk.look(path)
    if kind is None or not stamp:
        return None
    size, modified = stamp[:2]
    return FileState(digest=f"{NO_TEXT}{kind}:{size}:{modified}", count=1)


def matters(changed: ChangedFile, *, whole_file: bool) -> bool:
    """Whether it is in what the agent saw; who writes a file anew writes over what it never saw as well."""
    known = changed.known
    return concerns(known, changed.now) or (whole_file and bool(known.seen))
