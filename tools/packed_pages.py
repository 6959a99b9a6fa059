"""Packs the documentation into one file of the wheel: `leeboard docs` reads it there, at a third of its weight."""

from __future__ import annotations

import json
import tempfile
import zlib
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

_LEFT_OUT = ("labels/", "conformance.md", "precision.md")
"""Figures and tables that are made with the repository at hand."""


class PackedPages(BuildHookInterface):  # type: ignore[type-arg]  # hatchling says no more of its own
    """What hatchling calls while a wheel is built; an editable install reads the pages where they are."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":
            return
        docs = Path(self.root, "docs")
        self._folder = tempfile.TemporaryDirectory()
        packed = Path(self._folder.name, "docs.json.z")
        names = {page: page.relative_to(docs).as_posix() for page in sorted(docs.rglob("*.md"))}
        pages = {
            name: page.read_text(encoding="utf-8") for page, name in names.items() if not name.startswith(_LEFT_OUT)
        }
        packed.write_bytes(zlib.compress(json.dumps(pages, ensure_ascii=False).encode(), 9))
        build_data["force_include"][str(packed)] = "leeboard/docs.json.z"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        del build_data, artifact_path
        if version != "editable":
            self._folder.cleanup()
