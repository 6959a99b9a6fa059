"""Files that a shell line must not change, and what may be asked of the work tree around them."""

from __future__ import annotations

import posixpath
import re

import msgspec

from leeboard.model.lookup import Files
from leeboard.model.text import lazy
from leeboard.model.touch import Started
from leeboard.model.workspace import placed
from leeboard.shell.effects import shell_effects
from leeboard.shell.expansion import UNKNOWN
from leeboard.shell.options import Parsed, parse


class Standing(msgspec.Struct, frozen=True):
    """`files` are whole paths, or `~/...`; they are there, as far as anybody can tell. So are folders among them."""

    root: str
    files: tuple[str, ...]
    disk: Files

    def inner(self, path: str) -> str:
        """Relative to the work tree; empty where it lies outside."""
        inside = path.removeprefix(f"{self.root.rstrip('/')}/")
        return inside if inside != path else ""

    def is_there(self, path: str) -> bool | None:
        """None where nobody knows."""
        inner = self.inner(path)
        return self.disk.exists(inner) if inner else self.disk.lies_at(path)

    def text(self, path: str) -> str | None:
        inner = self.inner(path)
        return self.disk.text(inner) if inner else None

    def is_ignored(self, path: str) -> bool:
        """Taken for so where git can not be asked."""
        inner = self.inner(path)
        return bool(inner) and self.disk.ignored(inner) is not False

    def below(self, folder: str) -> tuple[str, ...]:
        """Those files that are the folder, or lie in it."""
        return tuple(file for file in self.files if f"{file}/".startswith(f"{folder.rstrip('/')}/"))


# Links that a shell line sets anew: `ln -sfn TARGET LINK`, and `rm LINK && ln -s TARGET LINK`.
#
# Who does so leaves alone what the link led to before. That is told only where the line does nothing else with the
# link: whatever goes through it, or may go through it, is followed as ever.


_VALUED = "-S --suffix -t --target-directory"
_ON_THE_LINK = ("-n", "--no-dereference", "-T", "--no-target-directory")
_MAY_MEAN_IT = lazy(r"[*?\[$`{]|\bxargs\b|\bfind\b")
"""By these a line may come to the link without its name."""
_REMOVERS = frozenset({"rm", "unlink"})


def replaced_links(command: str, cwd: str) -> frozenset[str]:
    """Their whole paths."""
    line = shell_effects(command, cwd)
    if _MAY_MEAN_IT.search(command):
        return frozenset()
    found = ((each, parse(list(each.words[1:]), _VALUED)) for each in line.started if _program(each) == "ln")
    replaced = {
        placed(each.folder, parsed.operands[1])
        for each, parsed in found
        if each.folder is not None and _is_alone(each, parsed, line.started, command) and _is_anew(parsed, command)
    }
    touched = [placed(cwd, touch.path) for touch in line.touches]
    return frozenset(link for link in replaced if not any(path.startswith(f"{link}/") for path in touched))


def _program(started: Started) -> str:
    return posixpath.basename(started.words[0])


def _is_alone(made: Started, parsed: Parsed, started: tuple[Started, ...], command: str) -> bool:
    """Whether nothing of the line speaks of the link but its making, and its removal by its very name."""
    if len(parsed.operands) != 2 or parsed.has("-t", "--target-directory") or UNKNOWN in "".join(parsed.operands):
        return False
    target, link = parsed.operands
    if not link or link.endswith("/") or posixpath.basename(link) in {".", ".."}:
        return False
    name = posixpath.basename(link)
    removals = [each for each in started if each.folder == made.folder and _removes(each, link)]
    spoken = sum(word.count(name) for each in (made, *removals) for word in each.words)
    return spoken == command.count(name) and target != link


def _removes(started: Started, link: str) -> bool:
    operands = parse(list(started.words[1:])).operands
    named = [word for word in operands if posixpath.basename(link) in word]
    return _program(started) in _REMOVERS and bool(named) and all(word == link for word in named)


def _is_anew(parsed: Parsed, command: str) -> bool:
    """Without such an option `ln` puts the new link into the folder that the old one leads to, if it is still there."""
    if parsed.has(*_ON_THE_LINK):
        return True
    link = re.escape(parsed.operands[1])
    removed = (
        rf"(?:^|[;&\n])\s{{0,9}}(?:rm|unlink)(?:\s{{1,9}}-\w{{1,9}}){{0,4}}\s{{1,9}}{link}\s{{0,9}}&&\s{{0,9}}ln\s"
    )
    return "||" not in command and bool(re.search(removed, command))
