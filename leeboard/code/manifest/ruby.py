"""`Gemfile`, `*.gemspec` and `Gemfile.lock`."""

from __future__ import annotations

from collections.abc import Iterator

from leeboard.code.manifest.package import Package
from leeboard.model.pattern import lazy

_GEM = lazy(r"""\s{0,80}gem[\s(]{1,9}["']([\w.\-]{1,200})["'](?:\s{0,9},\s{0,9}["']([^"']{0,80})["'])?(.*)""")
_OWN = lazy(r"\bpath(?::|['\"]?\s{0,3}=>)")
_ADDED = lazy(
    r"""\.add_(?:runtime_|development_)?dependency[\s(]{1,9}["']([\w.\-]{1,200})["'](?:\s{0,9},\s{0,9}["']([^"']{0,80})["'])?"""
)
_LOCKED = lazy(r" {4}([\w.\-]{1,200})(?: \(([^)]{0,80})\))?\s*$")


def read_gemfile(text: str) -> Iterator[Package]:
    for line in text.split("\n"):
        found = _GEM.match(line)
        if found and not _OWN.search(found[3].partition("#")[0]):
            yield Package("gem", found[1], found[2] or "")


def read_gemspec(text: str) -> Iterator[Package]:
    for line in text.split("\n"):
        found = _ADDED.search(line)
        if found and not line.lstrip().startswith("#"):
            yield Package("gem", found[1], found[2] or "")


def read_gemfile_lock(text: str) -> Iterator[Package]:
    """The specs of every remote; those below PATH are of this repository."""
    section = ""
    for line in text.split("\n"):
        if line[:1].isalpha():
            section = line.strip()
        found = _LOCKED.match(line) if section in {"GEM", "GIT"} else None
        if found:
            yield Package("gem", found[1], found[2] or "")
