"""Which files a shell line names by patterns, where that can be told for sure: it is read as the shell will read it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase

import msgspec

from leeboard.code._shell_options import Parsed
from leeboard.model.known import Disk
from leeboard.model.pattern import lazy
from leeboard.model.workspace import Workspace

_SIGN = lazy(r"[*?\[]")
_WORD = lazy(r"[^\s;&|()<>'\"]+")
_UNSURE = lazy(r"[$`{\\]|\[[\^\[]|\bxargs\b|\s-exec")
"""What puts words into a line that do not stand in it, and what shells do not agree about."""
_MAY_KEEP = ("-b", "--backup", "-i", "--interactive", "-n", "--no-clobber", "-T", "-u", "--update")

Patterns = Mapping[str, str]
"""As a line has them, by what is left of them where nobody knows what they stand for."""


class Expansion(msgspec.Struct, frozen=True, kw_only=True):
    pattern: str
    """Relative to the work tree."""
    source: str = ""
    """The folder that files with the same names are put in their place from; empty: none are."""
    crosses: bool = False
    """A star goes over folders too, as in git's own patterns."""

    def names(self, path: str, disk: Disk) -> bool:
        """Whether a file that is there is among those that are meant."""
        if self.crosses:
            return fnmatchcase(path, self.pattern)
        parts, names = self.pattern.split("/"), path.split("/")
        if len(parts) != len(names) or not all(map(_fits, names, parts)):
            return False
        return not self.source or bool(disk.look(f"{self.source}/{names[-1]}"))


def patterns_in(command: str) -> Patterns:
    """None where something else may put names into the line."""
    found: dict[str, str] = {}
    for word in _WORD.findall(command) if not _UNSURE.search(command) else ():
        if _SIGN.search(word) and not word.endswith(("/", "/.", "/..")):  # what ends so stands for folders alone
            shape = _SIGN.sub("\0", word)
            found[shape] = word if found.get(shape, word) == word else ""
    return found


def taken(words: list[str], folder: str, patterns: Patterns, workspace: Workspace) -> Iterator[Expansion]:
    """What `rm` and `mv` take away where it is."""
    for word in words:
        if written := patterns.get(word, ""):
            yield Expansion(pattern=workspace.spell(written, folder))


def taken_by_git(words: list[str], folder: str, patterns: Patterns, workspace: Workspace) -> Iterator[Expansion]:
    """The shell's patterns, and those in quotes that git reads itself."""
    yield from taken(words, folder, patterns, workspace)
    for word in words:
        if _SIGN.search(word) and "\0" not in word and not word.startswith(":"):
            yield Expansion(pattern=workspace.spell(word, folder), crosses=True)


def placed(
    parsed: Parsed, sources: list[str], place: tuple[str, str], patterns: Patterns, workspace: Workspace
) -> Iterator[Expansion]:
    """What `mv` and `cp` put into a folder, over what has the same name there; `place`: it, and where they start."""
    into, folder = place
    if "\0" in into or parsed.has(*_MAY_KEEP, "--no-target-directory"):
        return
    for word in sources:
        above, _, last = patterns.get(word, "").rpartition("/")
        source, target = workspace.spell(above or ".", folder), workspace.spell(into, folder)
        if last and not _SIGN.search(above) and source != target:
            yield Expansion(pattern=workspace.spell(f"{into}/{last}", folder), source=source)


def _fits(name: str, part: str) -> bool:
    """No pattern of the shell stands for a name with a dot in front."""
    return name == part or (fnmatchcase(name, part) and name.startswith(".") == part.startswith("."))
