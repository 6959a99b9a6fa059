"""Tells programs that only list names from those that look into files or do more."""

from __future__ import annotations

from leeboard.code import _shell_find as find
from leeboard.code import _shell_git as git
from leeboard.code._shell_scope import Role
from leeboard.code._shell_table import PROGRAMS

_LISTS = frozenset({"dir", "exa", "eza", "ls", "lsd", "tree", "vdir"})
_FILTERS = frozenset(
    {"cat", "column", "cut", "egrep", "fgrep", "grep", "head", "less", "more", "nl", "sort", "tail", "tr", "uniq", "wc"}
)
_NEUTRAL = frozenset({*": [ cd echo exit export false popd printf pushd pwd set test true".split(), *PROGRAMS.wrappers})
_GIT_NAMES = frozenset({"--name-only", "--name-status", "--stat", "--numstat", "--shortstat", "--dirstat"})


def role_of(program: str, args: list[str]) -> Role:
    if program in _LISTS:
        return "lists"
    if program in _FILTERS:
        return "filters"
    if program in _NEUTRAL:
        return "neutral"
    if program == "git":
        return "lists" if _git_lists(args) else "other"
    if program in {"fd", "fdfind", "find"}:
        return "neutral" if find.acts(program, args) else "lists"
    return "lists" if program == "rg" and "--files" in args else "other"


def _git_lists(args: list[str]) -> bool:
    name, rest, _ = git.subcommand(args)
    if name in {"ls-files", "ls-tree"}:
        return True
    if name == "status":
        return "-v" not in rest and "--verbose" not in rest
    return name == "diff" and any(word.partition("=")[0] in _GIT_NAMES for word in rest)
