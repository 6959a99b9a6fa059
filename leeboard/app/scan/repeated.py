"""One value in several places of a scan: it is one thing to revoke, so it is told in full where it is surest. A line of
weak cryptography that was copied into several files is one thing to decide about as well.

There the other places are named, and a person reads no more of them. They stay findings of their own, since each has to
be changed, is accepted by itself in a baseline, and is shown at its line of a change.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from leeboard.model.text import lazy
from leeboard.model.verdict import PlacedFinding, subclass_of

_VALUE = lazy(r":([0-9a-f]{16})$")
"""The digest of a value, as the last part of what a finding is known by."""
_SECRETS, _FIXED = "B1", "fixed key material"
_MANY_FILES, _SET_OF_KEYS = 8, 3
_OF_ONES_OWN = "(private key)"
_LEAST_LINE = 25
"""Characters from which two lines are not the same by chance."""
_WEIGHT = {"FIRE": 0, "QUEUE": 1}


def told_once(found: Iterable[PlacedFinding]) -> Iterator[PlacedFinding]:
    """In the same order; what is only logged is left as it is."""
    items = tuple(found)
    groups: dict[str, list[PlacedFinding]] = {}
    for item in items:
        if value := _value(item):
            groups.setdefault(value, []).append(item)
    for group in groups.values():
        group.sort(key=_rank)
    once = (_with_group(item, groups.get(_value(item), [])) for item in items)
    yield from _of_folders(_beside_secrets(tuple(once)))


def _with_group(item: PlacedFinding, group: list[PlacedFinding]) -> PlacedFinding:
    """`group`: the surest first."""
    return _with_places(item, group) if len(group) > 1 else item


def _beside_secrets(items: tuple[PlacedFinding, ...]) -> tuple[PlacedFinding, ...]:
    """A key that stands in the code is told as a secret: that it is fixed is the same."""
    secrets = {_place(it) for it in items if it.disposition in _WEIGHT and it.subclass == _SECRETS}
    return tuple(replace(it, same_as=_place(it)) if _is_fixed(it) and _place(it) in secrets else it for it in items)


def _is_fixed(item: PlacedFinding) -> bool:
    return item.disposition in _WEIGHT and _FIXED in item.message and not item.also and not item.same_as


def _of_folders(items: tuple[PlacedFinding, ...]) -> Iterator[PlacedFinding]:
    """A folder in which file after file brings a key of its own is told once: clients, each of another service, or the
    private keys of a set.
    """
    folders: dict[tuple[str, bool], list[PlacedFinding]] = {}
    for item in items:
        if item.disposition == "QUEUE" and item.subclass == _SECRETS and not item.same_as and not item.also:
            folders.setdefault((_folder(item), _OF_ONES_OWN in item.message), []).append(item)
    many = [
        sorted(found, key=_rank)
        for (_name, are_keys), found in folders.items()
        if len({it.path for it in found}) >= (_SET_OF_KEYS if are_keys else _MANY_FILES)
    ]
    group_of = {id(item): group for group in many for item in group}
    yield from (_with_group(item, group_of.get(id(item), [])) for item in items)


def _folder(item: PlacedFinding) -> str:
    return item.path.rpartition("/")[0]


def _value(item: PlacedFinding) -> str:
    if item.disposition not in _WEIGHT or not item.subclass:
        return ""
    of_subclass = subclass_of(item.subclass)
    if of_subclass.repeats_by_line:
        line = " ".join(item.text.split())
        said = item.message.replace(_place(item), "")
        return f"{item.rule}:{said}:{line}" if len(line) >= _LEAST_LINE else ""
    digest = _VALUE.search(item.fingerprint) if of_subclass.passes_by_value else None
    return digest[1] if digest is not None else ""


def _rank(item: PlacedFinding) -> tuple[int, float, str, int]:
    return _WEIGHT[item.disposition], -item.confidence, item.path, item.line


def _with_places(item: PlacedFinding, group: list[PlacedFinding]) -> PlacedFinding:
    first, *others = group
    if item is first:
        return replace(item, also=tuple(map(_place, others)))
    return replace(item, same_as=_place(first))


def _place(item: PlacedFinding) -> str:
    return f"{item.path}:{item.line}"
