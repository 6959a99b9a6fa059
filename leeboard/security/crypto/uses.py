"""Where a value goes: the variable it is put into, the lines that use it, and those that use what is made of it.

Read line by line and by names: an assignment, a text or a list that grows by it, an array that it fills, a function of
the file that returns it. A few steps, so that a number that becomes a cookie three statements later is still the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from leeboard.model.text import lazy
from leeboard.security.crypto.source import CryptoSource, SettingSite, Site
from leeboard.source.syntax import Definition

_FILLED = lazy(r"(?i)\.\s*(?:next_?bytes|fill_?bytes|fill|read)\s*\(\s*&?(?:mut\s+)?(\w+)\s*[),\[]")
_MADE = lazy(
    r"\s*(?:[A-Za-z][\w.<>\[\]]{1,60}\s+){0,3}(?:\$|@{1,2})?(\w{1,60})\s*"
    r"(?::\s*[\w<>\[\]]{1,40}\s*)?(?::=|[+.]?=)(?!=)"
)
_GROWN = lazy(
    r"(?:^|[\s;{(])\$?(\w{1,60})\s*(?:(?:\.|->)"
    r"(?:[Aa]ppend|push|[Aa]dd|[Ii]nsert|concat|write_?[Ss]tring|WriteByte|WriteRune)\s*\(|<<)"
)
_FIELD = lazy(r"\s*\$?(\w{1,60})\[[^\[\]]{0,40}\]\s*=(?!=)")
_RETURNED = lazy(r"\s*(?:return\b|=>|yield\b)")
_STATEMENT_ROOM = 600
_UP = 16
_STATEMENTS = lazy(
    r"(?:^|_)(?:statement|block|body|program|module|source_file|clause)$|function_(?:d|i|e|l)|lambda|method_d"
)
_LINE_ROOM, _MOST_LINES = 300, 200
_LINES_OF_USE = 12
_STEPS = 4
_MOST_NAMES = 8
_MOST_CALLERS = 3


class ValueUses(msgspec.Struct, frozen=True):
    names: tuple[str, ...] = ()
    """The variables that hold it or what is made of it."""
    lines: tuple[str, ...] = ()


def statement_text(site: Site, source: CryptoSource) -> str:
    """The lines of the statement around a site, not more than a few."""
    first = source.text.rfind("\n", max(0, site.start - _STATEMENT_ROOM), site.start) + 1
    last = source.text.find("\n", site.end, site.end + _STATEMENT_ROOM)
    text = source.text[first : last if last >= 0 else site.end + _STATEMENT_ROOM]
    return text[:_STATEMENT_ROOM]


def target_of(site: Site, source: CryptoSource) -> str:
    """The variable the result goes into; empty where it goes nowhere by name."""
    if isinstance(site, SettingSite):
        return site.name
    for ancestor in site.node.ancestors()[:_UP]:
        for setting in source.starting(ancestor.range().start.index):
            if setting.end >= site.end:
                return setting.name
        if _STATEMENTS.search(ancestor.kind()):
            break
    return ""


def direct_uses(site: Site, source: CryptoSource) -> tuple[str, ...]:
    """The lines of the function that use the variable the result goes into."""
    target = target_of(site, source)
    return tuple(_lines_with(target, _lines_after(site.line, source))) if target else ()


def uses_of(site: Site, source: CryptoSource) -> ValueUses:
    """The lines that it is followed to, also out of the function that returns it to others of the same file."""
    statement = statement_text(site, source)
    target = target_of(site, source)
    first = {target} if target else set(_grown(statement))
    names, lines = _followed(first, _lines_after(site.line, source))
    if any(map(_RETURNED.match, (statement.lstrip("\n"), *lines))) or _is_last(site, source):
        for call_names, call_lines in _callers(site, source):
            names |= call_names
            lines += [line for line in call_lines if line not in lines]
    return ValueUses(tuple(sorted(names)), tuple(lines[: 4 * _LINES_OF_USE]))


def _followed(first: set[str], lines: list[str]) -> tuple[set[str], list[str]]:
    names, found, new = set(first), list[str](), set(first)
    for _ in range(_STEPS):
        used = [line for name in sorted(new) for line in _lines_with(name, lines)]
        found += [line for line in dict.fromkeys(used) if line not in found]
        new = {made for line in used for made in _grown(line)} - names
        new = set(sorted(new)[: max(0, _MOST_NAMES - len(names))])
        names |= new
        if not new:
            break
    return names, found


def _grown(line: str) -> Iterator[str]:
    """What a line makes of the values in it."""
    for pattern in (_MADE, _FIELD):
        if (made := pattern.match(line)) is not None:
            yield made[1]
            return
    yield from (found[1] for pattern in (_FILLED, _GROWN) for found in pattern.finditer(line))


def _callers(site: Site, source: CryptoSource) -> Iterator[tuple[set[str], list[str]]]:
    """What those make of it that call the function it is returned by."""
    definition = source.definition_of(site)
    if definition is None or definition.kind == "class":
        return
    calls = [call for call in source.calls.get(definition.name.lower(), ()) if source.is_own(call)]
    for call in [one for one in calls if not definition.start <= one.line <= definition.end][:_MOST_CALLERS]:
        target = target_of(call, source)
        names, lines = _followed({target} if target else set(), _lines_after(call.line, source))
        yield names, [statement_text(call, source), *lines]
    if source.language == "ruby":
        yield from _bare_callers(definition, source)


def _bare_callers(definition: Definition, source: CryptoSource) -> Iterator[tuple[set[str], list[str]]]:
    """`@token = PREFIX + random_part`: Ruby calls a method of one's own by its name alone."""
    outside = [*source.lines[: definition.start - 1], *source.lines[definition.end :]][:_MOST_LINES]
    for line in _lines_with(definition.name, [text[:_LINE_ROOM] for text in outside])[:_MOST_CALLERS]:
        yield set(_grown(line)), [line]


def _is_last(site: Site, source: CryptoSource) -> bool:
    """Ruby and Rust return what stands last."""
    definition = source.definition_of(site)
    return source.language in {"ruby", "rust", "kotlin"} and definition is not None and definition.end - site.line <= 1


def _lines_after(line: int, source: CryptoSource) -> list[str]:
    first, last = source.lines_around(line)
    return [text[:_LINE_ROOM] for text in source.lines[line:last][:_MOST_LINES]] if first else []


def _lines_with(name: str, lines: list[str]) -> list[str]:
    before = r"\b" if len(name) > 1 else r"(?<![\w.])"
    pattern = re.compile(rf"{before}{re.escape(name)}(?!\w)")
    return [line for line in lines if name in line and pattern.search(line)][:_LINES_OF_USE]
