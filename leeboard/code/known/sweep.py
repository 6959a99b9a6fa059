"""Which files a shell line would write over or remove without naming them: the whole tree, a folder, a pattern."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from leeboard.code._shell_git import subcommand
from leeboard.code._shell_options import parse
from leeboard.code.known._sweep_find import deleted_by_find
from leeboard.code.known._sweep_git import swept_by_git
from leeboard.model.glob import matches
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

    def reaches(self, path: str) -> bool:
        return matches(path, self.globs)


def sweeps_of(effects: ShellEffects, command: str, workspace: Workspace) -> Iterator[Sweep]:
    """`effects` are those of the line `command`."""
    has_values = bool(_VALUES.search(_QUOTED.sub("", command)))
    for at, one in enumerate(effects.started):
        name = one.words[0].rpartition("/")[2] if one.words else ""
        if one.folder is None:
            continue
        if name == "git":
            yield from _git(one, effects.started[:at], workspace)
        elif name in _PROGRAMS and not (has_values and name in _BY_PATTERN):
            sweep = _PROGRAMS[name](one, workspace)
            yield from (sweep,) if sweep.globs else ()


def _rm(one: Started, workspace: Workspace) -> Sweep:
    parsed = parse(list(one.words[1:]))
    deep = parsed.has("-r", "-R", "--recursive")
    globs = [_glob(word.replace(_UNKNOWN, "*"), one.folder or "", workspace) for word in parsed.operands]
    globs += [f"{glob}/**" for glob in globs if deep and glob != "**"]
    return Sweep(words="rm", globs=tuple(globs), is_refused=False)


def _find(one: Started, workspace: Workspace) -> Sweep:
    globs = [_glob(word, one.folder or "", workspace) for word in deleted_by_find(one.words[1:])]
    return Sweep(words="find -delete", globs=tuple(globs), is_refused=False)


def _edited(one: Started, workspace: Workspace) -> Sweep:
    """Files that sed or perl rewrite in place; those a line names are told apart already."""
    name, args = one.words[0].rpartition("/")[2], list(one.words[1:])
    parsed = parse(args, _EDITORS[name])
    given = parsed.has("-e", "-E" if name == "perl" else "-f", "--expression", "--file")
    files = parsed.operands if given else parsed.operands[1:]
    in_place = parsed.has("-i", "--in-place")
    globs = [_glob(word, one.folder or "", workspace) for word in _patterns(files) if in_place]
    return Sweep(words=f"{name} -i", globs=tuple(globs), is_refused=True, harm="change it as well")


def _placed(one: Started, workspace: Workspace) -> Sweep:
    """What mv takes away, and what mv or cp put in its place: names nobody knows beforehand, from a pattern."""
    name = one.words[0].rpartition("/")[2]
    parsed = parse(list(one.words[1:]), "-t --target-directory -S --suffix")
    into, sources = parsed.values("-t", "--target-directory"), parsed.operands
    if not into:
        into, sources = sources[-1:], sources[:-1]
    patterns = _patterns(sources)
    reached = [f"{into[0]}/{word.rpartition('/')[2]}" for word in patterns if not parsed.has("-n", "--no-clobber")]
    folder = one.folder or ""
    globs = [_glob(word, folder, workspace) for word in (*(patterns if name == "mv" else ()), *reached)]
    globs += [f"{glob}/**" for glob in globs[: len(patterns)] if name == "mv"]
    return Sweep(words=name, globs=tuple(globs), is_refused=False, harm="move it away or write over it")


_EDITORS = {"sed": "-e -f -l --expression --file --line-length", "perl": "-e -E -I -M -m -F"}
_BY_PATTERN = frozenset({"cp", "mv", "perl", "sed"})
"""Here patterns alone count: who names a file is asked about that one."""
_PROGRAMS = {"rm": _rm, "find": _find, "sed": _edited, "perl": _edited, "mv": _placed, "cp": _placed}


def _git(one: Started, before_it: tuple[Started, ...], workspace: Workspace) -> Iterator[Sweep]:
    name, args, before = subcommand(list(one.words[1:]))
    folder = one.folder or ""
    for word in before.values("-C"):
        folder = word if word.startswith("/") else f"{folder}/{word}"
    places = swept_by_git(name, args, before_it) if not before.has("--git-dir", "--work-tree") else []
    globs = [glob for word in places for glob in _pathspec(word, folder, workspace)]
    if globs:
        yield Sweep(words=f"git {name}", globs=tuple(globs), is_refused=name not in {"clean", "rm"})


def _pathspec(word: str, folder: str, workspace: Workspace) -> Iterator[str]:
    """A star of git's own goes over folders too."""
    if word == ":/":
        yield "**"
        return
    if word.startswith(":"):
        return
    glob = _glob(word.replace(_UNKNOWN, "*"), folder, workspace)
    yield glob
    above, _, last = glob.rpartition("/")
    if "*" in last and last != "**":
        yield f"{above}/**/{last}" if above else f"**/{last}"


def _glob(word: str, folder: str, workspace: Workspace) -> str:
    """Relative to the work tree; all of it where the word names a folder around it."""
    spelled = workspace.spell(word, folder)
    return "**" if spelled in {"", "."} or f"{workspace.root}/".startswith(f"{spelled.rstrip('/')}/") else spelled


def _patterns(words: list[str]) -> list[str]:
    """Those that the shell puts names in for."""
    return [_ONE_OF.sub("*", word).replace(_UNKNOWN, "*") for word in words if _UNKNOWN in word]
