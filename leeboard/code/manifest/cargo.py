"""`Cargo.toml` and `Cargo.lock`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from leeboard.code.manifest._json_text import table, word
from leeboard.code.manifest._toml_text import blocks, parse_toml
from leeboard.code.manifest.package import Package

_GROUPS = ("dependencies", "dev-dependencies", "build-dependencies", "dev_dependencies", "build_dependencies")


def read_cargo_toml(text: str) -> Iterator[Package]:
    """Dependencies of the package, the workspace and each target; crates of this repository are none."""
    whole = parse_toml(text)
    for place in (whole, table(whole, "workspace"), *table(whole, "target").values()):
        for group in _GROUPS:
            yield from _crates(table(place, group))


def _crates(group: dict[str, Any]) -> Iterator[Package]:
    for name, spec in group.items():
        given = table(spec)
        if "path" not in given:
            version = word(spec) or next((word(given[key]) for key in ("version", "tag", "rev") if key in given), "")
            yield Package("cargo", word(given.get("package")) or name, version)


def read_cargo_lock(text: str) -> Iterator[Package]:
    for block in blocks(text, "package"):
        if block.get("name") and block.get("source"):
            yield Package("cargo", block["name"], block.get("version", ""))
