"""Files written to a folder and scanned there."""

from __future__ import annotations

from pathlib import Path

from leeboard.app.scan.file_scan import scan
from leeboard.app.scan.target import Target
from leeboard.app.scan.work import FileScan, Terms


def scanned(folder: Path, files: dict[str, str], terms: Terms | None = None, jobs: int = 1) -> list[FileScan]:
    targets = []
    for name, text in files.items():
        (folder / name).write_bytes(text.encode())
        targets.append(Target(f"shown/{name}", str(folder), name))
    return list(scan(tuple(targets), {str(folder): terms or Terms()}, jobs))
