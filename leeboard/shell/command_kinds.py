"""Which command a started program is, as people speak of commands: `git push main`, or a kind such as the migrations.

`shell.understand` has seen through wrappers, shells and package runners before: what is compared here is the program
that really runs, with its own words.
"""

from __future__ import annotations

from fnmatch import fnmatchcase
from functools import lru_cache

import msgspec

from leeboard.data import load
from leeboard.model.touch import Started


class _Added(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    verbs: frozenset[str]
    listed: frozenset[str]
    valued: frozenset[str]


class _Programs(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    interpreters: frozenset[str]
    harmless: frozenset[str]


class _Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    kinds: dict[str, tuple[str, ...]]
    added: _Added
    programs: _Programs


_TABLE = load("shell/command_kinds", _Table)
ANY_COMMAND = "any-command"
NETWORK = "network"
_ADD_DEPENDENCY = "add-dependency"
_GIT_BRANCH = ("git", "branch")
_GIT_VALUED = frozenset({"-C", "-c", "--git-dir", "--work-tree", "--namespace", "--exec-path"})


def is_command(started: Started, named: str) -> bool:
    """Whether the program is what a limit names: a kind of command, or the first words of one."""
    if named == ANY_COMMAND:
        return True
    words = _plain(started.words)
    if not words or _TABLE.programs.harmless & set(words):
        return False
    if named == _ADD_DEPENDENCY and not _brings_in(words):
        return False
    if named == "new-branch" and words[:2] == _GIT_BRANCH:
        return len(words) > 2 and not any(word.startswith("-") for word in words[2:])
    if named == "switch-branch" and ("--" in words or _is_of_files(words)):
        return False
    readings = (words, words[1:]) if words[0] in _TABLE.programs.interpreters and len(words) > 1 else (words,)
    patterns = _TABLE.kinds.get(named, (named,))
    return any(_fits(_based(reading), pattern) for reading in readings for pattern in patterns)


def _plain(words: tuple[str, ...]) -> tuple[str, ...]:
    """The words with the program's bare name first, and without what stands before the subcommand of git."""
    if not words:
        return ()
    program, rest = words[0].rsplit("/", 1)[-1], list(words[1:])
    while program == "git" and rest and rest[0].startswith("-"):
        del rest[: 2 if rest[0] in _GIT_VALUED else 1]
    return (program, *rest)


def _based(words: tuple[str, ...]) -> tuple[str, ...]:
    return (words[0].rsplit("/", 1)[-1], *words[1:])


def _is_of_files(words: tuple[str, ...]) -> bool:
    """`git checkout HEAD a.py` and `git checkout src/a.py` are about files."""
    operands = [word for word in words[2:] if not word.startswith("-")]
    return words[1:2] == ("checkout",) and (len(operands) > 1 or any("." in word for word in operands))


def _brings_in(words: tuple[str, ...]) -> bool:
    """`npm install left-pad`; not `npm install`, `pip install -r requirements.txt`, `pip install .`."""
    if _TABLE.added.listed & set(words):
        return False
    operands, skip = [], False
    for word in words[1:]:
        if not skip and not word.startswith("-"):
            operands.append(word)
        skip = word in _TABLE.added.valued
    named = [word for word in operands if word not in _TABLE.added.verbs]
    return any(not word.startswith((".", "/", "~")) for word in named)


@lru_cache(maxsize=512)
def _tokens(pattern: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    words = tuple(pattern.split())
    return tuple(word for word in words if not word.startswith("-")), tuple(w for w in words if w.startswith("-"))


def _fits(words: tuple[str, ...], pattern: str) -> bool:
    plain, options = _tokens(pattern)
    operands = [word for word in words if not word.startswith("-")]
    if not plain or len(operands) < len(plain) or not all(_has_option(words, option) for option in options):
        return False
    if not all(_is_word(word, token) for word, token in zip(operands[:2], plain[:2], strict=False)):
        return False
    left = iter(operands[2:])
    return all(any(_is_word(word, token) for word in left) for token in plain[2:])


def _is_word(word: str, wanted: str) -> bool:
    """A branch is named by itself, or at the end of a refspec."""
    return fnmatchcase(word, wanted) or word.endswith(f":{wanted}") or (word == f"+{wanted}" and wanted != "*")


def _has_option(words: tuple[str, ...], option: str) -> bool:
    if option.startswith("--"):
        return any(word == option or word.startswith(f"{option}=") for word in words)
    letters = {letter for word in words if word.startswith("-") and not word.startswith("--") for letter in word[1:]}
    return set(option[1:]) <= letters or option in words
