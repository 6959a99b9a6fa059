"""Every file below some folders with its digest, as it is now.

Names, sizes and times are looked at each time; a file is read only where they, or the moment of its last change, leave
room for another content (`trust`). No link is followed, nothing is waited for, and what could not be read, or was not
reached in time, is said to be so.
"""

from __future__ import annotations

import contextlib
import gc
import hashlib
import marshal
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from posixpath import basename, dirname, join
from time import monotonic
from typing import BinaryIO

from leeboard.io.parents import processors
from leeboard.io.process import NOTHING, Process, Streams, end, start, wait
from leeboard.truth.digests import _worker
from leeboard.truth.digests import hashing as kinds
from leeboard.truth.digests.cache import Remembered, read_cache, write_cache
from leeboard.truth.digests.hashing import (
    MOST,
    Answers,
    Descent,
    FileHasher,
    Hashes,
    Job,
    Known,
    ToCheck,
    ToHash,
    offered,
    perform,
    taken,
)
from leeboard.truth.digests.identity import (
    BLOCK,
    LOCAL,
    SIZE,
    Mounts,
    Stamp,
    columns,
    row_at,
    settled,
    stamp,
    was_set_back,
)
from leeboard.truth.digests.survey import Draft, Lookout, Survey, troubled
from leeboard.truth.digests.tree import ALONE, Entered, FolderDigests, Folders, Scan, Tops, Tree, enter
from leeboard.truth.digests.watch import Place, ScanMemory, Watch


def scan(
    tops: Tops | Sequence[str],
    cache: str,
    *,
    budget: float | None = None,
    watch: Watch | None = None,
    now: Callable[[], int] = time.time_ns,
) -> Scan:
    """`cache` is the file of what the last scan found (`cache.cache_place`), `budget` the seconds it may take.

    With a `watch`, which has to live on from scan to scan, only what it saw changing is looked at.
    """
    # What is made here stays: looking for cycles in it would take a quarter of the time.
    collecting = gc.isenabled()
    gc.disable()
    try:
        return _scan(tops if isinstance(tops, Tops) else Tops(names=tuple(tops)), cache, budget, watch, now)
    finally:
        if collecting:
            gc.enable()


def _scan(asked: Tops, cache: str, budget: float | None, watch: Watch | None, now: Callable[[], int]) -> Scan:
    round_ = Round(asked, monotonic() + budget if budget is not None else NEVER, now)
    if watch is None:
        return _whole(round_, cache)
    watch.follow(asked)
    happened, memory = watch.happened(), watch.memory
    if happened is None or memory is None or memory.is_due:
        return _checked(round_, cache, watch)
    return _watched(round_, watch, memory, happened)


def _whole(round_: Round, cache: str) -> Scan:
    """Look at every file, reading only those that do not look as they did, and remember the result."""
    began = stamp(round_.now())
    remembered = _remembered(cache, round_.tops, began)
    known = {top: remembered[top] for top in round_.tops.names if top in remembered}
    found = round_.look(known)
    if round_.tree != known:
        write_cache(cache, Remembered(began, round_.tops.ignore, remembered | round_.tree))
    return found


def _checked(round_: Round, cache: str, watch: Watch) -> Scan:
    """The same, and the watch goes on from there: it is told of what happens before that is looked at."""
    if watch.memory is None:
        watch.renew()
    found = _whole(round_, cache)
    watch.memory = None if found.ran_out else ScanMemory(round_.tree, monotonic(), watch.heard())
    return found


def _watched(round_: Round, watch: Watch, memory: ScanMemory, happened: set[Place]) -> Scan:
    """Only what the watch saw changing, and what it can not see."""
    if not happened and not memory.unsure and memory.alone == watch.alone_now():
        return memory.scan
    found = round_.look(memory.tree, _suspects(memory, happened), memory.unsure)
    after = ScanMemory(round_.tree, memory.checked, watch.heard())
    if any(paths - memory.unsure.get(top, set()) for top, paths in after.unsure.items()):
        # A second name was given to a file, which tells nothing to the folder of the first.
        found = round_.look(memory.tree)
        after = ScanMemory(round_.tree, monotonic(), watch.heard())
    watch.memory = None if found.ran_out else after
    return found


def _suspects(memory: ScanMemory, happened: set[Place]) -> Suspects:
    """The folders in which it happened. One that came in the place of another is looked at with all that is in it."""
    found: Suspects = {top: set() for top in memory.tree}
    for top, path in happened:
        found[top].add(path.rpartition(b"/")[0])
        if path in memory.tree[top]:
            found[top] |= {each for each in memory.tree[top] if (each + b"/").startswith(path + b"/")}
    return found


def _remembered(cache: str, tops: Tops, now: Stamp) -> Tree:
    """What was kept of these tops and others; nothing where other names were left out or the clock was set back."""
    found = read_cache(cache)
    if found is None or found.ignore != tops.ignore or was_set_back(found.stamp, now):
        return {}
    return found.tree


# One look at all tops: check what is known, look again where it does not hold, hash what has to be.


NEVER = float("inf")
FEW, HEAVY = 4096, 4 << 20
"""Files whose sizes are looked at before, and bytes that are handed out together then."""

Suspects = Mapping[str, set[bytes]]
"""Paths of folders, by top."""


class Round:
    """`tree` is what is known afterwards."""

    def __init__(self, tops: Tops, deadline: float, now: Callable[[], int]) -> None:
        self.tops = tops
        self.now = now
        self.tree: Tree = {}
        self._lookout = Lookout(deadline, now, tops.skips())
        self._mounts: Mounts | None = None
        self._hashed = 0

    def look(self, known: Tree, suspects: Suspects | None = None, unsure: Suspects | None = None) -> Scan:
        """All folders are checked, or only those of `unsure`; those of `suspects` are looked at again in any case."""
        entered = {top: enter(self.tops, top) for top in self.tops.names}
        try:
            surveys = {
                top: Survey(each.folder, known.get(top, {}), self._lookout, self._systems(top))
                for top, each in entered.items()
                if each.folder >= 0
            }
            self._check(surveys, suspects or {}, unsure)
            self._hash(list(surveys.values()))
            self.tree = {
                top: self._found(top, each, surveys.get(top), known.get(top, {})) for top, each in entered.items()
            }
        finally:
            for each in entered.values():
                each.close()
        unseen = {top: survey.unseen for top, survey in surveys.items() if survey.unseen}
        return Scan(self.tree, unseen, self._hashed, unchanged=not unseen and _same(known, self.tree))

    def _check(self, surveys: Mapping[str, Survey], suspects: Suspects, unsure: Suspects | None) -> None:
        wanted = [
            list(survey.folders.values()) if unsure is None else [survey.folders[path] for path in unsure.get(top, ())]
            for top, survey in surveys.items()
        ]
        known = [[folder[:4] for folder in folders] for folders in wanted]
        checked = check_folders([survey.top for survey in surveys.values()], known, self._lookout.deadline)
        for (top, survey), folders, stale in zip(surveys.items(), wanted, checked, strict=True):
            again = {folders[number].path for number in stale} | suspects.get(top, set())
            survey.relook(again if survey.folders else {b""})

    def _hash(self, surveys: list[Survey]) -> None:
        """All of it at once, so that it is dealt out well."""
        drafts = [(number, draft) for number, survey in enumerate(surveys) for draft in survey.drafts.values()]
        few = sum(len(draft.files) for _, draft in drafts) < FEW
        weights = {id(draft): self._weights(surveys[number], draft) if few else [] for number, draft in drafts}
        work = [(number, draft, *each) for number, draft in drafts for each in _batches(draft, weights[id(draft)])]
        units = [(number, draft.path, b"\0".join(names), how, draft.device) for number, draft, names, how in work]
        tops = [survey.top for survey in surveys]
        weight = sum(map(sum, weights.values())) if few else None
        found = hash_units(tops, units, weight, self._lookout.deadline, self.now() - time.time_ns())
        for (_, draft, names, _), hashes in zip(work, found, strict=True):
            draft.add(names, hashes)
            self._hashed += sum(map(hashes[0].count, kinds.HASHED))
        for survey in surveys:
            survey.finish()

    def _weights(self, survey: Survey, draft: Draft) -> list[int]:
        """Sizes of the files to read: with few of them it counts how heavy each is."""
        descent = Descent(survey.top)
        try:
            folder = descent.open(draft.path)
            return [row[SIZE] if mode else 0 for row, mode, _ in self._lookout.sight.look(folder, draft.files)]
        except OSError:
            return []
        finally:
            descent.close()

    def _found(self, top: str, entered: Entered, survey: Survey | None, known: Folders) -> Folders:
        if survey is not None:
            return survey.folders
        if entered.trouble:
            return {b"": troubled(b"", entered.trouble)}
        return self._alone(top, entered.around, known) if entered.around >= 0 else {}

    def _alone(self, top: str, around: int, known: Folders) -> Folders:
        """A top that is a file, or a link."""
        name = os.fsencode(basename(top))
        ((seen, mode, _),) = self._lookout.sight.look(around, (name,))
        before = known.get(b"")
        if mode and before is not None and before.trouble == ALONE and row_at(before.stats, 0) == seen:
            return known
        kind, sha, row, moment = FileHasher(self._lookout.deadline, self.now).hash_one(around, name)
        if kind == kinds.GONE:
            return {}
        self._hashed += kind in kinds.HASHED
        local = self._systems(dirname(top))(b"") in LOCAL
        stats = columns([settled(row, moment if local else 0, None)])
        mark = hashlib.sha256(bytes((kind,)) + sha, usedforsecurity=False).digest()
        return {b"": FolderDigests(b"", b"", name, stats, shas=sha, kinds=bytes((kind,)), mark=mark, trouble=ALONE)}

    def _systems(self, top: str) -> Callable[[bytes], str]:
        """Which file system a folder below it lies on."""

        def system(path: bytes) -> str:
            self._mounts = self._mounts or Mounts()
            return self._mounts.system(join(self.tops.place(top), os.fsdecode(path)))

        return system


def _batches(draft: Draft, weights: list[int]) -> Iterator[tuple[list[bytes], str]]:
    """What is to be read in a folder, and how, in pieces that can be dealt out: blocks, or less of what is heavy."""
    how = "any" if draft.local else "strange"
    start, heavy = 0, 0
    for number in range(1, len(draft.files) + 1):
        heavy += weights[number - 1] if weights else 0
        if number - start >= BLOCK or heavy >= HEAVY or number == len(draft.files):
            yield draft.files[start:number], "files" if draft.local else how
            start, heavy = number, 0
    for start in range(0, len(draft.others), BLOCK):
        yield draft.others[start : start + BLOCK], how


def _same(known: Tree, found: Tree) -> bool:
    """Whether the same files have the same contents."""
    return known.keys() == found.keys() and all(_contents(known[top]) == _contents(found[top]) for top in found)


def _contents(folders: Folders) -> dict[bytes, tuple[bytes, int]]:
    return {path: (folder.mark, folder.trouble) for path, folder in folders.items() if folder.names or folder.trouble}


# The work of a scan cut into units, and shared with a second process where that is worth its start.


LOOKED_AT = 0.000_002
"""Seconds for each file that is looked at."""
OPENED, READ = 0.000_007, 0.000_000_001_4
"""Seconds for each file that is read, and for each byte of it."""
LIKELY = 4096
"""Bytes of a file whose size nobody looked at."""
TOGETHER = 2048
"""Files that are checked in one unit."""


def check_folders(tops: Sequence[int], folders: Sequence[Sequence[Known]], deadline: float) -> list[list[int]]:
    """For each top the numbers of its folders that are not as remembered, or were not looked at in time."""
    counts = [[names.count(b"\0") + 4 for _, _, names, _ in some] for some in folders]
    total = sum(map(sum, counts))
    units: list[ToCheck] = []
    for top, (some, sizes) in enumerate(zip(folders, counts, strict=True)):
        units += [(top, list(some[start:end])) for start, end in _cuts(sizes, max(TOGETHER, total // MOST * 2))]
    answers = _performed(("check", list(units), deadline, 0), tops, total * LOOKED_AT / 1.6)
    found: list[list[int]] = [[] for _ in tops]
    seen = [0 for _ in tops]
    for number, (top, some) in enumerate(units):
        found[top] += [seen[top] + each for each in answers[number] if isinstance(each, int)]
        seen[top] += len(some)
    return found


def hash_units(
    tops: Sequence[int], units: Sequence[ToHash], weight: int | None, deadline: float, offset: int
) -> list[Hashes]:
    """For each unit its files in order. `weight`: bytes in all, if that is known."""
    files = sum(unit[2].count(b"\0") + 1 for unit in units)
    cost = files * OPENED + (files * LIKELY if weight is None else weight) * READ
    answers = _performed(("hash", list(units), deadline, offset), tops, cost)
    return [answer for number in range(len(units)) if isinstance(answer := answers[number], tuple)]


def _performed(job: Job, tops: Sequence[int], cost: float) -> Answers:
    shared = cost > 3 * START and 1 < len(job[1]) <= MOST and processors() > 1
    return perform_shared(job, tops) if shared else perform(job, tops, range(len(job[1])))


def _cuts(sizes: Sequence[int], most: int) -> list[tuple[int, int]]:
    """Where to cut so that no unit is much larger than `most`."""
    cuts, start, size = [], 0, 0
    for number, each in enumerate(sizes, 1):
        size += each
        if size >= most or number == len(sizes):
            cuts.append((start, number))
            start, size = number, 0
    return cuts


# A job shared with a second process: both take the next unit until none is left.


START = 0.025
"""Seconds until it does its first work: what takes less than a few times that is done sooner without it."""
GRACE = 1.0
"""Seconds over the deadline, which it looks at itself."""
_LONGEST = 86_400.0


def perform_shared(job: Job, tops: Sequence[int]) -> Answers:
    """The answers for all units. What the second process took and did not bring back is done here."""
    count = len(job[1])
    turns = offered(count)
    try:
        second = _Second(job, tops, turns)
        try:
            found = perform(job, tops, taken(turns))
            found |= second.answer()
        finally:
            second.close()
    finally:
        os.close(turns)
    missing = [number for number in range(count) if number not in found]
    return found | perform(job, tops, missing) if missing else found


class _Second:
    """Whatever goes wrong with it, its answer is empty."""

    def __init__(self, job: Job, tops: Sequence[int], turns: int) -> None:
        self._job, self._answer = _unnamed(), _unnamed()
        self._deadline = job[2]
        marshal.dump(job, self._job)
        self._job.flush()
        files = (self._job.fileno(), self._answer.fileno(), turns, *tops)
        command = (sys.executable, "-I", "-S", "-B", _worker.__file__, *map(str, files))
        self._process: Process | None = None
        with contextlib.suppress(OSError):
            self._process = start(command, "/", os.environ, Streams(NOTHING, NOTHING, NOTHING), files)

    def answer(self) -> Answers:
        """Wait for the process and read what it found; nothing where it failed or took too long."""
        patience = _LONGEST if self._deadline == float("inf") else max(0.0, self._deadline - monotonic()) + GRACE
        try:
            if self._process is None or wait(self._process, patience) != 0:
                return {}
            self._answer.seek(0)
            found: Answers = marshal.load(self._answer)  # noqa: S302 - our own process wrote it
        except (EOFError, ValueError, TypeError):
            return {}
        return found

    def close(self) -> None:
        """Ends it where it still runs."""
        if self._process is not None:
            end(self._process)
        self._job.close()
        self._answer.close()


def _unnamed() -> BinaryIO:
    """In memory where the system can."""
    if hasattr(os, "memfd_create"):
        return open(os.memfd_create("digests"), "w+b")  # noqa: PTH123 - a descriptor, not a path
    return tempfile.TemporaryFile()
