"""Manifests and lock files of Ruby, PHP and Elixir."""

from __future__ import annotations

from collections.abc import Iterator

from leeboard.contracts.manifest.formats import parse_json, rows, table, word
from leeboard.contracts.manifest.package import Package
from leeboard.model.text import lazy

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


# `composer.json` and `composer.lock`.


def read_composer_json(text: str) -> Iterator[Package]:
    """Packages have a vendor: what has none is the language, an extension or the manager itself."""
    whole = parse_json(text)
    for group in ("require", "require-dev"):
        for name, version in table(whole, group).items():
            if "/" in name:
                yield Package("composer", name.lower(), word(version))


def read_composer_lock(text: str) -> Iterator[Package]:
    whole = parse_json(text)
    for group in ("packages", "packages-dev"):
        for entry in rows(whole.get(group)):
            if word(entry.get("name")):
                yield Package("composer", word(entry["name"]).lower(), word(entry.get("version")))


# `mix.exs` and `mix.lock`.


_ENTRY = lazy(
    r"""\{\s{0,80}:(\w{1,200})\s{0,9},\s{0,80}(?:"((?:~>|[<>=!]=?)?\s{0,3}\d[^"]{0,80})"|(?:git|github|hex|organization):)([^}]{0,400})"""
)
_COMMENT = lazy(r"(?m)^[ \t]{0,200}\#.*$")
_ELIXIR_OWN = lazy(r"\b(?:path|in_umbrella):")
_ELIXIR_LOCKED = lazy(r"""\s{0,20}"(\w{1,200})":\s?\{:\w{1,20},\s?(?::\w{1,200}|"[^"]{0,300}"),\s?"([^"]{0,100})\"""")


def read_mix(text: str) -> Iterator[Package]:
    """Tuples that say a version or where it comes from."""
    for found in _ENTRY.finditer(_COMMENT.sub("", text)):
        if not _ELIXIR_OWN.search(found[3]):
            yield Package("hex", found[1], found[2] or "")


def read_mix_lock(text: str) -> Iterator[Package]:
    for line in text.split("\n"):
        found = _ELIXIR_LOCKED.match(line)
        if found:
            yield Package("hex", found[1], found[2])
