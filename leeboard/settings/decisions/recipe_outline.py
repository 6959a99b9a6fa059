"""The steps of a build file in YAML that name us, read by how far its lines are set in.

To a step belong the keys that it stands below, whether one of them is there twice, the conditions beside each, its job
as far as it says how steps run, the jobs that its job needs, and what may end the same script before it.
"""

from __future__ import annotations

from collections.abc import Iterator

from leeboard.model.text import digest, lazy
from leeboard.settings.decisions.recipe_script import controls, plain, table

_OURS = "leeboard"
_SWITCH = "LEEBOARD_"
_KEY = lazy(r"(?:- )?[\"']?([\w.$/-]{1,100}|<<)[\"']?\s*:(?:\s|$)")
_NAME = lazy(r"[\w.-]{1,100}")
_MOST_NEEDED = 50


def steps_in(text: str) -> Iterator[str]:
    """A line that names us, or the entry of a list it belongs to: the options of an action stand on lines below it."""
    outline = Outline(text.split("\n"))
    done = 0
    for at, line in enumerate(outline.words):
        if at < done or _OURS not in line:
            continue
        first = outline.entry_of(at)
        is_entry = outline.words[first].startswith("- ")
        done = outline.end_of(first) if is_entry else at + 1
        words = filter(None, outline.words[first:done])
        yield f"{' '.join(words)} {outline.frame(first)}"


class Outline:
    """Which line stands below which."""

    def __init__(self, lines: list[str]) -> None:
        self.words = list(map(plain, lines))
        self._parents: dict[int, int] = {}
        self._ends: dict[int, int] = {}
        self._below: dict[int, list[int]] = {}
        self._frames: dict[int, str] = {-1: ""}
        self._jobs: dict[int, str] = {}
        self._by_key: dict[int, dict[str, list[int]]] = {}
        self._scripts: dict[int, str] = {}
        open_lines: list[tuple[int, int]] = []
        for at in filter(self.words.__getitem__, range(len(lines))):
            depth = len(lines[at]) - len(lines[at].lstrip()) + self.words[at].startswith("- ")
            while open_lines and open_lines[-1][1] >= depth:
                self._ends[open_lines.pop()[0]] = at
            self._parents[at] = open_lines[-1][0] if open_lines else -1
            self._below.setdefault(self._parents[at], []).append(at)
            open_lines.append((at, depth))
        switches = sorted(words for words in self.words if _SWITCH in words)
        self._general = (switches, self.words.count("---"), self._conditions(-1))

    def end_of(self, at: int) -> int:
        return self._ends.get(at, len(self.words))

    def entry_of(self, at: int) -> int:
        """Where the entry of a list begins that a line belongs to; the line itself where it is none."""
        above = at
        while above != -1 and not self.words[above].startswith("- "):
            above = self._parents.get(above, -1)
        return at if above == -1 else above

    def frame(self, at: int) -> str:
        """What decides about a step from around it, as a digest."""
        is_key = not self.words[at].startswith("- ") and self._key(at) != ""
        holder = at if is_key else self._parents[at]
        job = self._parents[holder] if holder != -1 else -1
        around = self._chain(self._parents[at])
        script = "" if is_key else self._script(holder)
        return digest(repr((around, self._general, self._job(job), script)), 12)

    def _chain(self, at: int) -> str:
        """Of a line and all that it stands below: its words, whether its key is there twice, the conditions beside."""
        way = []
        while at not in self._frames:
            way.append(at)
            at = self._parents[at]
        for line in reversed(way):
            told = (self._frames[at], self.words[line], self._is_twice(line), self._conditions(line))
            self._frames[line] = digest(repr(told), 12)
            at = line
        return self._frames[at]

    def _key(self, at: int) -> str:
        found = _KEY.match(self.words[at])
        return found[1] if found else ""

    def _is_twice(self, at: int) -> bool:
        key = "" if self.words[at].startswith("- ") else self._key(at)
        return bool(key) and len(self._keyed(self._parents[at])[key]) > 1

    def _keyed(self, at: int) -> dict[str, list[int]]:
        """The lines right below one, by their keys."""
        if at not in self._by_key:
            found: dict[str, list[int]] = {}
            for one in self._below.get(at, ()):
                found.setdefault(self._key(one), []).append(one)
            self._by_key[at] = found
        return self._by_key[at]

    def _span(self, at: int) -> str:
        return " ".join(filter(None, self.words[at : self.end_of(at)]))

    def _conditions(self, at: int, more: frozenset[str] = frozenset()) -> list[str]:
        """Among the lines that stand right below one."""
        wanted = table().conditions | more
        keys = (one for one in self._below.get(at, ()) if not self.words[one].startswith("- "))
        return [self._span(one) for one in keys if self._key(one) in wanted]

    def _job(self, at: int) -> str:
        """All that stands in a job beside its steps, but what says nothing of how they run."""
        if at == -1:
            return ""
        if at not in self._jobs:
            keys = table()
            told: list[object] = []
            for one in self._below.get(at, ()):
                if self._key(one) in keys.steps:
                    told += (self._key(one), self._script(one), self._checkouts(one))
                elif self._key(one) not in keys.harmless:
                    told.append(self._span(one))
            twice = sorted(key for key, lines in self._keyed(at).items() if key and len(lines) > 1)
            told += (twice, self._needed(at))
            self._jobs[at] = digest(repr(told), 12)
        return self._jobs[at]

    def _script(self, at: int) -> str:
        """Lines of a script that may keep those below them from running; an entry with keys is a program by itself."""
        if at not in self._scripts:
            lines = self._keyed(at).get("", [])
            deciding = controls(self.words[one].removeprefix("- ") for one in lines)
            self._scripts[at] = digest(repr(deciding), 12) if deciding else ""
        return self._scripts[at]

    def _checkouts(self, at: int) -> list[str]:
        """Which code the steps beside ours bring."""
        found = [one for one in self._below.get(at, ()) if "checkout" in self._span(one)]
        lines = (line for one in found for line in range(one + 1, self.end_of(one)) if self.words[line])
        return [self._span(line) for line in lines if self._key(line) in table().checkout]

    def _needed(self, at: int) -> list[list[str]]:
        """What decides whether the jobs run that this one needs, and those that they need."""
        jobs = self._keyed(self._parents.get(at, -1))
        found: list[list[str]] = []
        left, seen = [at], {at}
        while left and len(seen) < _MOST_NEEDED:
            job = left.pop()
            spans = [self._span(one) for one in self._below.get(job, ()) if self._key(one) in table().needs]
            named = [jobs[name][-1] for span in spans for name in _NAME.findall(span)[:_MOST_NEEDED] if name in jobs]
            for other in dict.fromkeys(named):
                if other not in seen:
                    found.append(self._conditions(other, table().needs | table().runs_by))
                    seen.add(other)
                    left.append(other)
        return found
