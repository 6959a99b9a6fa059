"""Packs the documentation into one file of the wheel: `leeboard docs` reads it there, at a third of its weight."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

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
        packed = Path(self._folder.name, "docs.zip")
        with ZipFile(packed, "w", ZIP_DEFLATED, compresslevel=9) as pages:
            for page in sorted(docs.rglob("*.md")):
                name = page.relative_to(docs).as_posix()
                if not name.startswith(_LEFT_OUT):
                    # The day is always the same, and so is the wheel of the same tree.
                    pages.writestr(ZipInfo(name), page.read_bytes(), ZIP_DEFLATED)
        build_data["force_include"][str(packed)] = "leeboard/docs.zip"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        del build_data, artifact_path
        if version != "editable":
            self._folder.cleanup()
