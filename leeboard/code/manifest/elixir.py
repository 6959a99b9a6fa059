"""`mix.exs` and `mix.lock`."""

from __future__ import annotations

from collections.abc import Iterator

from leeboard.code.manifest.package import Package
from leeboard.model.pattern import lazy

_ENTRY = lazy(
    r"""\{\s{0,80}:(\w{1,200})\s{0,9},\s{0,80}(?:"((?:~>|[<>=!]=?)?\s{0,3}\d[^"]{0,80})"|(?:git|github|hex|organization):)([^}]{0,400})"""
)
_COMMENT = lazy(r"(?m)^[ \t]{0,200}\#.*$")
_OWN = lazy(r"\b(?:path|in_umbrella):")
_LOCKED = lazy(r"""\s{0,20}"(\w{1,200})":\s?\{:\w{1,20},\s?(?::\w{1,200}|"[^"]{0,300}"),\s?"([^"]{0,100})\"""")


def read_mix(text: str) -> Iterator[Package]:
    """Tuples that say a version or where it comes from."""
    for found in _ENTRY.finditer(_COMMENT.sub("", text)):
        if not _OWN.search(found[3]):
            yield Package("hex", found[1], found[2] or "")


def read_mix_lock(text: str) -> Iterator[Package]:
    for line in text.split("\n"):
        found = _LOCKED.match(line)
        if found:
            yield Package("hex", found[1], found[2])
