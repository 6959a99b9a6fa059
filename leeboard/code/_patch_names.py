"""The names of files in the heads of a patch, unified, context or git's own. Rather one too many than one too few."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from leeboard.model.pattern import lazy

_HEAD = lazy(r"(--- |\+\+\+ |\*\*\* |Index: |diff --git |(?:rename|copy) (?:from|to) )([^\n]{1,4096})")
_HUNK = lazy(r"[-+]?\d{1,9}(?:,\d{1,9})? (?:\*\*\*\*|----)")
_DATED = lazy(r" {1,9}(?:\d{4}-\d\d-\d\d|(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) )")


def changed_names(text: str, strip: int | None) -> list[str] | None:
    """With so many folders taken off, None: all or none of them; the answer None: nobody can tell."""
    found: dict[str, None] = {}
    for head in _HEAD.finditer(text):
        if head[2].lstrip()[:1] == '"' or (head[1].startswith("diff") and '"' in head[2]):
            return None  # a quoted name may hold anything
        for name in _told(head[1], head[2]):
            found.update(dict.fromkeys(_stripped(name, strip, is_plain=head[1].startswith(("rename", "copy")))))
    return [name for name in found if name] or None


def _told(head: str, rest: str) -> Iterator[str]:
    name = rest.rstrip("\r").partition("\t")[0].strip()
    if head == "diff --git ":
        first, _, second = name.partition(" b/")
        yield from (*name.split(), first, f"b/{second}")
    elif name and not name.startswith("/dev/null") and not _HUNK.match(name):
        yield _DATED.split(name)[0]


def _stripped(name: str, strip: int | None, *, is_plain: bool) -> Iterator[str]:
    """A name behind `rename` has no `a/` before it."""
    if strip is None:
        yield from (name, posixpath.basename(name))
        return
    parts = [part for part in name.split("/") if part]
    for count in {strip, max(strip - 1, 0)} if is_plain else {strip}:
        yield "/".join(parts[count:])
