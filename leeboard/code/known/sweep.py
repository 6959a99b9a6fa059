"""Which files a shell line would write over or remove without naming them: the whole tree, a folder, a pattern."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from leeboard.code._shell_git import subcommand
from leeboard.code._shell_options import parse
from leeboard.code.known._sweep_find import deleted_by_find
from leeboard.code.known._sweep_git import swept_by_git
from leeboard.code.known.expansion import Expansion, Patterns, patterns_in, placed, taken, taken_by_git
from leeboard.model.glob import matches
from leeboard.model.known import Disk
from leeboard.model.pattern import lazy
from leeboard.model.touch import ShellEffects, Started
from leeboard.model.workspace import Workspace

_UNKNOWN = "\0"
_ONE_OF = lazy(r"\x00[^\]/\x00]{0,60}\]")
"""What is left of `[a-c]` in a word."""
_QUOTED = lazy(r"'[^']*'")
_VALUES = lazy(r"[$`]|\bxargs\b|\s-exec")
"""What puts words into a line that nobody knows: then they can not be told from patterns of the shell."""


class Sweep(msgspec.Struct, frozen=True, kw_only=True):
    words: str
    """The program, for people."""
    globs: tuple[str, ...]
    """Relative to the work tree."""
    is_refused: bool
    """It takes back what git has not got, or changes it; others may leave such files alone, or were meant to remove
    them."""
    harm: str = "throw that away"
    expansions: tuple[Expansion, ...] = ()
    """Which of them the line names for sure."""

    def reaches(self, path: str) -> bool:
        return matches(path, self.globs)

    def names(self, path: str, disk: Disk) -> bool:
        """Who names a file that is there by a pattern does to it what they would by its name."""
        return any(one.names(path, disk) for one in self.expansions)


def sweeps_of(effects: ShellEffects, command: str, workspace: Workspace) -> Iterator[Sweep]:
    """`effects` are those of the line `command`."""
    has_values = bool(_VALUES.search(_QUOTED.sub("", command)))
    patterns = patterns_in(command)
    for at, one in enumerate(effects.started):
        name = one.words[0].rpartition("/")[2] if one.words else ""
        if one.folder is None:
            continue
        if name == "git":
            yield from _git(one, effects.started[:at], patterns, workspace)
        elif name in _PROGRAMS and not (has_values and name in _BY_PATTERN):
            sweep = _PROGRAMS[name](one, patterns, workspace)
            yield from (sweep,) if sweep.globs else ()


def _rm(one: Started, patterns: Patterns, workspace: Workspace) -> Sweep:
    parsed, folder = parse(list(one.words[1:])), one.folder or ""
    deep = parsed.has("-r", "-R", "--recursive")
    globs = [_glob(_ONE_OF.sub("*", word).replace(_UNKNOWN, "*"), folder, workspace) for word in parsed.operands]
    globs += [f"{glob}/**" for glob in globs if deep and glob != "**"]
    named = tuple(taken(parsed.operands, folder, patterns, workspace))
    return Sweep(words="rm", globs=tuple(globs), is_refused=False, expansions=named)


def _find(one: Started, _patterns: Patterns, workspace: Workspace) -> Sweep:
    globs = [_glob(word, one.folder or "", workspace) for word in deleted_by_find(one.words[1:])]
    return Sweep(words="find -delete", globs=tuple(globs), is_refused=False)


def _edited(one: Started, _patterns: Patterns, workspace: Workspace) -> Sweep:
    """Files that sed or perl rewrite in place; those a line names are told apart already."""
    name, args = one.words[0].rpartition("/")[2], list(one.words[1:])
    parsed = parse(args, _EDITORS[name])
    given = parsed.has("-e", "-E" if name == "perl" else "-f", "--expression", "--file")
    files = parsed.operands if given else parsed.operands[1:]
    in_place = parsed.has("-i", "--in-place")
    globs = [_glob(word, one.folder or "", workspace) for word in _as_globs(files) if in_place]
    return Sweep(words=f"{name} -i", globs=tuple(globs), is_refused=True, harm="change it as well")


def _placed(one: Started, patterns: Patterns, workspace: Workspace) -> Sweep:
    """What mv takes away, and what mv or cp put in its place: names nobody knows beforehand, from a pattern."""
    name, folder = one.words[0].rpartition("/")[2], one.folder or ""
    parsed = parse(list(one.words[1:]), "-t --target-directory -S --suffix")
    into, sources = parsed.values("-t", "--target-directory"), parsed.operands
    if not into:
        into, sources = sources[-1:], sources[:-1]
    given = _as_globs(sources)
    reached = [f"{into[0]}/{word.rpartition('/')[2]}" for word in given if not parsed.has("-n", "--no-clobber")]
    globs = [_glob(word, folder, workspace) for word in (*(given if name == "mv" else ()), *reached)]
    globs += [f"{glob}/**" for glob in globs[: len(given)] if name == "mv"]
    named = list(placed(parsed, sources, (into[0], folder), patterns, workspace)) if given else []
    named += taken(sources, folder, patterns, workspace) if name == "mv" and not parsed.has("-n", "-i") else ()
    harm = "move it away or write over it"
    return Sweep(words=name, globs=tuple(globs), is_refused=False, harm=harm, expansions=tuple(named))


_EDITORS = {"sed": "-e -f -l --expression --file --line-length", "perl": "-e -E -I -M -m -F"}
_BY_PATTERN = frozenset({"cp", "mv", "perl", "sed"})
"""Here patterns alone count: who names a file is asked about that one."""
_PROGRAMS = {"rm": _rm, "find": _find, "sed": _edited, "perl": _edited, "mv": _placed, "cp": _placed}


def _git(one: Started, before_it: tuple[Started, ...], patterns: Patterns, workspace: Workspace) -> Iterator[Sweep]:
    name, args, before = subcommand(list(one.words[1:]))
    folder = one.folder or ""
    for word in before.values("-C"):
        folder = word if word.startswith("/") else f"{folder}/{word}"
    places = swept_by_git(name, args, before_it) if not before.has("--git-dir", "--work-tree") else []
    globs = [glob for word in places for glob in _pathspec(word, folder, workspace)]
    named = tuple(taken_by_git(places, folder, patterns, workspace)) if name == "rm" else ()
    if globs:
        yield Sweep(words=f"git {name}", globs=tuple(globs), is_refused=name not in {"clean", "rm"}, expansions=named)


def _pathspec(word: str, folder: str, workspace: Workspace) -> Iterator[str]:
    """A star of git's own goes over folders too."""
    if word == ":/":
        yield "**"
        return
    if word.startswith(":"):
        return
    glob = _glob(_ONE_OF.sub("*", word).replace(_UNKNOWN, "*"), folder, workspace)
    yield glob
    above, _, last = glob.rpartition("/")
    if "*" in last and last != "**":
        yield f"{above}/**/{last}" if above else f"**/{last}"


def _glob(word: str, folder: str, workspace: Workspace) -> str:
    """Relative to the work tree; all of it where the word names a folder around it."""
    spelled = workspace.spell(word, folder)
    return "**" if spelled in {"", "."} or f"{workspace.root}/".startswith(f"{spelled.rstrip('/')}/") else spelled


def _as_globs(words: list[str]) -> list[str]:
    """Those that the shell puts names in for."""
    return [_ONE_OF.sub("*", word).replace(_UNKNOWN, "*") for word in words if _UNKNOWN in word]
