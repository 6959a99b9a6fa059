"""What the human now asks for or allows, in so many words: an earlier ban on it ends.

An order to change it (`also update the schema`), a permission (`you may touch the tests now`, `schema changes are
fine`) and a rule taken back (`forget what I said about the docs`) count. A mention (`the schema has a users table`),
a question (`did you change the tests?`) and a promise (`we can update the docs later`) do not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from leeboard.data import load
from leeboard.model.contract import ADD_DEPENDENCY
from leeboard.model.text import lazy
from leeboard.speech.limits.clause import Sources, describes, expressions, is_addressed
from leeboard.speech.limits.object import TEST_GLOBS, asked_kind, names_dependency
from leeboard.text.language import is_test
from leeboard.text.prose_path import scan
from leeboard.text.words import sentences

GRANT_LIMIT = 300
"""A permission is short."""


class _Lifted(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    verbs: tuple[str, ...]
    new_package: frozenset[str]
    gentle: frozenset[str]
    grants: tuple[str, ...]
    taken_back: tuple[str, ...]
    permissions: tuple[str, ...]
    parts: Sources
    patterns: Sources


_TABLE = load("speech/limits_lifted", _Lifted)
_GIVEN = {"verb": "|".join(sorted(_TABLE.verbs, key=lambda verb: -len(verb)))}
_SAID = expressions(_TABLE.patterns, _TABLE.parts, _GIVEN)
_GRANTS = tuple(expressions({grant: f"{{clause}}{grant}" for grant in _TABLE.grants}, _TABLE.parts, _GIVEN).values())
_TAKEN_BACK = tuple(expressions({taken: taken for taken in _TABLE.taken_back}, _TABLE.parts, _GIVEN).values())
_PERMISSIONS = tuple(expressions({said: said for said in _TABLE.permissions}, _TABLE.parts, _GIVEN).values())
_ITEM = lazy(r"\s*(?:,\s*(?:and\b|or\b)?|\b(?:and/or|and|or|plus|und|et|y|e)\b|&|、|和)\s*", re.IGNORECASE)


def lifts(own: str, asked: str) -> Iterator[str]:
    """Globs, areas and ADD_DEPENDENCY of what is asked for; `own` is the message, `asked` is it without its limits."""
    for sentence in _telling(own):
        if _SAID["takes_back"].search(sentence):
            for match in _each(_TAKEN_BACK, sentence):
                yield from _things(match["what"], place=False)
    for sentence in _telling(asked):
        if not _SAID["later"].search(sentence):
            yield from _ordered(sentence)
            yield from _granted(sentence)


def is_permission(sentence: str) -> bool:
    """`Ok, you may change db/schema.sql now`: leave to change files, and no word of what to do there."""
    marked = scan(sentence)[1]
    if len(marked) > GRANT_LIMIT or not _SAID["allowing"].search(marked):
        return False
    return any((found := said.fullmatch(marked)) and _names_files(found["what"]) for said in _PERMISSIONS)


def _names_files(what: str) -> bool:
    items = (item.strip(" `'\"") for item in _ITEM.split(what))
    return all(_SAID["files"].fullmatch(item) or any(asked_kind(item)) for item in items)


def _telling(text: str) -> Iterator[str]:
    """Sentences that may speak of a kind of file; most do not."""
    if _SAID["trigger"].search(text):
        for _offset, sentence in sentences(text):
            if _SAID["trigger"].search(sentence):
                yield sentence


def _each(patterns: tuple[re.Pattern[str], ...], sentence: str) -> Iterator[re.Match[str]]:
    for pattern in patterns:
        yield from pattern.finditer(sentence)


def _granted(sentence: str) -> Iterator[str]:
    if len(sentence) > GRANT_LIMIT or sentence.rstrip().endswith("?") or _SAID["condition"].match(sentence):
        return
    if not _SAID["granting"].search(sentence):
        return
    for match in _each(_GRANTS, sentence):
        for what in match.groupdict().values():
            yield from _things(what or "", place=False)
            if names_dependency(_bare(what or "")):
                yield ADD_DEPENDENCY


def _ordered(sentence: str) -> Iterator[str]:
    heads = [head for head in _SAID["head"].finditer(sentence) if _is_order(sentence, head)]
    for head, stop in zip(heads, [*(head.start() for head in heads[1:]), len(sentence)], strict=False):
        verb = " ".join(head["verb"].lower().split())
        what = sentence[head.end() : stop]
        if verb in _TABLE.new_package:
            yield from _packages(what)
        if verb == "use" or (verb in _TABLE.gentle and not _SAID["change_noun"].search(_SAID["cut"].sub("", what))):
            continue
        if _SAID["anywhere"].fullmatch(what.strip(" .!?,")):
            yield "**"
        yield from _things(what, place=True)


def _is_order(sentence: str, head: re.Match[str]) -> bool:
    if sentence.rstrip().endswith("?"):
        return bool(head["asked"])
    before = sentence[: head.start()]
    if head["told"] or head["asked"]:
        return not before.strip() or not _SAID["condition"].match(sentence)
    if not before.strip() or is_addressed(before):
        return True
    return head["lead"] in {",", ";", "(", "."} and not describes(before)


def _packages(what: str) -> Iterator[str]:
    named = any(names_dependency(_bare(item)) and not _SAID["our_own"].search(item) for item in _ITEM.split(what))
    if named or _SAID["as_dependency"].search(what):
        yield ADD_DEPENDENCY


def _things(what: str, *, place: bool) -> Iterator[str]:
    """Kinds of file in a list; what stands between other things counts as well, and so does a path of a test."""
    if any(is_test(path) for path in scan(what)[0]):
        yield "tests"
    items = _ITEM.split(what)
    places = [match["place"] for item in items if place and (match := _SAID["place"].search(item))]
    extras = [match["what"] for match in _SAID["with"].finditer(what)] if place else []
    for item in (*(item for item in items if not place or item.strip(" .!").lower() != "test"), *places, *extras):
        globs, areas = asked_kind(_bare(item))
        yield from globs
        yield from areas
        if "tests" in areas:
            yield from TEST_GLOBS


def _bare(item: str) -> str:
    """`the schema to fit` and `the schema changes` are about the schema."""
    return _SAID["change_noun"].sub("", _SAID["cut"].sub("", item).strip(" \t\n.!?,`'\"*")).strip(" `'\"")
