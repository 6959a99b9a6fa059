"""TOML, whole and by its blocks."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.contracts.manifest.formats import LARGEST, blocks, parse_toml
from leeboard.contracts.manifest.package import UnreadableManifest


def test_parse() -> None:
    assert parse_toml('\ufeff[a]\r\nb = "c"\r\n') == {"a": {"b": "c"}}


@pytest.mark.parametrize("text", ["[a", "a = [" * 20_000, "a" + ".a" * 200_000 + " = 1", "#" * (LARGEST + 1), "a = \0"])
def test_what_can_not_be_read(text: str) -> None:
    with pytest.raises(UnreadableManifest):
        parse_toml(text)


@given(st.text())
def test_never_raises_anything_else(text: str) -> None:
    with suppress(UnreadableManifest):
        parse_toml(text)
    list(blocks(text, "package"))


def test_blocks() -> None:
    text = """version = 4
[[package]]
name = "a"
files = [
    {file = "x", name = "y"},
]
[package.dependencies]
name = "not this"
[package.source]
type = "git"

[[package]]
name = "b"

[metadata]
name = "c"
"""
    first, second = blocks(text, "package")
    assert (first["name"], first["source.type"], second["name"]) == ("a", "git", "b")
