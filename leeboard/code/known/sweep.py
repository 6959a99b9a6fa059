"""Which files a shell line would write over or remove without naming them: the whole tree, a folder, a pattern."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from leeboard.code._shell_git import subcommand
from leeboard.code._shell_options import parse
from leeboard.model.glob import matches
from leeboard.model.touch import ShellEffects, Started
from leeboard.model.workspace import Workspace

_UNKNOWN = "\0"
_KEEPING = frozenset({"apply", "branch", "clear", "create", "drop", "list", "pop", "show", "store"})
"""What `git stash` does beside taking changes away."""


class Sweep(msgspec.Struct, frozen=True, kw_only=True):
    words: str
    """The program, for people."""
    globs: tuple[str, ...]
    """Relative to the work tree."""
    is_refused: bool
    """It takes back what git has not got; others may leave such files alone, or were meant to remove them."""

    def reaches(self, path: str) -> bool:
        return matches(path, self.globs)


def sweeps_of(effects: ShellEffects, workspace: Workspace) -> Iterator[Sweep]:
    for one in effects.started:
        name = one.words[0].rpartition("/")[2] if one.words else ""
        if one.folder is None or name not in {"git", "rm"}:
            continue
        yield from _git(one, workspace) if name == "git" else _rm(one, workspace)


def _rm(one: Started, workspace: Workspace) -> Iterator[Sweep]:
    parsed = parse(list(one.words[1:]))
    deep = parsed.has("-r", "-R", "--recursive")
    globs = [_glob(word.replace(_UNKNOWN, "*"), one.folder or "", workspace) for word in parsed.operands]
    globs += [f"{glob}/**" for glob in globs if deep and glob != "**"]
    if globs:
        yield Sweep(words="rm", globs=tuple(globs), is_refused=False)


def _git(one: Started, workspace: Workspace) -> Iterator[Sweep]:
    name, args, before = subcommand(list(one.words[1:]))
    folder = one.folder or ""
    for word in before.values("-C"):
        folder = word if word.startswith("/") else f"{folder}/{word}"
    places = _GIT[name](args) if name in _GIT and not before.has("--git-dir", "--work-tree") else []
    globs = [glob for word in places for glob in _pathspec(word, folder, workspace)]
    if globs:
        yield Sweep(words=f"git {name}", globs=tuple(globs), is_refused=name != "clean")


def _checkout(args: list[str]) -> list[str]:
    """Without a path it keeps what is not committed, unless it is forced."""
    at = args.index("--") if "--" in args else None
    parsed = parse(args[:at], "-b -B --orphan --conflict --pathspec-from-file")
    if at is not None and args[at + 1 :]:
        return args[at + 1 :]
    if parsed.has("-f", "--force"):
        return [":/"]
    return [] if parsed.has("-b", "-B", "--orphan") else [word for word in parsed.operands if _is_wide(word)]


def _restore(args: list[str]) -> list[str]:
    parsed = parse(args, "-s --source --conflict --pathspec-from-file")
    only_index = parsed.has("-S", "--staged") and not parsed.has("-W", "--worktree")
    return [] if only_index else parsed.operands


def _reset(args: list[str]) -> list[str]:
    return [":/"] if parse(args).has("--hard") else []


def _stash(args: list[str]) -> list[str]:
    action = args[0] if args and not args[0].startswith("-") else "push"
    if action in _KEEPING or action not in {"push", "save"}:
        return []
    rest = args[1:] if args[:1] == [action] else args
    named = parse(rest, "-m --message --pathspec-from-file").operands if action == "push" else []
    return named or [":/"]


def _clean(args: list[str]) -> list[str]:
    parsed = parse(args, "-e --exclude")
    if parsed.has("-n", "--dry-run") or not parsed.has("-f", "--force"):
        return []
    return parsed.operands or ["."]


_GIT = {"checkout": _checkout, "restore": _restore, "reset": _reset, "stash": _stash, "clean": _clean}


def _is_wide(word: str) -> bool:
    return word in {".", "./", "..", ":/"} or any(sign in word for sign in "*?[\0")


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
