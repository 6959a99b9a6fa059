"""What a limit forbids to do, as something that can be checked: deeds on files, commands, changes of anything.

`don't delete files` leaves edits free; `never run the migrations` is about commands and not about the files of that
name; `don't change any code` is about whatever there is. An object that is more than that is not believed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

import msgspec

from leeboard.data import load
from leeboard.model.contract import ADD_DEPENDENCY, LIFTED_DEED, Deed, Until
from leeboard.model.text import filled, lazy
from leeboard.speech.limits.clause import (
    ADDING,
    CHANGING,
    COMMITTING,
    CREATING,
    DELETING,
    MOVING,
    RUNNING,
    WORKING,
)
from leeboard.speech.limits.object import any_files, is_all_of_git, names_dependency, pushed_to, resolve


class _Kind(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    verbs: tuple[str, ...]
    object: str
    lifted: str
    hints: tuple[str, ...]
    """Letters of which some are in every text that lifts it: most texts are passed over by them."""
    needs: dict[str, str] = {}
    """Objects for verbs that mean it only with these."""
    no: str = ""
    """What stands behind "no" when this is forbidden."""


class _Commands(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    programs: frozenset[str]
    languages: frozenset[str]
    parts: dict[str, str]
    kinds: tuple[_Kind, ...]


_TABLE = load("speech/limits_commands", _Commands)


class _Meant(NamedTuple):
    name: str
    objects: dict[str, re.Pattern[str]]
    no: re.Pattern[str]
    lifted: re.Pattern[str]
    hints: tuple[str, ...]


def _meant(kind: _Kind) -> _Meant:
    def read(text: str) -> re.Pattern[str]:
        return lazy(filled(text, _TABLE.parts), re.IGNORECASE)

    plain = read(kind.object)
    needs = {verb: read(text) for verb, text in kind.needs.items()}
    return _Meant(
        kind.name,
        {verb: needs.get(verb, plain) for verb in kind.verbs},
        read(kind.no or r"(?!)"),
        read(kind.lifted),
        kind.hints,
    )


_KINDS = tuple(map(_meant, _TABLE.kinds))
_KIND_VERBS = frozenset(verb for kind in _KINDS for verb in kind.objects)
_COMMAND = lazy(r"`(?P<quoted>[a-z][^`\n]{0,80})`|(?P<plain>[a-z][\w.\-]*(?:\s+[\w.:/\-]+){0,3})", re.IGNORECASE)
_OR = lazy(r"\s*(?:,\s*(?:or\b|and\b|nor\b)?|\b(?:or|and|nor)\b|/)\s*", re.IGNORECASE)
_COMMAND_END = lazy(
    r"(?:[\s,]+(?:please|pls|at all|yourself|commands?|for (?:any of )?(?:this|that|these|it|me|now)|either|again|here"
    r"|ever|yet|thanks))+\W*$",
    re.IGNORECASE,
)
_NO_COMMAND = frozenset(
    "the a an in of to for on with any my our as it is this that from by when if and or not".split()
)
_ORDERED = lazy(
    r"(?:\A|[.!,;\n]\s*|\b(?:please|now|then|and|just|also|ok|okay|yes|can\s+you|you\s+(?:can|may)|go\s+ahead\s+and)\s+)"
    r"(?:re-?run|run|execute|use|try|do)\s+(?P<what>[^\n.!?,;]{2,80})",
    re.IGNORECASE,
)
_RUN = ("run", "execute", "use", "try", "do")
_DEEDS: tuple[tuple[Deed, tuple[str, ...], re.Pattern[str]], ...] = (
    (
        "delete",
        ("delete", "remove", "rm", "erase", "drop", "rid", "clean"),
        lazy(r"\b(?:delete|remove|rm|erase|drop|get\s+rid\s+of|clean\s+up)\s+\S", re.IGNORECASE),
    ),
    (
        "create",
        ("new", "create", "write", "generate", "scaffold", "add"),
        lazy(
            r"\bnew\s+(?:\w+\s+)?(?:files?|modules?|class(?:es)?|components?|tests?|pages?)\b|"
            r"\b(?:create|write|generate|scaffold|add)\s+(?:\w+\s+){0,3}(?:files?|modules?|components?|tests?|pages?|[\w/]+\.\w+)",
            re.IGNORECASE,
        ),
    ),
    ("move", ("rename", "move"), lazy(r"\b(?:rename|move)\s+\S", re.IGNORECASE)),
)


class Ban(NamedTuple):
    """What is forbidden: nothing, where it can not be checked."""

    patterns: tuple[str, ...] = ()
    areas: tuple[str, ...] = ()
    programs: tuple[str, ...] = ()
    deeds: tuple[Deed, ...] = ()
    until: Until = ""


NOTHING = Ban()
_EXCEPT = lazy(r"\b(?:except|but|unless|apart|other|only|or|and)\b", re.IGNORECASE)


def ban_on(verbs: tuple[str, ...], what: str) -> Ban:
    """What it forbids to do these things to that; the first reading that leaves nothing over."""
    asked = set(verbs)
    if asked & (CHANGING | WORKING) and (patterns := any_files(what)):
        return Ban(patterns=patterns, until="order")
    if asked & CHANGING:
        patterns, areas = resolve(what)
        if patterns or areas:
            return Ban(patterns=patterns, areas=areas)
    if deeds := tuple(_deeds(asked)):
        patterns, areas = any_files(what, files=True), ()
        if not patterns:
            patterns, areas = resolve(what)
        if patterns or areas:
            return Ban(patterns=patterns, areas=areas, deeds=deeds)
    # "don't install anything, I am offline": what follows the comma is often the reason.
    first, comma, rest = what.partition(", ")
    programs = tuple(_programs(verbs, what)) or (
        tuple(_programs(verbs, first)) if comma and not _EXCEPT.search(rest) else ()
    )
    return Ban(programs=tuple(dict.fromkeys(programs)))


def ban_on_no(what: str) -> Ban:
    """The same for `no new files`, `no deletions`, `no network access`."""
    for meant in _KINDS:
        if meant.no.fullmatch(what):
            return Ban(programs=(meant.name,))
    return NOTHING


def _deeds(asked: set[str]) -> Iterator[Deed]:
    if asked & DELETING:
        yield "delete"
    if asked & CREATING:
        yield "create"
    if asked & MOVING:
        yield "move"


def _programs(verbs: tuple[str, ...], what: str) -> Iterator[str]:
    asked = set(verbs)
    if asked & COMMITTING:
        if is_all_of_git(what):
            yield from ("git commit", "git push") if asked & {"commit", "git commit"} else ("git push",)
        elif branch := pushed_to(what) if asked & {"push", "git push"} else "":
            yield f"git push {branch}"
    if asked & ADDING and names_dependency(what) and (asked != {"install"} or "new" in what.lower()):
        yield ADD_DEPENDENCY
        return
    bare = what.strip()
    for meant in _KINDS if not asked.isdisjoint(_KIND_VERBS) else ():
        if any(verb in meant.objects and meant.objects[verb].fullmatch(bare) for verb in verbs):
            yield meant.name
    if asked & RUNNING:
        yield from _named(what, used="use" in asked)


def _named(what: str, *, used: bool) -> Iterator[str]:
    """Programs that are called by their name, each with the words that belong to it; all of the object, or nothing."""
    found: list[str] = []
    for item in _OR.split(_COMMAND_END.sub("", what).strip(" .!")):
        match = _COMMAND.fullmatch(item)
        words = (match["quoted"] or match["plain"]).split() if match else []
        known = bool(match and match["quoted"] and len(words) > 1) or words[:1] in [[one] for one in _TABLE.programs]
        if not known or _NO_COMMAND & set(words) or (used and len(words) == 1 and words[0] in _TABLE.languages):
            return
        found.append(" ".join(words))
    yield from found


def lifted_by(asked: str) -> Iterator[str]:
    """Kinds of command, commands and deeds that a message asks for, once its own limits are taken out."""
    lowered = asked.lower()
    for meant in _KINDS:
        if any(hint in lowered for hint in meant.hints) and meant.lifted.search(asked):
            yield meant.name
    for deed, hints, pattern in _DEEDS:
        if any(hint in lowered for hint in hints) and pattern.search(asked):
            yield f"{LIFTED_DEED}{deed}"
    for order in _orders(asked):
        for command in _named(order["what"], used=False):
            words = command.split()
            yield from (" ".join(words[:count]) for count in range(1, len(words) + 1))


def _orders(asked: str) -> Iterator[re.Match[str]]:
    """Orders to run something: each on its line, and few lines have a word for it."""
    for line in asked.split("\n"):
        lowered = line.lower()
        if any(verb in lowered for verb in _RUN):
            yield from _ORDERED.finditer(line)
