"""What was read before and still looks the same is not read again, as long as the process lives.

Nothing is believed here that the digests of tracked files would not believe: inode, size, times and device have to be
the same, the clock of this machine has to set the times, and what was read within a moment of its last change is read
anew. Everything is looked at before it is read, so a change in between is found the next time.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from threading import Lock
from typing import Any, TypeVar

import msgspec

from leeboard.truth.digests.identity import (
    BLOCK,
    DEVICE,
    FIELDS,
    HERE,
    LAYERED,
    LOCAL,
    Mounts,
    Row,
    Sight,
    Stamp,
    all_settled,
    columns,
    rows,
    settled,
    was_set_back,
)

MOST_KEPT = 256
"""Folders; the one that was read longest ago makes room."""
MOST_IN_TREE = 4096
_BLOCK_BYTES = BLOCK * FIELDS * 8
_BOOT_CLOCK = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)
_THIS_START = "this"
"""No process outlives the start of the system it runs on."""

Read = Callable[[str], str | None]
Clock = Callable[[], int]
Made = TypeVar("Made")


class _Kept(msgspec.Struct, frozen=True, kw_only=True):
    stamp: Stamp
    names: Sequence[str]
    spelled: Sequence[bytes]
    looks: bytes
    """Identities of all of them, blank where one can not be relied on: then nothing looks like it."""
    texts: Mapping[str, str] = {}
    made: Any = None


class _Keeping:
    """What is kept, by place. For any thread."""

    def __init__(self, clock: Clock = time.time_ns) -> None:
        self._clock = clock
        self._kept: dict[str, _Kept] = {}
        self._systems: dict[tuple[str, int], str] = {}
        self._sight = Sight()
        self._one_at_a_time = Lock()

    def _now(self) -> Stamp:
        return self._clock(), time.clock_gettime_ns(_BOOT_CLOCK), _THIS_START

    def _before(self, place: str, now: Stamp) -> _Kept | None:
        kept = self._kept.get(place)
        return None if kept is None or was_set_back(kept.stamp, now) else kept

    def _looks(self, folder: int, names: Sequence[bytes]) -> bytes:
        with self._one_at_a_time:
            return self._sight.identities(folder, names)

    def _keep(self, place: str, kept: _Kept) -> None:
        with self._one_at_a_time:
            self._kept.pop(place, None)
            self._kept[place] = kept
            if len(self._kept) > MOST_KEPT:
                del self._kept[next(iter(self._kept))]

    def _system(self, place: str, device: int) -> str:
        """The kind of file system a place lies on, asked once for each device."""
        found = self._systems.get((place, device))
        if found is None:
            found = Mounts().system(place)
            if len(self._systems) >= MOST_KEPT:
                self._systems.clear()
            self._systems[place, device] = found
        return found


class KnownPages(_Keeping):
    """Texts of files that lie in one folder, file by file, and what was made of all of them."""

    def __init__(self, clock: Clock = time.time_ns) -> None:
        super().__init__(clock)
        self._made: dict[str, tuple[Mapping[str, str], Any]] = {}

    def made(self, place: str, texts: Mapping[str, str], make: Callable[[Mapping[str, str]], Made]) -> Made:
        """What was made of these texts, as they were given out; anew where they are others."""
        known = self._made.get(place)
        if known is not None and known[0] is texts:
            found: Made = known[1]
            return found
        made = make(texts)
        if len(self._made) >= MOST_KEPT:
            self._made.clear()
        self._made[place] = texts, made
        return made

    def texts(self, place: str, folder: int, names: Sequence[str], read: Read) -> Mapping[str, str]:
        """By name, those aside that are gone; the very same object where nothing changed. `folder` is `place`, open."""
        if not names:
            return {}
        now = self._now()
        kept = self._before(place, now)
        same_names = kept is not None and kept.names == names
        spelled = kept.spelled if kept is not None and same_names else [os.fsencode(name) for name in names]
        looks = self._looks(folder, spelled)
        if kept is not None and same_names and looks and kept.looks == looks:
            return kept.texts
        known = _by_name(kept) if kept is not None else {}
        found = list(rows(looks)) if looks else [()] * len(names)
        texts = dict(_texts(names, found, known, read))
        if looks and len(texts) == len(names):
            relied_on = self._relied_on(place, folder, found, now[0])
            self._keep(place, _Kept(stamp=now, names=names, spelled=spelled, looks=relied_on, texts=texts))
        return texts

    def _relied_on(self, place: str, folder: int, found: Sequence[Row], moment: int) -> bytes:
        with self._one_at_a_time:
            device = self._sight.opened(folder)[0][DEVICE]
        system = self._system(place, device)
        held = None if system == LAYERED else device
        return columns([settled(row, moment if system in LOCAL else 0, held) for row in found])


class KnownTrees(_Keeping):
    """What was made of a whole folder with all that lies in it, each part of which may have been read."""

    def made(self, place: str, make: Callable[[], Made]) -> Made:
        """Made anew where anything below is not as it was. Links in it are looked at and not followed."""
        now = self._now()
        kept = self._before(place, now)
        if kept is not None and self._looks(HERE, kept.spelled) == kept.looks:
            found: Made = kept.made
            return found
        paths = _tree(place)
        looks = self._looks(HERE, paths)
        made = make()
        if looks and self._is_settled(place, looks, now[0]):
            self._keep(place, _Kept(stamp=now, names=(), spelled=paths, looks=looks, made=made))
        return made

    def _is_settled(self, place: str, looks: bytes, moment: int) -> bool:
        device = next(rows(looks))[DEVICE]
        system = self._system(place, device)
        held = None if system == LAYERED else device
        blocks = (looks[start : start + _BLOCK_BYTES] for start in range(0, len(looks), _BLOCK_BYTES))
        return system in LOCAL and all(all_settled(block, moment, held) for block in blocks)


PAGES, TREES, STUDIOS = KnownPages(), KnownTrees(), KnownTrees()
"""`STUDIOS` keeps digests of folders of which `TREES` keeps what was made of them."""


def _by_name(kept: _Kept) -> dict[str, tuple[Row, str]]:
    return {name: (row, kept.texts[name]) for name, row in zip(kept.names, rows(kept.looks), strict=True)}


def _texts(
    names: Sequence[str], found: Sequence[Row], known: Mapping[str, tuple[Row, str]], read: Read
) -> Iterator[tuple[str, str]]:
    for name, row in zip(names, found, strict=True):
        before = known.get(name)
        text = before[1] if before is not None and before[0] == row else read(name)
        if text is not None:
            yield name, text


def _tree(place: str) -> list[bytes]:
    """The folder itself and all below it; nothing where it is too much to be looked at each time."""
    found, waiting = [os.fsencode(place)], [os.fsencode(place)]
    while waiting:
        try:
            with os.scandir(waiting.pop()) as entries:
                for entry in entries:
                    found.append(entry.path)
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(entry.path)
        except OSError:
            return []
        if len(found) > MOST_IN_TREE:
            return []
    return found
