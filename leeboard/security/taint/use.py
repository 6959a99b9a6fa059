"""A call as the engine sees it, whether a sink means it, and which of its values count there."""

from __future__ import annotations

import msgspec

from leeboard.model.text import lazy
from leeboard.security.taint.state import State
from leeboard.security.taint.table import Kind, Sink
from leeboard.security.taint.values import Val, held


class Use(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One call as the engine sees it."""

    line: int
    path: str
    written: str
    receiver: Val | None
    args: tuple[Val, ...]
    keywords: dict[str, Val]


def applies(state: State, sink: Sink, use: Use) -> bool:
    """Whether the call is the one that the sink means, by what it is given and called on."""
    fits = sink.arity[0] <= len(use.args) <= sink.arity[1]
    if not fits or (sink.beside and not state.mentions.says(sink.beside)):
        return False
    for name, wanted in sink.needs:
        if not _is_given(use, name, wanted, is_setting=sink.kind in _SETTINGS):
            return False
    for name, pattern in sink.given:
        given = _named(use, name)
        if given is None or not state.index.matches(pattern, _telling(given)):
            return False
    for name, pattern in sink.unless:
        given = _named(use, name)
        if given is not None and state.index.matches(pattern, _telling(given)):
            return False
    if sink.looks or (sink.receiver and sink.callee.startswith("*.")):
        return _is_plausible(state, sink, use)
    return True


_SETTINGS: frozenset[Kind] = frozenset({"debug", "cors"})
"""What is only told where it stands in the source: a name leaves it to whoever sets the program up."""


def _is_given(use: Use, name: str, wanted: object, *, is_setting: bool) -> bool:
    given = _named(use, name)
    if given is None:
        return False
    if given.is_const:
        return given.const == wanted and type(given.const) is type(wanted)
    if is_setting:
        return False  # where it runs decides
    # A wrapper that is told by its caller leaves the choice to it.
    return wanted is True and not (given.taints and all(origin.trust == "parameter" for origin in given.taints))


def is_asked_of_own_file(state: State, use: Use) -> bool:
    """`formatter.format(x)` of another file: nobody knows what comes of it; `QUERY.format(x)` is a text."""
    owner = use.written.rpartition(".")[0]
    if not owner or use.receiver is None or use.receiver.taints or _CONSTANT.search(owner):
        return False
    if "." in owner or (use.written.rpartition(".")[2] in _FILLS and any(held(arg).taints for arg in use.args)):
        return False  # what an object of another file holds is a text that is filled in
    if use.path.startswith(_OWN_FILES):
        return True
    is_renamed = state.module.language == "python" and use.path != use.written
    return is_renamed and owner.partition(".")[0] in state.mentions.from_own_package


_FILLS = frozenset({"replace", "replaceAll", "concat", "join"})
_OWN_FILES = ("local.", "@/", "~/")
_CONSTANT = lazy(r"(?:^|\.)[A-Z][A-Z0-9_]+$")


def is_surely_given(use: Use, name: str) -> bool:
    """Whether what makes it dangerous stands in the source, and is not one more thing nobody knows."""
    given = _named(use, name)
    return given is not None and given.is_const


def _named(use: Use, name: str) -> Val | None:
    if name == "receiver":
        return use.receiver
    place, _dot, key = name.partition(".")
    if place.isdigit():
        given = use.args[int(place)] if int(place) < len(use.args) else None
        return given if given is None or not key else given.items.get(key)
    return use.keywords.get(name)


def _telling(value: Val) -> str:
    """What it is, as text: its constant, its path, and what it was made with."""
    parts = [repr(value.const) if value.is_const else "", value.path, value.text]
    parts += value.type.bases if value.type is not None else ()
    parts += [f"{name}={_telling(inner)}" for name, inner in value.keywords.items()]
    parts += [
        f"{key!s}={inner.const!r}"
        for key, inner in list(value.items.items())[:9]
        if (value.path or value.shape == "list") and inner.is_const
    ]
    parts += [_telling(inner) for inner in value.args[:3]]
    return " ".join(part for part in parts if part)[:400]


def _is_plausible(state: State, sink: Sink, use: Use) -> bool:
    receiver = [use.written.rpartition(".")[0], use.receiver.path if use.receiver is not None else ""]
    if sink.receiver and any(state.index.matches(sink.receiver, text) for text in receiver if text):
        return True
    values = values_at(sink, use)
    return bool(sink.looks) and any(
        state.index.matches(sink.looks, held(value).text) or state.index.matches(sink.looks, value.path)
        for value in values
    )


def values_at(sink: Sink, use: Use) -> list[Val]:
    if sink.keywords == ("*",):
        found = list(use.keywords.values())
    else:
        found = [use.keywords[name] for name in sink.keywords if name in use.keywords]
        if sink.keywords and not found:  # the options have a name of their own
            held_in = [arg.items for arg in use.args if arg.shape == "dict"]
            found = [items[name] for items in held_in for name in sink.keywords if name in items]
    for position in sink.args:
        if position == -1:
            found += use.args
        elif position == -2:
            found += [use.receiver] if use.receiver is not None else []
        elif position < len(use.args):
            found.append(use.args[position])
    return found
