"""Statements to hashes: what a function looks like and what it refers to.

Shingles are runs of four roles inside one statement, and whole statements: the order of statements does not matter.
Anchors are what it calls, the attributes, types, words of texts and numbers it names. The two lowest bits of an anchor
say how much it tells: a name that every other function uses tells little. The flow is all of it in order, a character
for each token, so that two functions can be laid side by side.
"""

from __future__ import annotations

import struct
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from zlib import crc32

import msgspec

from leeboard.data import load
from leeboard.model.text import lazy
from leeboard.source.statements import Statement
from leeboard.source.tokens import role

WIDTH = 4
_REPEATS = 2
"""The same run counts up to so many times: a list of options is no longer proof the longer it is."""
_WHOLE = 6
"""Tokens of a statement that is worth remembering as a whole."""
_MIX, _STEP = 2_654_435_761, 1_640_531_526
FIRST_LETTER, _LETTERS = "\u1000", 0x8000
"""Characters that stand for names in a flow: behind all roles, before what UTF-8 can not write. As in an anchor, the
two lowest bits say how much the name tells."""
_DEF = role("def")
_ASSIGNED = lazy(rf"[{role('for')}{role('if')}{role('let')}]*([v,*\[\]]+)=")
_INNER = frozenset(role(word) for word in ("for", "as", "lambda", "=>", "catch"))
_BINDING = lazy(
    rf"{role('for')}{role('let')}?([v,*]+){role('in')}|{role('as')}(v)|{role('catch')}(v)|{role('lambda')}([v,*=ns.]+):|"
    rf"([v,]+){role('=>')}"
)
"""Where names get a meaning inside of a statement: loops, `as`, the parameters of an inner function."""
_NAMED = lazy(r"[fmaksnT]")
_WORD = lazy(r"[A-Za-z][A-Za-z0-9_]{2,40}")
_TEXT_WORDS = 24
_LONGEST = 400
WEIGHTS = (15, 50, 100, 100)
"""By the two lowest bits, in hundredths."""


def shingles(parts: Iterable[str]) -> tuple[int, ...]:
    """Odd for a whole statement, even for a run."""
    kept = [part.replace("ss", "s").encode("latin-1", "replace") for part in parts]
    # Between two statements stand so many zeros that no run reaches from one into the other.
    line = b"\0\0\0".join((b"", *kept, b""))
    found_runs: list[int] = []
    for shift in range(WIDTH):
        found_runs += struct.unpack_from(f">{(len(line) - shift) // WIDTH}I", line, shift)
    runs = Counter(found_runs)
    runs.pop(0, None)
    whole = Counter([crc32(part) for part in kept if len(part) >= _WHOLE])
    found = {run * _MIX & 0xFFFFFFFE for run in runs}
    found.update([run | 1 for run in whole])
    found.update([(run * _MIX + nth) & 0xFFFFFFFE for run, nth in _repeated(runs)])
    found.update([(run + nth) & 0xFFFFFFFF | 1 for run, nth in _repeated(whole)])
    return tuple(sorted(found))


def _repeated(counts: Counter[int]) -> list[tuple[int, int]]:
    """What occurs again, as often as it does within reason, each time with another number."""
    several = [(run, min(times, _REPEATS)) for run, times in counts.items() if times > 1]
    return [(run, nth * _STEP) for run, times in several for nth in range(1, times)]


def anchors_and_flow(parts: list[Statement], head: frozenset[str]) -> tuple[tuple[int, ...], str]:
    """Names of the function's own, which a renaming changes, are no anchors, and in the flow they are all alike.

    In the flow a statement is a line; what it refers to by name has a letter of its own, all else stands for its role.
    """
    own = head.union(word for roles, words in parts for word in _bound(roles, words))
    found: set[int] = set()
    lines: list[str] = []
    for roles, words in parts:
        letters = list(roles)
        for named in _NAMED.finditer(roles):
            kind, at = named.group(), named.start()
            token = words[at]
            if kind == "s":
                found.update(_texts(token[:_LONGEST]))
            elif kind == "n":
                if token not in ("0", "1"):
                    found.add(_anchor(token))
            elif not (kind == "f" and token in own):
                anchor = _anchor(token)
                found.add(anchor)
                letters[at] = chr(ord(FIRST_LETTER) + anchor % _LETTERS)
        lines.append("".join(letters).replace("ss", "s"))
    return tuple(sorted(found)), "\n".join(lines)


def anchors_of(token: str) -> tuple[int, ...]:
    """The anchors a token would be, were it none of the function's own names: those of its words for a text."""
    return _texts(token[:_LONGEST]) if token[-1] in "\"'`" else (_anchor(token),)


def _bound(roles: str, words: list[str]) -> Iterator[str]:
    """Names a statement gives a meaning: an assigned variable, one of a loop, an inner function and its parameters."""
    if roles.startswith("v="):
        yield words[0]
    elif roles.startswith(_DEF):
        yield from words[1:2]
    elif "=" in roles and (assigned := _ASSIGNED.match(roles)):
        yield from _names_at(assigned.span(1), roles, words)
    if not _INNER.isdisjoint(roles):
        for found in _BINDING.finditer(roles):
            yield from _names_at(found.span(found.lastindex or 0), roles, words)


def _names_at(span: tuple[int, int], roles: str, words: list[str]) -> list[str]:
    return [words[at] for at in range(*span) if roles[at] == "v"]


@lru_cache(maxsize=16_384)
def _anchor(name: str) -> int:
    return (crc32(name.encode("utf-8", "replace")) & 0xFFFFFFFC) | tells(name)


@lru_cache(maxsize=4_096)
def _texts(token: str) -> tuple[int, ...]:
    """Words of a text, what is inserted left out."""
    plain = _INSERTED.sub(" ", token).replace("\\n", " ").replace("\\t", " ")
    return tuple(
        (crc32(b"'" + word.encode()) & 0xFFFFFFFC) | min(1, tells(word)) for word in _WORD.findall(plain)[:_TEXT_WORDS]
    )


_INSERTED = lazy(r"[#$]?\{[^{}]{0,200}\}|\$\w{1,60}")


def tells(name: str) -> int:
    """How much a name says about a function that uses it."""
    if name in FREQUENT:
        return 0
    return 1 if name in COMMON or len(name) < 3 else 2


# Names that so many functions use that sharing one says little: by how often they occur in public code.


class _FrequentNames(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    frequent: frozenset[str]
    common: frozenset[str]


_NAMES = load("source/frequent_names", _FrequentNames)
FREQUENT = _NAMES.frequent
COMMON = _NAMES.common
