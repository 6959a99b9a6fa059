"""TOML: parsed whole where people write it, scanned by line where a program wrote thousands of entries."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from leeboard.code.manifest.package import Unreadable, unquoted

LARGEST = 8 << 20
_DOTS = 500
"""A key of more parts than this would cost the parser the square of them."""


def parse_toml(text: str) -> dict[str, Any]:
    import tomllib  # noqa: PLC0415 - only where such a file was changed

    if len(text) > LARGEST:
        raise Unreadable("it is too large")
    if any(line.count(".") > _DOTS for line in text.split("\n")):
        raise Unreadable("it has a line nobody would write")
    try:
        return tomllib.loads(text.removeprefix("\ufeff").replace("\r\n", "\n"))
    except (ValueError, RecursionError) as error:
        raise Unreadable("it is no valid TOML") from error


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
