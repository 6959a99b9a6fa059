"""JSON, XML, TOML and YAML as manifests write them: as much of each as it takes to find packages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import msgspec

from leeboard.contracts.manifest.package import UnreadableManifest, unquoted
from leeboard.model.text import lazy

# Each alternative matches to the end of the text where it is not closed: no place is read twice.
_STRING = r'"[^"\\]*(?:\\[\s\S][^"\\]*)*"?'
_COMMENT = lazy(rf"({_STRING})|//[^\n]*|/\*[^*]*(?:\*(?!/)[^*]*)*(?:\*/)?")
_LAST_COMMA = lazy(rf"({_STRING})|,(?=[ \t\r\n]*[}}\]])")


def parse_json(text: str) -> dict[str, Any]:
    """The object in the text; comments and a last comma, which many tools write, are read over."""
    try:
        return _object(text.removeprefix("\ufeff"))
    except UnreadableManifest:
        plain = _COMMENT.sub(_kept, text.removeprefix("\ufeff"))
        return _object(_LAST_COMMA.sub(_kept, plain))


def _object(text: str) -> dict[str, Any]:
    try:
        found = msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError, ValueError) as error:
        raise UnreadableManifest("it is not valid JSON") from error
    if not isinstance(found, dict):
        raise UnreadableManifest("it is not a JSON object")
    return found


def _kept(match: Any) -> str:
    return match[1] or ""


def table(value: object, *keys: str) -> dict[str, Any]:
    """The table below these keys; empty where there is none."""
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value if isinstance(value, dict) else {}


def rows(value: object) -> Iterator[dict[str, Any]]:
    """The tables in a list."""
    yield from (item for item in value if isinstance(item, dict)) if isinstance(value, list) else ()


def words(value: object) -> Iterator[str]:
    """The strings in a list."""
    yield from (item for item in value if isinstance(item, str)) if isinstance(value, list) else ()


def word(value: object) -> str:
    return value if isinstance(value, str) else ""


# Elements of an XML file, read tag by tag: nothing is expanded, and what is not closed does no harm.


_MARKUP_COMMENT = lazy(r"<!--[^-]*(?:-(?!->)[^-]*)*(?:-->)?")
_TAG = lazy(
    r"<(?P<close>/?)(?P<name>[A-Za-z_][\w:.\-]{0,200})"
    r"(?P<attributes>[^<>\"']*(?:(?:\"[^\"<]*\"|'[^'<]*')[^<>\"']*)*)>(?P<text>[^<]*)"
)
_ATTRIBUTE = lazy(r"(?<![\w:.\-])([A-Za-z_][\w:.\-]{0,200})\s{0,20}=\s{0,20}(?:\"([^\"]*)\"|'([^']*)')")


class Element(msgspec.Struct):
    """An element that was closed, with the texts of its direct children."""

    name: str
    attributes: dict[str, str]
    children: dict[str, str]
    parent: str = ""
    text: str = ""


def elements(text: str) -> Iterator[Element]:
    """Inner ones first."""
    stack: list[Element] = []
    opened: Counter[str] = Counter()
    for tag in _TAG.finditer(_MARKUP_COMMENT.sub("", text)):
        name = tag["name"].rpartition(":")[2]
        if tag["close"]:
            while opened[name]:
                last = _closed(stack, opened)
                yield last
                if last.name == name:
                    break
            continue
        stack.append(Element(name, _attributes(tag["attributes"]), {}, stack[-1].name if stack else "", tag["text"]))
        opened[name] += 1
        if tag["attributes"].endswith("/"):
            yield _closed(stack, opened)


def _closed(stack: list[Element], opened: Counter[str]) -> Element:
    last = stack.pop()
    opened[last.name] -= 1
    if stack:
        stack[-1].children.setdefault(last.name, last.text.strip())
    return last


def _attributes(text: str) -> dict[str, str]:
    return {found[1]: found[2] or found[3] or "" for found in _ATTRIBUTE.finditer(text)}


# TOML: parsed whole where people write it, scanned by line where a program wrote thousands of entries.


LARGEST = 8 << 20
_DOTS = 500
"""A key of more parts than this would cost the parser the square of them."""


def parse_toml(text: str) -> dict[str, Any]:
    import tomllib  # noqa: PLC0415 - only where such a file was changed

    if len(text) > LARGEST:
        raise UnreadableManifest("it is too large")
    if any(line.count(".") > _DOTS for line in text.split("\n")):
        raise UnreadableManifest("it has a line nobody would write")
    try:
        return tomllib.loads(text.removeprefix("\ufeff").replace("\r\n", "\n"))
    except (ValueError, RecursionError) as error:
        raise UnreadableManifest("it is not valid TOML") from error


def blocks(text: str, header: str) -> Iterator[dict[str, str]]:
    """Each `[[header]]` with its plain keys; those of a table below it (`[header.source]`) as `source.key`."""
    current: dict[str, str] | None = None
    below = ""
    for raw in text.split("\n"):
        line = raw.rstrip()
        if line.startswith("["):
            name = line.strip("[] ")
            if name.startswith(f"{header}.") and current is not None:
                below = f"{name[len(header) + 1 :]}."
                continue
            if current is not None:
                yield current
            current, below = ({}, "") if line == f"[[{header}]]" else (None, "")
        elif current is not None and line[:1].isalpha():
            key, _, value = line.partition("=")
            current.setdefault(below + key.strip(), unquoted(value))
    if current is not None:
        yield current


# YAML by its lines: each with the keys it stands below. Anchors, tags and flow over several lines are not followed.


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
