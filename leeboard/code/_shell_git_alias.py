"""Git commands that a line names itself: `git -c alias.x='push . a:main' x` runs what the alias says.

Aliases that stand in a configuration file are not known here, and those are the user's.
"""

from __future__ import annotations

import shlex

from leeboard.code._shell_expansion import UNKNOWN, as_source
from leeboard.code._shell_options import Parsed
from leeboard.code._shell_scope import Follow

_INCLUDES = ("include.", "includeif.")
_GITS_OWN = frozenset(
    "add bisect branch checkout cherry-pick clean clone commit config diff fetch grep init log merge mv pull push"
    " rebase remote reset restore revert rev-parse rm show show-ref stash status submodule switch tag worktree".split()
)
"""Git asks for no alias of these; rarer ones are found out by their readers."""


def alias_of(name: str, before: Parsed) -> str | None:
    """What the options before a subcommand say that it means; "" where nobody can tell, None where they say nothing."""
    meaning: str | None = None
    for option, given in before.options:
        key, _, value = given.partition("=")
        if option not in {"-c", "--config-env"}:
            continue
        if _names(key, name):
            meaning = value if option == "-c" and UNKNOWN not in value else ""
        elif UNKNOWN in key or key.lower().startswith(_INCLUDES):
            meaning = ""
    return meaning


def is_unreadable(name: str, before: Parsed) -> bool:
    """Whether a subcommand is an alias of the line, and nobody can tell of what."""
    return bool(name) and name not in _GITS_OWN and alias_of(name, before) is not None and not aliased(name, [], before)


def aliased(name: str, rest: list[str], before: Parsed) -> Follow | None:
    """What is started for a subcommand that is an alias of the line; None: that is not, or can not be, told."""
    meaning = (alias_of(name, before) or "").strip()
    if meaning.startswith("!"):
        there = "".join(f"cd {shlex.quote(folder)} && " for folder in before.values("-C"))
        return Follow(code=as_source(f"{there}{meaning[1:]} {shlex.join(rest)}"))
    try:
        words = shlex.split(meaning)
    except ValueError:
        return None
    return Follow(["git", *_without(name, before), *words, *rest]) if words else None


def _without(name: str, before: Parsed) -> list[str]:
    """The options before the subcommand; an alias is used once, so that none leads back to itself."""
    words: list[str] = []
    for option, value in before.options:
        if option == "-c" and _names(value.partition("=")[0], name):
            continue
        words += [f"{option}={value}" if value else option] if option.startswith("--") else [option, value]
    return [word for word in words if word]


def _names(key: str, name: str) -> bool:
    return key.lower() in {f"alias.{name.lower()}", f"alias.{name.lower()}.command"}
