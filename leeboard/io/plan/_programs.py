"""Which program a command needs that is not there: known before it runs where that is plain, else from how it ended."""

from __future__ import annotations

import shlex
import shutil
from posixpath import exists, isabs

from leeboard.model.pattern import lazy

NOT_FOUND = 127
_ASSIGNMENT = lazy(r"[A-Za-z_][A-Za-z0-9_]*=.*")
_PLAIN = lazy(r"[A-Za-z0-9_./+-]+")
_ABSENT_WORD = lazy(r"^.{0,200}?([A-Za-z0-9_./+-]{1,100}): (?:command )?not found$")
_ABSENT_MODULE = lazy(r"No module named '?([A-Za-z0-9_.-]{1,100})'?$")
_OF_THE_SHELL = frozenset(
    "! . : [ [[ { } ( alias break case cd command continue do done echo elif else esac eval exec exit export false fi"
    " for function getopts hash if in local printf pwd read readonly return set shift source test then time"
    " times trap true type ulimit umask unset until wait while".split()
)
_STEPS = frozenset({"&&", ";", "|", "||", "&"})


def missing_program(command: str, path: str) -> str:
    """The first program of the command that nobody can find; empty where all are there, or nobody can tell.

    Only commands that run whatever happens are looked at: what stands behind `||` is there for the case.
    """
    try:
        lexer = shlex.shlex(command, posix=True, punctuation_chars=True)
        lexer.whitespace_split = True
        words = list(lexer)
    except ValueError:
        return ""
    if "||" in words or any(word in _OF_THE_SHELL for word in words[:1]):
        return ""
    firsts, at_start = [], True
    for word in words:
        if at_start and not _ASSIGNMENT.fullmatch(word):
            firsts.append(word)
            at_start = False
        at_start = at_start or word in _STEPS
        if word == "cd":
            break  # what follows is looked for in another folder
    return next((word for word in firsts if not _is_there(word, path)), "")


def missing_after(command: str, code: int | None, tail: str) -> str:
    """What a command that has failed says it could not find; empty where it failed of itself."""
    last = tail.rstrip().rpartition("\n")[2]
    if code == NOT_FOUND and (found := _ABSENT_WORD.search(last)) and "/" not in found[1]:
        return found[1]
    module = _ABSENT_MODULE.search(last)
    return module[1] if module and code and f"-m {module[1]}" in command else ""


def _is_there(word: str, path: str) -> bool:
    if word in _OF_THE_SHELL or not _PLAIN.fullmatch(word):
        return True
    if "/" in word:
        return not isabs(word) or exists(word)  # what belongs to the work and is not there has failed
    return shutil.which(word, path=path) is not None
