"""The work so far, as the newest rows of the registry show it: files changed and read, and the names in them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from functools import cached_property, lru_cache
from itertools import chain

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
        self.read_in_doubt: dict[str, Names] = {}
        """What was read of files that are in doubt."""
        self.shown: list[Names] = []
        self._read_before: set[str] = set()
        wrote, added = self.wrote, self.added
        for row in rows:  # a long session has many, and every change looks at all of them
            path, names = row.path, unpacked(row.data)
            if row.key == "wrote":
                if path in doubted:
                    self._doubt(row, names)
                elif path in wrote:
                    wrote[path] |= names
                    added[path] |= unpacked(row.text)
                else:
                    wrote[path] = names
                    added[path] = unpacked(row.text)
            elif row.key == "read":
                read = self.read_in_doubt if path in doubted else self.read
                read[path] = read[path] | names if path in read else names
                if len(wrote) > (path in wrote):
                    self._read_before.add(path)
            else:
                self.shown.append(names)

    def _doubt(self, row: Entry, names: Names) -> None:
        known = self.doubted.get(row.path, (NOTHING, NOTHING))
        self.doubted[row.path] = known[0] | names, known[1] | unpacked(row.text)

    def was_read_early(self, path: str) -> bool:
        """Before the newest change of another file: it was on the way, not looked up for this."""
        return path in self._read_before

    def others(self, path: str) -> list[str]:
        """The files of the work but for this one, the newest first."""
        return [one for one in self.wrote if one != path] if path in self.wrote else self._files

    @cached_property
    def _files(self) -> list[str]:
        return list(self.wrote)

    @cached_property
    def _folders(self) -> frozenset[str]:
        return frozenset(map(folder_of, self.wrote))

    def other_folders(self, path: str) -> Collection[str]:
        """Where the files of the work lie, but for this one."""
        return set(map(folder_of, self.others(path))) if path in self.wrote else self._folders

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
        return max((_shared_way(here, one) for one in self.other_folders(path)), default=0.0)

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
        return any(name in names for names in _but_for(path, self.wrote))

    def shared(self, names: Names, path: str) -> SharedNames:
        """Which of the names other texts have, and how rare that makes them."""
        written = Counter(chain.from_iterable(map(names.intersection, _but_for(path, self.wrote))))
        others = chain(_but_for(path, self.read), self.shown)
        seen = written + Counter(chain.from_iterable(map(names.intersection, others)))
        return SharedNames(seen, frozenset(written), max(2, len(self.wrote) + len(self.read) + len(self.shown)))

    def added_elsewhere(self, names: Names, path: str) -> Names:
        """Which of the names edits of other files bring in."""
        return NOTHING.union(*map(names.intersection, _but_for(path, self.added)))


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
        """The names that occur in at least one of the texts."""
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


def _but_for(path: str, texts: Mapping[str, Names]) -> Iterable[Names]:
    return texts.values() if path not in texts else [names for one, names in texts.items() if one != path]


@lru_cache(maxsize=256)
def _fading(amount: int) -> tuple[float, ...]:
    return tuple(_FADE**at for at in range(amount))


@lru_cache(maxsize=4_096)
def folder_of(path: str) -> str:
    return path.rpartition("/")[0]


@lru_cache(maxsize=4_096)
def _shared_way(one: str, other: str) -> float:
    """The part of their way that two folders have in common."""
    mine, its = (folder.split("/") if folder else [] for folder in (one, other))
    shared = next((at for at, (a, b) in enumerate(zip(mine, its, strict=False)) if a != b), min(len(mine), len(its)))
    return (shared + 1) / (max(len(mine), len(its)) + 1)
