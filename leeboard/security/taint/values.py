"""What is known of a value while a program is followed: where it comes from, what it is, what it looks like."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Final, Literal, cast

import msgspec

from leeboard.security.taint import ir
from leeboard.security.taint.table import KINDS, Kind, Trust

FOREIGN, OPEN, CLEAN = "\x00", "\x01", "\x02"
"""Holes in a text: a foreign value, one nobody knows, one that can do no harm."""
ALL: Final[frozenset[Kind]] = frozenset(KINDS)
NONE: Final[frozenset[Kind]] = frozenset()
LONGEST = 4000
MOST_STEPS = 8
MOST_ITEMS = 60
_MOST_FIELD = 80
FIELD = "\x03"
FROM_ROOT, RESOLVED = "path.from_root()", "path.resolved()"
"""The path of what is cleaned from the root: harmless below a folder, and any file of the machine by itself."""


class Missing:
    """No constant is known; None is one."""


MISSING: Final = Missing()
Known = str | bytes | int | float | bool | None | Missing
Key = str | bytes | int | float | bool | None | tuple[object, ...]


class TaintOrigin(msgspec.Struct, frozen=True, gc=False):
    """Where a foreign value comes from. Two of one name are one, wherever they are read."""

    trust: Trust
    label: str
    line: int
    field: str = ""
    """What of it was read, dotted; empty: all."""

    @property
    def place(self) -> str:
        """Its name, told apart from its other fields."""
        return f"{self.label}{FIELD}{self.field}" if self.field else self.label


Taints = dict[TaintOrigin, frozenset[Kind]]
"""Foreign values with the kinds of sink they were made harmless for."""


class Closure(msgspec.Struct, frozen=True, gc=False):
    function: ir.Function
    scope: object = None
    """The names around it, as they are known to the engine."""


_EMPTY: Final = cast("dict[Any, Any]", MappingProxyType({}))
"""One for all values that hold nothing: most do, and thousands are made for one file."""


class Val(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """Not watched by the garbage collector, like all that is made by the thousand: `State.let_go` ends the only circles
    there are, of functions and the names around them.
    """

    taints: Taints = _EMPTY
    text: str = OPEN
    """The value as text, with holes for what is not known."""
    const: Known = MISSING
    shape: Literal["", "list", "dict", "request", "object"] = ""
    items: dict[Key, Val] = _EMPTY
    """What a container or an object holds under known keys."""
    rest: Val | None = None
    """What it holds under keys that are not known; None: nothing."""
    path: str = ""
    """What it is, dotted, with imports resolved: `sqlite3.connect().cursor()`."""
    args: tuple[Val, ...] = ()
    keywords: dict[str, Val] = _EMPTY
    """What it was made with, where it is the result of a call of something outside the file."""
    type: ir.Class | None = None
    """The class of this file that the value is an object of, or that it is itself."""
    call: Closure | None = None
    opaque: bool = False
    """It went through a call nobody knows: what comes out need not be what went in."""
    steps: tuple[int, ...] = ()

    @property
    def is_const(self) -> bool:
        return self.const is not MISSING

    @property
    def is_foreign(self) -> bool:
        return bool(self.taints)


UNKNOWN: Final = Val()
HARMLESS: Final = Val(text=CLEAN)


@lru_cache(maxsize=1024, typed=True)
def constant(value: str | bytes | float | bool | None) -> Val:  # noqa: FBT001 - a constant of any kind
    if isinstance(value, str):
        text = value[:LONGEST].translate(_NO_HOLES)
    elif isinstance(value, bytes):
        text = value[:LONGEST].decode("latin-1").translate(_NO_HOLES)
    else:
        text = str(value)[:40]
    return Val(const=value, text=text)


_NO_HOLES = {0: None, 1: None, 2: None}


def foreign(origin: TaintOrigin, path: str = "", done: frozenset[Kind] = NONE) -> Val:
    return Val(taints={origin: done}, text=FOREIGN, path=path, steps=(origin.line,))


def stepped(value: Val, line: int) -> Val:
    """A foreign value with one more line on its way."""
    if not value.taints or line in value.steps:
        return value
    return msgspec.structs.replace(value, steps=(*value.steps[: MOST_STEPS - 1], line))


def merged_taints(*values: Val) -> Taints:
    """All origins; one that is cleaned in one value and not in another is not clean."""
    filled = [value.taints for value in values if value.taints]
    if len(filled) < 2:
        return filled[0] if filled else _EMPTY
    result = dict(filled[0])
    for taints in filled[1:]:
        for origin, cleaned in taints.items():
            result[origin] = result[origin] & cleaned if origin in result else cleaned
    return result


def _surest(values: Sequence[Val]) -> Sequence[Val]:
    """What went through a call nobody knows tells nothing more where something stands beside it that came as it was."""
    if not any(value.opaque and value.taints for value in values) or all(
        value.opaque for value in values if value.taints
    ):
        return values
    return [_unknown(value) if value.opaque and value.taints else value for value in values]


def _unknown(value: Val) -> Val:
    return msgspec.structs.replace(value, taints=_EMPTY, text=value.text.replace(FOREIGN, OPEN), opaque=False)


def merged_steps(*values: Val) -> tuple[int, ...]:
    """The lines on the way of any of them: sorted, unless one came from below, as out of a handler into a helper that
    stands above it.
    """
    filled = [value.steps for value in values if value.steps]
    if not filled:
        return ()
    if len(filled) == 1 and len(filled[0]) == 1:
        return filled[0]
    lines = dict.fromkeys(line for steps in filled for line in steps)
    is_downwards = all(list(steps) == sorted(steps) for steps in filled)
    return tuple((sorted(lines) if is_downwards else list(lines))[:MOST_STEPS])


def either(one: Val, other: Val) -> Val:
    """A value that is one of two."""
    if one is other or one == other:
        return one
    one, other = _surest((one, other)) if one.taints and other.taints else (one, other)
    same = one.const is not MISSING and type(one.const) is type(other.const) and one.const == other.const
    rest = one.rest if other.rest is None else other.rest if one.rest is None else either(one.rest, other.rest)
    return Val(
        taints=merged_taints(one, other) if one.taints or other.taints else _EMPTY,
        text=one.text if same else _telling(one, other),
        const=one.const if same else MISSING,
        shape=one.shape or other.shape,
        items=_either_items(one, other),
        rest=rest,
        path=_path_of_either(one, other),
        args=one.args or other.args,
        keywords={**other.keywords, **one.keywords} if one.keywords else other.keywords,
        type=one.type or other.type,
        call=one.call or other.call,
        opaque=one.opaque or other.opaque,
        steps=merged_steps(one, other) if one.steps or other.steps else (),
    )


def _path_of_either(one: Val, other: Val) -> str:
    """What was sent is not told by what stands in for it: `params[:to] || home_path`."""
    sent = one if one.taints else other
    is_sent = bool(one.taints) != bool(other.taints) and not sent.shape
    return sent.path if is_sent else one.path or other.path


def _telling(one: Val, other: Val) -> str:
    """The text that says more of the harm: a foreign part first, then an open one, then the longer one."""
    for hole in (FOREIGN, OPEN):
        if (hole in one.text) != (hole in other.text):
            return one.text if hole in one.text else other.text
    if FOREIGN not in one.text and OPEN not in one.text:
        return one.text.rstrip(CLEAN) + CLEAN  # one of several constants: harmless, but no longer known
    return one.text if len(one.text) >= len(other.text) else other.text


def _either_items(one: Val, other: Val) -> dict[Key, Val]:
    """What one of them holds under a key, the other may hold as a part of what was sent."""
    if not one.items and not other.items:
        return _EMPTY
    result = dict(one.items)
    for key, value in other.items.items():
        mine = result.get(key) or _part(one, key)
        result[key] = either(mine, value) if mine is not None else value
    for key in one.items.keys() - other.items.keys() if other.taints else ():
        result[key] = either(one.items[key], _part(other, key) or HARMLESS)
    return result


def _part(whole: Val, key: Key) -> Val | None:
    """A field of something foreign, told apart from its sisters."""
    if not whole.taints:
        return None
    name = key if isinstance(key, str) and not whole.opaque else ""
    taints = {
        msgspec.structs.replace(origin, field=f"{origin.field}.{name}".strip(".")[:_MOST_FIELD]): done
        for origin, done in whole.taints.items()
    }
    return Val(taints=taints, text=FOREIGN, steps=whole.steps, opaque=whole.opaque)


def held(value: Val, depth: int = 3) -> Val:
    """The value with all that it holds, as one: what a container gives away when it is used as a whole."""
    if value.shape == "request":
        return foreign(TaintOrigin("request", value.path, value.steps[0] if value.steps else 0), value.path)
    if not value.items and value.rest is None:
        return value
    if depth == 0:
        return value
    inner = [held(item, depth - 1) for item in value.items.values()]
    if value.rest is not None:
        inner.append(held(value.rest, depth - 1))
    taints = merged_taints(value, *inner)
    hole = FOREIGN if taints else CLEAN if all(_is_settled(item) for item in inner) else OPEN
    opaque = value.opaque or (bool(taints) and all(part.opaque for part in (value, *inner) if part.taints))
    return msgspec.structs.replace(value, taints=taints, text=hole, steps=merged_steps(value, *inner), opaque=opaque)


def _is_settled(value: Val) -> bool:
    return OPEN not in value.text and FOREIGN not in value.text


def is_settled(value: Val) -> bool:
    """Whether it is constant or harmless: nothing foreign and nothing unknown in it."""
    return _is_settled(held(value))


def joined(parts: list[Val]) -> Val:
    """A text made of these, in this order."""
    parts = list(_surest([held(part) for part in parts]))
    taints = merged_taints(*parts)
    opaque = any(part.opaque for part in parts if part.taints)
    text = "".join([part.text for part in parts])[:LONGEST]
    if taints and FOREIGN not in text:
        text += FOREIGN  # it was cut off, or stands in a container
    known: Known = MISSING
    if all(part.is_const for part in parts):
        known = "".join(_as_text(part.const) for part in parts)[:LONGEST]
    path = FROM_ROOT if taints and _stays_at_root(parts) else ""
    return Val(taints=taints, text=text, const=known, steps=merged_steps(*parts), path=path, opaque=opaque)


def _stays_at_root(parts: list[Val]) -> bool:
    """Whether no folder stands in front of what is cleaned from the root."""
    if parts[-1].path == RESOLVED:
        return True
    first = next((part for part in parts if part.text.strip("/")), None)
    return first is not None and first.path == FROM_ROOT


def _as_text(value: Known) -> str:
    return value.decode("latin-1") if isinstance(value, bytes) else str(value)


def passed(parts: list[Val], path: str = "") -> Val:
    """Something made of these by a call nobody knows."""
    parts = [held(part) if part.items or part.rest is not None or part.shape else part for part in parts]
    taints = merged_taints(*parts)
    if not taints:
        return Val(path=path)
    return Val(taints=taints, text=FOREIGN, path=path, opaque=True, steps=merged_steps(*parts))


def cleaned(value: Val, kinds: frozenset[Kind] | None) -> Val:
    """The value, made harmless for these kinds; None: for all of them."""
    if kinds is None:
        return HARMLESS
    value = held(value)
    if not value.taints:
        return Val(text=value.text if value.text != OPEN else OPEN, const=value.const, path=value.path)
    taints = {origin: done | kinds for origin, done in value.taints.items()}
    return Val(taints=taints, text=value.text, steps=value.steps, path=value.path, opaque=value.opaque)
