"""What a git command of a line means in its repository: the aliases of the user, and where a push goes that names no
branch.
"""

from __future__ import annotations

import posixpath
import shlex
from collections.abc import Iterator

from msgspec.structs import replace

from leeboard.model.touch import ShellEffects, Started
from leeboard.model.unsaved import Refs, Unsaved
from leeboard.shell.effects import shell_effects
from leeboard.shell.options import parse
from leeboard.shell.programs.git import is_own_name, subcommand

_HEADS, _REMOTES = "refs/heads/", "refs/remotes/"
_PUSH_VALUES = "-o --push-option --repo --receive-pack --exec"
_ALL = ("--all", "--branches", "--mirror")
_CURRENT = frozenset({"HEAD", "@"})


def may_be_alias(programs: tuple[str, ...]) -> bool:
    """Whether one of them is a git command that git itself does not have."""
    return any(name.startswith("git ") and not is_own_name(name[4:]) for name in programs)


def unaliased(line: ShellEffects, cwd: str, unsaved: Unsaved) -> ShellEffects:
    """The line with the aliases of the user's own configuration spelled out."""
    started = [meant for each in line.started for meant in _meant(each, cwd, unsaved)]
    return replace(line, started=tuple(started))


def _meant(started: Started, cwd: str, unsaved: Unsaved) -> Iterator[Started]:
    yield started
    if posixpath.basename(started.words[0]) != "git":
        return
    name, args, before = subcommand(list(started.words[1:]))
    if not name or is_own_name(name):
        return
    folder = posixpath.join(cwd, started.folder or "", *before.values("-C"))
    meaning = unsaved.settings(folder).get(f"alias.{name.lower()}", "").strip()
    if meaning.startswith("!"):
        yield from shell_effects(f"{meaning[1:]} {shlex.join(args)}", folder).started
        return
    try:
        words = shlex.split(meaning)
    except ValueError:
        return
    if words:
        own = list(started.words[1 : len(started.words) - len(args) - 1])
        yield replace(started, words=("git", *own, *words, *args))


def pushed_branches(line: ShellEffects, cwd: str, unsaved: Unsaved) -> Iterator[str]:
    """The branches of a remote that a line pushes to without naming them."""
    for each in line.started:
        if posixpath.basename(each.words[0]) != "git":
            continue
        name, args, before = subcommand(list(each.words[1:]))
        if name != "push" or each.folder is None:
            continue
        refs = unsaved.refs(posixpath.join(cwd, each.folder, *before.values("-C")))
        if refs is not None:
            yield from _targets(args, refs)


def _targets(args: list[str], refs: Refs) -> Iterator[str]:
    parsed = parse(args, _PUSH_VALUES)
    if parsed.has("-n", "--dry-run", "-d", "--delete"):
        return
    if parsed.has(*_ALL):
        yield from (name.removeprefix(_HEADS) for name in refs.tips if name.startswith(_HEADS))
        return
    named = parsed.operands[1:]
    own = refs.head.removeprefix(_HEADS)
    if not named and not parsed.has("--tags"):
        followed = refs.upstream.get(refs.head, "").removeprefix(_REMOTES).partition("/")[2]
        yield from dict.fromkeys(branch for branch in (own, followed) if branch)
    for word in named:
        source, colon, _target = word.removeprefix("+").partition(":")
        if not colon and source in _CURRENT and own:
            yield own
