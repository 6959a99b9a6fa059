"""Lock files of Python."""

from __future__ import annotations

import pytest

from leeboard.contracts.manifest.python import read_package_blocks, read_pipfile_lock, read_pylock

POETRY = """[[package]]
name = "Requests"
version = "2.31.0"
description = "HTTP"
optional = false
files = [
    {file = "requests.whl", hash = "sha256:00"},
]

[package.dependencies]
idna = ">=2"

[[package]]
name = "ours"
version = "0.1"
[package.source]
type = "directory"
url = "ours"

[metadata]
lock-version = "2.0"
"""
UV = """version = 1

[[package]]
name = "app"
version = "0.1.0"
source = { editable = "." }
dependencies = [
    { name = "idna" },
]

[[package]]
name = "member"
version = "0.1.0"
source = { virtual = "packages/member" }

[[package]]
name = "idna"
version = "3.7"
source = { registry = "https://host/simple" }
"""
PDM = """[metadata]
groups = ["default"]
[[package]]
name = "certifi"
version = "2024.2.2"
requires_python = ">=3.6"
"""


@pytest.mark.parametrize(
    ("text", "found"), [(POETRY, ("requests", "2.31.0")), (UV, ("idna", "3.7")), (PDM, ("certifi", "2024.2.2"))]
)
def test_blocks(text: str, found: tuple[str, str]) -> None:
    assert [(one.name, one.version) for one in read_package_blocks(text)] == [found]


def test_pylock() -> None:
    text = '[[packages]]\nname = "a"\nversion = "1"\n[[packages]]\nname = "own"\ndirectory = {path = "."}\n'
    assert [one.name for one in read_pylock(text)] == ["a"]


def test_pipfile_lock() -> None:
    text = (
        '{"_meta": {"sources": []}, "default": {"a": {"version": "==1"}, "own": {"path": "."}}, "develop": {"b": {}}}'
    )
    assert [(one.name, one.version) for one in read_pipfile_lock(text)] == [("a", "==1"), ("b", "")]
