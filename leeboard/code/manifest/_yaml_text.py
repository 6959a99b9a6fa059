"""YAML by its lines: each with the keys it stands below. Anchors, tags and flow over several lines are not followed."""

from __future__ import annotations

from collections.abc import Iterator

from leeboard.code.manifest.package import unquoted
from leeboard.model.pattern import lazy

Entry = tuple[tuple[str, ...], str]
"""The keys from the top, `-` for an item of a list, and the value behind the last one."""

_BLOCK = lazy(r"[|>][-+0-9]{0,3}$")
_DASHES = 16


def entries(text: str) -> Iterator[Entry]:
    """Every key and every item with its plain value."""
    stack: list[tuple[int, str]] = []
    block: int | None = None
    for raw in text.split("\n"):
        line = raw.rstrip()
        bare = line.lstrip(" ")
        indent = len(line) - len(bare)
        if not bare or (block is not None and indent > block):
            continue
        block = None
        if bare.startswith(("#", "---", "...", "%")):
            continue
        bare, indent = _items(bare, indent, stack)
        key, value = _pair(bare)
        if key is not None:
            while stack and stack[-1][0] >= indent:
                stack.pop()
            stack.append((indent, key))
        if _BLOCK.match(value):
            block = stack[-1][0] if stack else 0
        if stack:
            yield tuple(name for _, name in stack), value


def flow_items(value: str) -> Iterator[str]:
    """The items of `[a, "b"]`."""
    if value.startswith("["):
        yield from (unquoted(item) for item in value.strip("[] ").split(",") if item.strip())


def _items(bare: str, indent: int, stack: list[tuple[int, str]]) -> tuple[str, int]:
    """What stands behind the dashes, and how far in. An item may stand as far in as the key it belongs to."""
    for _ in range(_DASHES):
        if bare != "-" and not bare.startswith("- "):
            break
        while stack and (stack[-1][0] > indent or stack[-1] == (indent, "-")):
            stack.pop()
        stack.append((indent, "-"))
        rest = bare[1:].lstrip(" ")
        indent += len(bare) - len(rest)
        bare = rest
    return bare, indent


def _pair(bare: str) -> tuple[str | None, str]:
    if bare.startswith("? "):
        return unquoted(bare[2:]), ""
    if bare[:1] in {'"', "'"}:
        end = bare.find(bare[0], 1)
        behind = bare[end + 1 :].lstrip() if end > 0 else ""
        return (bare[1:end], _plain(behind[1:])) if behind.startswith(":") else (None, _plain(bare))
    at = bare.find(": ")
    if at < 0 and bare.endswith(":"):
        at = len(bare) - 1
    is_key = at > 0 and bare[0] not in "[{"
    return (bare[:at].rstrip(), _plain(bare[at + 1 :])) if is_key else (None, _plain(bare))


def _plain(value: str) -> str:
    """Without quotes and the comment behind it."""
    value = value.strip()
    if value[:1] in {'"', "'"}:
        end = value.find(value[0], 1)
        return value[1:end] if end > 0 else value[1:]
    return value.split(" #", 1)[0].rstrip()
