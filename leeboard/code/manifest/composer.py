"""`composer.json` and `composer.lock`."""

from __future__ import annotations

from collections.abc import Iterator

from leeboard.code.manifest._json_text import parse_json, rows, table, word
from leeboard.code.manifest.package import Package


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
