"""Web code of today as people write it, in the frameworks they use: each piece with a twin that does the same safely."""

from __future__ import annotations

from pathlib import Path

import pytest

from leeboard.app.scan.file_scan import scan
from leeboard.app.scan.target import Target
from leeboard.app.scan.work import Terms

_FOLDER = Path(__file__).parents[2] / "fixtures" / "twins"
_SPOKEN = ("FIRE", "QUEUE")


def _twins(text: str) -> list[tuple[str, str, str]]:
    """Name, harmful and harmless text of each."""
    found = []
    for block in text.split("\n=== ")[1:]:
        name, _, body = block.partition("\n")
        harmful, _, harmless = body.partition("\n---\n")
        found.append((name.strip(), harmful + "\n", harmless + "\n"))
    return found


def _spoken_of(folder: Path, files: dict[str, str]) -> set[str]:
    targets = []
    for name, text in files.items():
        (folder / name).write_text(text)
        targets.append(Target(name, str(folder), name))
    scans = scan(tuple(targets), {str(folder): Terms()}, 1)
    return {one.path for one in scans if any(found.disposition in _SPOKEN for found in one.found)}


@pytest.mark.parametrize("path", sorted(_FOLDER.glob("*.txt")), ids=lambda path: path.stem)
def test_each_is_told_from_its_twin(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    harmful, harmless = tmp_path / "app", tmp_path / "twin"
    harmful.mkdir()
    harmless.mkdir()
    twins = _twins(path.read_text())
    assert twins
    names = {name for name, _bad, _good in twins}
    assert _spoken_of(harmful, {name: bad for name, bad, _good in twins}) == names
    assert _spoken_of(harmless, {name: good for name, _bad, good in twins}) == set()
