"""Leeboard's own commands in a shell line, however they are spelled: which of them loosen the guard.

The line is read as a shell reads it, so that wrappers, `bash -c`, `python -m`, functions and variables are seen
through. What an interpreter of another language is handed is searched for the words of the command.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from leeboard.code._shell_expansion import UNKNOWN
from leeboard.model.pattern import lazy
from leeboard.model.touch import ShellEffects, Started

_ALWAYS = frozenset({"allow", "init", "purge", "uninstall"})
_PAIRS = frozenset(
    {
        *(("scope", "widen"), ("scope", "narrow"), ("scope", "reset")),
        *(("contract", "end"), ("drift", "accept"), ("flow", "say")),
    },
)
_TRIPLES = frozenset({("flow", "feedback", "close"), ("flow", "feedback", "reject")})
_WITH_OPTION = {
    ("doctor",): frozenset({"--fix"}),
    ("flow", "repair"): frozenset({"--apply"}),
    ("flow", "baseline-reset"): frozenset({"--accept"}),
    ("flow", "review"): frozenset({"--approve", "--request-changes", "--external"}),
}
_ITSELF = lazy(r"(?:.*/)?leeboard(?:\.exe)?|leeboard(?:\.[\w.]+)?|(?:.*/)?leeboard/__main__\.py")
_IN_TEXT = lazy(
    r"(?:^|[\s/;&|(`])leeboard(?:\s+--?[\w-]+(?:=\S+)?)*\s+"
    r"(?:allow|uninstall|init|purge|scope\s+(?:widen|narrow|reset)|contract\s+end|drift\s+accept"
    r"|flow\s+(?:say|repair\b[^;&|\n]*\s--apply|baseline-reset\b[^;&|\n]*\s--accept|review\b[^;&|\n]*\s--(?:approve|request-changes|external)"
    r"|feedback\s+(?:close|reject))|doctor\b[^;&|\n]*\s--fix)\b"
)
_AS_ARGUMENTS = lazy(r"[\"'`,\[\]()]+")
_FEEDS = frozenset({"cat", "echo", "printf", "tee"})
_SHELLS = frozenset({"ash", "bash", "dash", "ksh", "sh", "zsh"})
_SOURCES = frozenset({".", "source"})


def loosening(line: ShellEffects) -> str:
    """The first command of the line that loosens the guard, in its plain spelling; empty: none does."""
    return next(_found(line), "")


def _found(line: ShellEffects) -> Iterator[str]:
    for each in line.started:
        if each.role != "known":
            yield from _in_words(each)
        if each.role == "runner":
            yield from _in_text(" ".join((*each.words[1:], each.handed)))
    if _runs_what_it_writes(line):
        for each in line.started:
            if each.words[0] in _FEEDS:
                yield from _in_text(" ".join((*each.words[1:], each.handed)))


def _in_words(started: Started) -> Iterator[str]:
    """As the program itself, or as what another one is told to start."""
    words = started.words
    for at, word in enumerate(words):
        if _ITSELF.fullmatch(word):
            yield from _loosens(words[at + 1 :])
    if started.role == "unknown" and words[1:2] == ("flow",):  # by another name: nobody else has this command
        yield from _loosens(words[1:])


def _loosens(arguments: tuple[str, ...]) -> Iterator[str]:
    plain = tuple(word for word in arguments if not word.startswith("-"))
    options = {word.partition("=")[0] for word in arguments if word.startswith("-")}
    if plain[:1] and plain[0] in _ALWAYS:
        yield f"leeboard {plain[0]}"
    for length, commands in ((2, _PAIRS), (3, _TRIPLES)):
        if plain[:length] in commands:
            yield f"leeboard {' '.join(plain[:length])}"
    for command, loosening_options in _WITH_OPTION.items():
        if plain[: len(command)] == command and (named := sorted(options & loosening_options)):
            yield f"leeboard {' '.join(command)} {named[0]}"


def _in_text(text: str) -> Iterator[str]:
    """Both as a line of a shell and as a list of arguments in some language."""
    for spelled in (text, _AS_ARGUMENTS.sub(" ", text)):
        if found := _IN_TEXT.search(spelled):
            yield " ".join(found[0].split()).lstrip("/;&|(` ")


def _runs_what_it_writes(line: ShellEffects) -> bool:
    """A shell that reads what comes before it, or a file that the line itself has written."""
    written = {posixpath.basename(touch.path) for touch in line.touches if touch.kind == "write"}
    for each in line.started:
        program = posixpath.basename(each.words[0])
        operands = [word for word in each.words[1:] if not word.startswith("-")]
        if program in _SHELLS and not operands and not each.handed and UNKNOWN not in program:
            return True
        run = operands[:1] if program in _SHELLS | _SOURCES else [each.words[0]]
        if any(posixpath.basename(word) in written for word in run):
            return True
    return False
