"""The work so far, as the newest rows of the registry show it: files changed and read, and the names in them."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping
from functools import cached_property, lru_cache

from leeboard.analysis.ties.sketch import mark, unpacked
from leeboard.model.ledger import Entry
from leeboard.text.language import is_test
from leeboard.text.names import stem

_FADE = 0.85
"""What a file of the work counts beside the one that was changed after it."""

Names = frozenset[str]
NOTHING: Names = frozenset()


class WorkSoFar:
    """Rows newest first, without what is in doubt: a doubtful step must not pave the next."""

    def __init__(self, rows: Iterable[Entry], doubted: Collection[str] = ()) -> None:
        self.wrote: dict[str, Names] = {}
        """Files of the work, the newest first, with the names in their edits."""
        self.added: dict[str, Names] = {}
        self.doubted: dict[str, tuple[Names, Names]] = {}
        """What was written so far into files that are in doubt."""
        self.read: dict[str, Names] = {}
        self.shown: list[Names] = []
        self._read_before: set[str] = set()
        for row in rows:
            names = unpacked(row.data)
            if row.key == "wrote":
                self._take_edit(row, names, doubted)
            elif row.key == "read":
                _join(self.read, row.path, names)
                if len(self.wrote) > (row.path in self.wrote):
                    self._read_before.add(row.path)
            else:
                self.shown.append(names)

    def _take_edit(self, row: Entry, names: Names, doubted: Collection[str]) -> None:
        added = unpacked(row.text)
        if row.path in doubted:
            known = self.doubted.get(row.path, (NOTHING, NOTHING))
            self.doubted[row.path] = known[0] | names, known[1] | added
            return
        _join(self.wrote, row.path, names)
        _join(self.added, row.path, added)

    def was_read_early(self, path: str) -> bool:
        """Before the newest change of another file: it was on the way, not looked up for this."""
        return path in self._read_before

    def others(self, path: str) -> list[str]:
        """The files of the work but for this one, the newest first."""
        return [one for one in self.wrote if one != path] if path in self.wrote else self._files

    @cached_property
    def _files(self) -> list[str]:
        return list(self.wrote)

    def share_beside(self, path: str) -> float:
        """How much of the work lies in the file's own folder, the newest counting most."""
        here, others = folder_of(path), self.others(path)
        counts = _fading(len(others))
        if not others:
            return 0.0
        return sum(count for count, one in zip(counts, others, strict=True) if folder_of(one) == here) / sum(counts)

    def nearness(self, path: str) -> float:
        """How much of the way to the file is the way to the nearest file of the work."""
        here = folder_of(path)
        return max((_shared_way(here, one) for one in set(map(folder_of, self.others(path)))), default=0.0)

    def share_read_beside(self, path: str) -> float:
        here = folder_of(path)
        others = [folder_of(one) for one in self.read if one != path]
        return others.count(here) / len(others) if others else 0.0

    def has_twin(self, path: str) -> bool:
        """Whether it is the test of a file of the work, is tested by one, or is called the same in the same folder."""
        bare, folder, tests = stem(path), folder_of(path), is_test(path)
        alike = (one for one in self.others(path) if stem(one) == bare)
        return any(folder_of(one) == folder or is_test(one) != tests for one in alike)

    def mentions(self, bare: str, path: str) -> bool:
        """Whether an edit of another file has the name in it."""
        name = mark(bare)
        return any(name in names for one, names in self.wrote.items() if one != path)

    def shared(self, names: Names, path: str) -> SharedNames:
        """Which of the names other texts have, and how rare that makes them."""
        seen: dict[str, int] = {}
        for one, text in self.wrote.items():
            if one != path:
                _count(seen, names & text)
        written = frozenset(seen)
        for one, text in self.read.items():
            if one != path:
                _count(seen, names & text)
        for text in self.shown:
            _count(seen, names & text)
        return SharedNames(seen, written, max(2, len(self.wrote) + len(self.read) + len(self.shown)))

    def added_elsewhere(self, names: Names, path: str) -> Names:
        """Which of the names edits of other files bring in."""
        return NOTHING.union(*(names & text for one, text in self.added.items() if one != path))


class SharedNames:
    """Names of an edit in the other texts of a session."""

    def __init__(self, seen: Mapping[str, int], written: Names, texts: int) -> None:
        self.written = written
        """Those that files of the work have."""
        self._seen = seen
        self._texts = texts
        self._worth: dict[int, float] = {}

    @property
    def known(self) -> Iterable[str]:
        """Those that any text has."""
        return self._seen

    def worth(self, names: Iterable[str]) -> float:
        """What names weigh together, in whichever order: the fewer of the texts have one, the more it says."""
        return math.fsum(map(self.rarity, names))

    def rarity(self, name: str) -> float:
        count = self._seen.get(name, 0)
        if count not in self._worth:
            self._worth[count] = max(0.05, math.log((self._texts + 1) / (count + 0.5)))
        return self._worth[count]

    @property
    def rarest(self) -> float:
        return math.log((self._texts + 1) / 0.5)


def _count(seen: dict[str, int], names: Names) -> None:
    for name in names:
        seen[name] = seen.get(name, 0) + 1


def _join(texts: dict[str, Names], path: str, names: Names) -> None:
    before = texts.get(path)
    texts[path] = before | names if before else names


@lru_cache(maxsize=256)
def _fading(amount: int) -> tuple[float, ...]:
    return tuple(_FADE**at for at in range(amount))


@lru_cache(maxsize=4_096)
def folder_of(path: str) -> str:
    return path.rpartition("/")[0]


@lru_cache(maxsize=4_096)
def _shared_way(one: str, other: str) -> float:
    """Of two folders."""
    mine, its = (folder.split("/") if folder else [] for folder in (one, other))
    shared = next((at for at, (a, b) in enumerate(zip(mine, its, strict=False)) if a != b), min(len(mine), len(its)))
    return (shared + 1) / (max(len(mine), len(its)) + 1)
