"""What two processes can share the work of: checking folders, and hashing files. Plain values in, plain values out."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence

from leeboard.truth.digests import folder as kinds
from leeboard.truth.digests.check import Known, stale
from leeboard.truth.digests.folder import Descent
from leeboard.truth.digests.hashing import FileHasher, Hashes
from leeboard.truth.digests.identity import BLANK, Sight, columns

ToCheck = tuple[int, list[Known]]
"""Which of the tops, and folders of it, in the order of a walk."""
ToHash = tuple[int, bytes, bytes, str, int | None]
"""Which of the tops, a folder below it, names in it with NUL in between, how to go about it, and the device they have
to be on. `files`: ordinary ones, `any`: whatever they are, `strange`: on a file system whose times say nothing."""
Checked = list[int]
"""The numbers of folders that are not as remembered, or were not looked at in time."""
Job = tuple[str, list[ToCheck | ToHash], float, int]
"""Kind, units of it, until when (of the monotonic clock), and how far the wall clock is to be taken as off."""
Answers = dict[int, Checked | Hashes]
"""What became of each unit, by its number."""


def perform(job: Job, tops: Sequence[int], turns: Iterable[int]) -> Answers:
    """The units whose turn it is."""
    kind, units, deadline, offset = job
    descents = [Descent(top) for top in tops]
    try:
        if kind == "check":
            sight = Sight()
            return {turn: _check(units[turn], descents, sight, deadline) for turn in turns}  # type: ignore[arg-type] # of its kind
        reader = FileHasher(deadline, lambda: time.time_ns() + offset)
        return {turn: _hash(units[turn], descents, reader) for turn in turns}  # type: ignore[arg-type] # of its kind
    finally:
        for descent in descents:
            descent.close()


def _check(unit: ToCheck, descents: Sequence[Descent], sight: Sight, deadline: float) -> Checked:
    top, folders = unit
    return stale(descents[top], folders, sight, deadline)


def _hash(unit: ToHash, descents: Sequence[Descent], reader: FileHasher) -> Hashes:
    top, path, blob, how, device = unit
    names = blob.split(b"\0")
    try:
        folder = descents[top].open(path)
    except OSError as error:
        # Where a link or a file has taken the folder's place since it was listed, nothing can be said of the names.
        kind = kinds.GONE if isinstance(error, FileNotFoundError) else kinds.CHANGING
        count = len(names)
        return bytes((kind,)) * count, kinds.NO_DIGEST * count, columns([BLANK] * count), False
    if how == "files":
        return reader.hash_files(folder, names, device)
    return reader.hash_each(folder, names, device, local=how == "any")
