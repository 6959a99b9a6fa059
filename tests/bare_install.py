"""Leeboard as somebody has it who installed it without its extras: an interpreter that finds what it needs, and no more."""

from __future__ import annotations

import sys
import sysconfig
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.surfaces.cli.conftest import Desk, Ran

_EXTRAS = ("psycopg", "opentelemetry", "dask", "distributed", "uvloop", "starlette", "uvicorn")
ROOT = Path(__file__).resolve().parents[1]


class BareInstall:
    def __init__(self, folder: Path) -> None:
        """The folder gets a link to each installed package but those of the extras."""
        self._packages = folder
        folder.mkdir()
        for place in Path(sysconfig.get_paths()["platlib"]).iterdir():
            if not place.name.startswith(_EXTRAS):
                (folder / place.name).symlink_to(place)

    def run(self, desk: Desk, *words: str) -> Ran:
        """A real command of this installation."""
        paths = {"PYTHONPATH": f"{ROOT}:{self._packages}"}
        return desk.execute((sys.executable, "-S", "-m", "leeboard", *words), env=paths)
