"""The work so far, as the newest rows of the registry show it: files changed and read, and the names in them."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable
from functools import cached_property

from leeboard.analysis.ties.sketch import unpacked
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
                self.read[row.path] = self.read.get(row.path, NOTHING) | names
                if any(path != row.path for path in self.wrote):
                    self._read_before.add(row.path)
            else:
                self.shown.append(names)

    def _take_edit(self, row: Entry, names: Names, doubted: Collection[str]) -> None:
        added = unpacked(row.text)
        if row.path in doubted:
            known = self.doubted.get(row.path, (NOTHING, NOTHING))
            self.doubted[row.path] = known[0] | names, known[1] | added
            return
        self.wrote[row.path] = self.wrote.get(row.path, NOTHING) | names
        self.added[row.path] = self.added.get(row.path, NOTHING) | added

    def was_read_early(self, path: str) -> bool:
        """Before the newest change of another file: it was on the way, not looked up for this."""
        return path in self._read_before

    def others(self, path: str) -> list[str]:
        """The files of the work but for this one, the newest first."""
        return [one for one in self.wrote if one != path]

    def share_beside(self, path: str) -> float:
        """How much of the work lies in the file's own folder, the newest counting most."""
        here = _folder(path)
        return _faded([float(_folder(one) == here) for one in self.others(path)])

    def nearness(self, path: str) -> float:
        """How much of the way to the file is the way to the nearest file of the work."""
        return max((_shared_way(path, one) for one in self.others(path)), default=0.0)

    def share_read_beside(self, path: str) -> float:
        others = [one for one in self.read if one != path]
        return sum(_folder(one) == _folder(path) for one in others) / len(others) if others else 0.0

    def has_twin(self, path: str) -> bool:
        """Whether it is the test of a file of the work, is tested by one, or is called the same in the same folder."""
        bare, folder, tests = stem(path), _folder(path), is_test(path)
        alike = (one for one in self.others(path) if stem(one) == bare)
        return any(_folder(one) == folder or is_test(one) != tests for one in alike)

    def stems(self, path: str) -> set[str]:
        return {stem(one) for one in self.others(path)}

    @cached_property
    def _count(self) -> int:
        return max(2, len(self.wrote) + len(self.read) + len(self.shown))

    def rarity(self, names: Names, path: str) -> dict[str, float]:
        """What each name weighs: the fewer of the other texts have it, the more it says."""
        seen = dict.fromkeys(names, 0)
        texts = [text for one, text in (*self.wrote.items(), *self.read.items()) if one != path]
        for text in (*texts, *self.shown):
            for name in names & text:
                seen[name] += 1
        return {name: max(0.05, math.log((self._count + 1) / (count + 0.5))) for name, count in seen.items()}

    @property
    def rarest(self) -> float:
        return math.log((self._count + 1) / 0.5)

    def written_elsewhere(self, path: str) -> Names:
        return NOTHING.union(*(names for one, names in self.wrote.items() if one != path))

    def added_elsewhere(self, path: str) -> Names:
        return NOTHING.union(*(names for one, names in self.added.items() if one != path))

    def known_elsewhere(self, path: str) -> Names:
        read = (names for one, names in self.read.items() if one != path)
        return self.written_elsewhere(path).union(*read, *self.shown)


def _faded(values: list[float]) -> float:
    weights = [_FADE**at for at in range(len(values))]
    return sum(weight * value for weight, value in zip(weights, values, strict=True)) / sum(weights) if values else 0.0


def _folder(path: str) -> str:
    return path.rpartition("/")[0]


def _shared_way(one: str, other: str) -> float:
    mine, its = one.split("/")[:-1], other.split("/")[:-1]
    shared = next((at for at, (a, b) in enumerate(zip(mine, its, strict=False)) if a != b), min(len(mine), len(its)))
    return (shared + 1) / (max(len(mine), len(its)) + 1)
