"""`Package.swift` and `Package.resolved`: packages are known by the address they come from."""

from __future__ import annotations

from collections.abc import Iterator

from leeboard.code.manifest._json_text import parse_json, rows, table, word
from leeboard.code.manifest.package import Package, without_user
from leeboard.model.pattern import lazy

_COMMENT = lazy(r"(?m)^[ \t]{0,200}//.*$")
_PACKAGE = lazy(
    r"""\.package\(\s{0,80}(?:name:\s{0,9}"[^"]{0,200}"\s{0,9},\s{0,80})?(?:url|id):\s{0,9}"([^"]{1,400})"([^)]{0,200})"""
)
_VERSION = lazy(r"""["](\d[^"]{0,60})["]""")
_SCHEME = lazy(r"(?:[a-z+]{1,10}://)?(?:[\w.\-]{1,80}@)?")


def read_package_swift(text: str) -> Iterator[Package]:
    for found in _PACKAGE.finditer(_COMMENT.sub("", text)):
        version = _VERSION.search(found[2])
        yield Package("swift", _place(found[1]), version[1] if version else "")


def read_package_resolved(text: str) -> Iterator[Package]:
    whole = parse_json(text)
    for pin in (*rows(whole.get("pins")), *rows(table(whole, "object").get("pins"))):
        address = word(pin.get("location")) or word(pin.get("repositoryURL")) or word(pin.get("identity"))
        if address:
            yield Package("swift", _place(address), word(table(pin, "state").get("version")))


def _place(address: str) -> str:
    """`https://host/a/b.git` and `git@host:a/b` are both `host/a/b`."""
    plain = without_user(address)
    scheme = _SCHEME.match(plain)
    plain = plain[scheme.end() :] if scheme else plain
    return plain.replace(":", "/", 1).rstrip("/").removesuffix(".git").lower()
