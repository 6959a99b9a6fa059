"""Every file below some folders with its digest, as it is now.

Names, sizes and times are looked at each time; a file is read only where they, or the moment of its last change, leave
room for another content (`trust`). No link is followed, nothing is waited for, and what could not be read, or was not
reached in time, is said to be so.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Sequence
from time import monotonic

from leeboard.io.digests.cache import Remembered, Tree, read_cache, write_cache
from leeboard.io.digests.found import Scan
from leeboard.io.digests.round import NEVER, Round, Suspects
from leeboard.io.digests.tops import Tops
from leeboard.io.digests.trust import Stamp, stamp, was_set_back
from leeboard.io.digests.watch import Memory, Place, Watch


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
    """Everything is looked at."""
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
    watch.memory = None if found.ran_out else Memory(round_.tree, monotonic(), watch.heard())
    return found


def _watched(round_: Round, watch: Watch, memory: Memory, happened: set[Place]) -> Scan:
    """Only what the watch saw changing, and what it can not see."""
    if not happened and not memory.unsure and memory.alone == watch.alone_now():
        return memory.scan
    found = round_.look(memory.tree, _suspects(memory, happened), memory.unsure)
    after = Memory(round_.tree, memory.checked, watch.heard())
    if any(paths - memory.unsure.get(top, set()) for top, paths in after.unsure.items()):
        # A second name was given to a file, which tells nothing to the folder of the first.
        found = round_.look(memory.tree)
        after = Memory(round_.tree, monotonic(), watch.heard())
    watch.memory = None if found.ran_out else after
    return found


def _suspects(memory: Memory, happened: set[Place]) -> Suspects:
    """The folders in which it happened. One that came in the place of another is looked at with all that is in it."""
    found: Suspects = {top: set() for top in memory.tree}
    for top, path in happened:
        found[top].add(path.rpartition(b"/")[0])
        if path in memory.tree[top]:
            found[top] |= {each for each in memory.tree[top] if (each + b"/").startswith(path + b"/")}
    return found


def _remembered(cache: str, tops: Tops, now: Stamp) -> Tree:
    """Of these tops and others; nothing where other names were left out, or the clock was set back since."""
    found = read_cache(cache)
    if found is None or found.ignore != tops.ignore or was_set_back(found.stamp, now):
        return {}
    return found.tree
