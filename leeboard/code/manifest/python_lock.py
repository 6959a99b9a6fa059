"""Lock files of Python: what a resolver chose, without the project itself and its own folders."""

from __future__ import annotations

from collections.abc import Iterator

from leeboard.code.manifest._json_text import parse_json, table, word
from leeboard.code.manifest._toml_text import blocks
from leeboard.code.manifest.package import Package, python_name
from leeboard.model.pattern import lazy

_OWN = lazy(r"\{\s{0,9}(?:virtual|editable|directory|workspace|path)\s{0,9}=")


def read_package_blocks(text: str) -> Iterator[Package]:
    """`poetry.lock`, `uv.lock` and `pdm.lock`: one `[[package]]` each."""
    yield from _packages(text, "package")


def read_pylock(text: str) -> Iterator[Package]:
    yield from _packages(text, "packages")


def read_pipfile_lock(text: str) -> Iterator[Package]:
    for category, packages in parse_json(text).items():
        if category != "_meta":
            for name, spec in table(packages).items():
                if "path" not in table(spec):
                    yield Package("pypi", python_name(name), word(table(spec).get("version")))


def _packages(text: str, header: str) -> Iterator[Package]:
    for block in blocks(text, header):
        own = _OWN.match(block.get("source", "")) or block.get("source.type") == "directory" or "path" in block
        if block.get("name") and not own and "directory" not in block:
            yield Package("pypi", python_name(block["name"]), block.get("version", ""))
