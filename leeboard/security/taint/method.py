"""Methods and functions whose effect is known: what containers keep, what texts are made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

import msgspec

from leeboard.model.text import lazy
from leeboard.security.taint import fold
from leeboard.security.taint.values import (
    CLEAN,
    HARMLESS,
    LONGEST,
    MOST_ITEMS,
    UNKNOWN,
    Key,
    Missing,
    Val,
    constant,
    either,
    held,
    is_settled,
    joined,
    merged_steps,
    merged_taints,
)

replace = msgspec.structs.replace


def key_of(value: Val) -> Key | None:
    """The key a constant is, or the path of a name from elsewhere; None where it is not known."""
    if isinstance(value.const, Missing):
        return value.path if "." in value.path and "(" not in value.path and not value.taints else None
    return value.const


def read(container: Val, key: Key | None) -> Val | None:
    """What stands under a key; None where the container knows nothing of it."""
    if key is None:
        return everything(container)
    if isinstance(key, int) and key < 0 and container.shape == "list":
        key = len(container.items) + key
    if key in container.items:
        found = container.items[key]
        return either(found, container.rest) if container.rest is not None and container.shape == "list" else found
    return container.rest


def everything(container: Val) -> Val | None:
    """Any of the things in it."""
    values = [*container.items.values(), *([container.rest] if container.rest is not None else [])]
    if not values:
        return None
    result = values[0]
    for value in values[1:MOST_ITEMS]:
        result = either(result, value)
    return result


def write(container: Val, key: Key | None, value: Val) -> Val:
    """The container with a value under a key; under an unknown key it may stand anywhere."""
    steps = merged_steps(container, value)
    shape = container.shape or "dict"
    if key is None or (len(container.items) >= MOST_ITEMS and key not in container.items):
        rest = value if container.rest is None else either(container.rest, value)
        return replace(container, items=_with_places_filled(container, value), rest=rest, steps=steps, shape=shape)
    return replace(container, items={**container.items, key: value}, steps=steps, shape=shape)


def _with_places_filled(container: Val, value: Val) -> dict[Key, Val]:
    """`{"name": "", "mail": ""}`: places that stand there empty, to be filled by their names."""
    if container.shape != "dict" or not held(value).taints:
        return container.items
    return {key: either(item, value) if item.const == "" else item for key, item in container.items.items()}


def push(container: Val, value: Val) -> Val:
    if container.shape == "list" and container.rest is None and not container.taints:
        return write(container, len(container.items), value)
    return write(replace(container, shape=container.shape or "list"), None, value)


def absorbed(container: Val, values: Sequence[Val], named: Mapping[str, Val]) -> Val:
    """`update`, `addAll`: what others hold is held by it, too."""
    for value in values:
        if value.shape == "dict":
            container = replace(container, items={**container.items, **value.items}, shape="dict")
            container = write(container, None, value.rest) if value.rest is not None else container
        else:
            container = extend(container, value)
    return replace(container, items={**container.items, **named}) if named else container


def inserted(container: Val, given: Sequence[Val]) -> Val:
    at = given[0].const
    if container.shape != "list" or container.rest is not None or not isinstance(at, int):
        return push(container, given[1])
    order = list(container.items.values())
    order.insert(at, given[1])
    return replace(container, items=dict(enumerate(order)))


def extend(container: Val, other: Val) -> Val:
    if other.shape == "list" and other.rest is None:
        for value in other.items.values():
            container = push(container, value)
        return container
    inner = everything(other) or held(other)
    return write(replace(container, shape=container.shape or "list"), None, inner)


def take(container: Val, key: Key | None) -> tuple[Val, Val]:
    """What `pop` gives, and what is left."""
    if container.shape != "list":
        left = {name: value for name, value in container.items.items() if name != key}
        return read(container, key) or container.rest or UNKNOWN, replace(container, items=left)
    order = list(container.items.values())
    if container.rest is not None or not isinstance(key, int) or not -len(order) <= key < len(order):
        return everything(container) or UNKNOWN, container
    taken = order.pop(key)
    return taken, replace(container, items=dict(enumerate(order)))


def drop(container: Val, value: Val | None) -> Val:
    """`remove(x)` of a list of constants; `clear()` without an argument."""
    if value is None:
        return replace(container, items={}, rest=None, taints={})
    order = list(container.items.values())
    for position, item in enumerate(order):
        if item.is_const and item.const == value.const:
            del order[position]
            break
    return replace(container, items=dict(enumerate(order)))


def same(name: str, text: Val, args: tuple[Val, ...]) -> Val:
    """Another spelling of the same content."""
    known = fold.method(name, text.const, tuple(arg.const for arg in args))
    if not isinstance(known, Missing):
        return constant(known)
    if text.is_const and not args:
        return replace(text, path="")
    parts = [held(text), *(held(arg) for arg in args)]
    if all(is_settled(part) for part in parts):
        return HARMLESS
    taints = merged_taints(*parts)
    opaque = text.opaque or (bool(taints) and all(part.opaque for part in parts if part.taints))
    return Val(taints=taints, text=parts[0].text, opaque=opaque, steps=merged_steps(*parts))


def formatted(template: Val, values: list[Val], *, braces: bool = False) -> Val:
    """`"... %s" % values`, or with braces `"...{}...".format(values)`: each plain hole gets its value."""
    inner = [held(value) for value in values]
    inner = inner if braces else _numbers_apart(template, inner)
    taints = merged_taints(template, *inner)
    told = _told_apart(template.text, inner, "{}" if braces else "%s")
    if not taints:
        if is_settled(template) and all(is_settled(value) for value in inner):
            return HARMLESS
        unknown = [value for value in inner if not is_settled(value)]
        return Val(text=told[:LONGEST]) if told else joined([template, *unknown])
    steps = merged_steps(template, *inner)
    opaque = all(part.opaque for part in (template, *inner) if part.taints)
    return Val(taints=taints, text=told or _filled(template.text, braces=braces), steps=steps, opaque=opaque)


def _told_apart(text: str, inner: list[Val], hole: str) -> str:
    """The template with each value in its hole; empty where they are not as many."""
    pieces = text.split(hole)
    if not inner or len(pieces) != len(inner) + 1:
        return ""
    return "".join(piece + value.text for piece, value in zip(pieces, inner, strict=False)) + pieces[-1]


_DIRECTIVE = lazy(r"%(?:%|(?:(\d+)\$|\[(\d+)\])?[-+ 0#,']*\d*(?:\.\d+)?([A-Za-z]))")
_TAKES_MORE = lazy(r"%\(|%[-+ 0#]*(?:\d*\.)?\*")
"""Values by name, and widths that are values themselves."""
_NUMBERS = frozenset("diuxXeEfFgG")


def _numbers_apart(template: Val, values: list[Val]) -> list[Val]:
    """`%d` and its kin write a number, whatever they get: `%2$d` gets the second value, wherever it stands."""
    text = template.const
    letters = _letters_of(text) if isinstance(text, str) and "%" in text else None
    if letters is None or letters.keys() != set(range(1, len(values) + 1)):
        return values
    return [HARMLESS if letters[at] <= _NUMBERS else value for at, value in enumerate(values, 1)]


@lru_cache(maxsize=256)
def _letters_of(text: str) -> dict[int, set[str]] | None:
    """How each value is written, by its place; None where some are named, or told how wide they are."""
    if _TAKES_MORE.search(text):
        return None
    letters: dict[int, set[str]] = {}
    place = 0
    for found in _DIRECTIVE.finditer(text):
        if found[3]:
            number = found[1] or found[2]
            place = place if number and found[1] else int(number) if number else place + 1
            letters.setdefault(int(number) if number else place, set()).add(found[3])
    return letters


def _filled(text: str, *, braces: bool) -> str:
    """The first hole of the template is taken for the foreign one."""
    at = text.find("{" if braces else "%(" if "%(" in text else "%")
    at = at if at >= 0 else len(text)
    return text[:at] + "\x00" + text[at:]


def joined_by(separator: Val, values: Val) -> Val:
    """`", ".join(values)`."""
    inside = list(values.items.values())
    if values.rest is not None or not inside:
        everything_in = everything(values) or held(values)
        return everything_in if is_settled(everything_in) or everything_in.is_foreign else held(values)
    parts = [inside[0]]
    for value in inside[1:MOST_ITEMS]:
        parts += [separator, value]
    return joined(parts)


def stripped(value: Val) -> Val:
    """A value that is no container any more."""
    return Val(taints=value.taints, text=value.text or CLEAN, steps=value.steps, opaque=value.opaque)
