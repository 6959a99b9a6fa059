"""Limits that a project has written down for every agent, in `AGENTS.md` and its like.

Such files are long and mostly tell how things are done. Taken is what clearly forbids a change of named files or a
named command, whatever the task is: no condition, no "unless asked", nothing about all there is. What is left out is
still read by the agent itself; what is taken can only make the guard stricter.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec.structs import replace

from leeboard.model.contract import EVERYTHING, Constraint
from leeboard.model.text import lazy
from leeboard.speech.limits.clause import begins_list
from leeboard.speech.limits.constraint import placed_constraints
from leeboard.text.words import separate

MOST = 8
LONGEST = 48_000
"""Characters that are read of such a file."""

_MAY_FORBID = lazy(r"\b(?:never|not|don['’]?t|avoid|without|off[\s-]limits|hands\s+off|leave|no)\b", re.IGNORECASE)
_CONDITION = lazy(
    r"\b(?:unless|if|when|until|without|except|yet|directly|manually|by\s+hand|first|proactively|necessary|needed|asked|asking|"
    r"requested|approval|permission)\b",
    re.IGNORECASE,
)
_QUALIFIES = lazy(
    r"[\s*_(]*(?:only|unless|if|when|until|except|but|ask|always|wait|first|instead|you|this)\b", re.IGNORECASE
)
"""How a sentence begins that is about the one before it."""
_SENTENCE_END = lazy(r"(?<=[.!?])[*_]*\s+(?=[*_(]*[A-Z])")
_OF_A_TASK = frozenset("any-command run-tests run-build start-server install network stash switch-branch".split())
"""Kinds of command that such files speak of in passing, and that work can not do without."""


def project_limits(text: str, name: str) -> tuple[Constraint, ...]:
    """The limits in the text of the file `name`, each with the line it stands on."""
    return tuple(_limits(text[:LONGEST], name))[:MOST]


def _limits(text: str, name: str) -> Iterator[Constraint]:
    lines = separate(text)[0].split("\n")
    for line, constraint in placed_constraints("\n".join(map(_unconditional, _telling(lines)))):
        if _is_clear(constraint):
            yield replace(constraint, source=f"{name}:{line}")


def _unconditional(line: str) -> str:
    """Without the sentences that set a condition, and those that the next one sets a condition for."""
    if not _CONDITION.search(line):
        return line
    kept: list[str] = []
    for sentence in _SENTENCE_END.split(line):
        if not _CONDITION.search(sentence):
            kept.append(sentence)
        elif _QUALIFIES.match(sentence) and kept:
            kept.pop()
    return " ".join(kept)


def _telling(lines: list[str]) -> Iterator[str]:
    """The lines that may forbid something, and the list below one that does; the others are blank.

    The file may be long, and a session waits for it.
    """
    listing = False
    for line in lines:
        item = line.lstrip().startswith(("-", "*", "•"))
        listing = (listing and item) or begins_list(line)
        yield line if listing or _MAY_FORBID.search(line) else ""


def _is_clear(constraint: Constraint) -> bool:
    if constraint.kind != "forbid" or not constraint.checkable or constraint.until:
        return False
    return EVERYTHING not in constraint.patterns and not _OF_A_TASK & set(constraint.programs)
