"""Elements of an XML file, read tag by tag: nothing is expanded, and what is not closed does no harm."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import msgspec

from leeboard.model.pattern import lazy

_COMMENT = lazy(r"<!--[^-]*(?:-(?!->)[^-]*)*(?:-->)?")
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
    for tag in _TAG.finditer(_COMMENT.sub("", text)):
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
