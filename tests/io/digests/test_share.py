from __future__ import annotations

import os
from pathlib import Path

import pytest

from leeboard.io.digests import share
from leeboard.io.digests.check import Known
from leeboard.io.digests.identity import ROW, Sight
from leeboard.io.digests.share import check_folders, hash_units


@pytest.fixture(params=[1e-9, 1.0])
def _cost(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """By itself, and with a second process."""
    for name in ("LOOKED_AT", "OPENED"):
        monkeypatch.setattr(share, name, request.param)
    monkeypatch.setattr(share, "TOGETHER", 10)
    monkeypatch.setattr(share, "processors", lambda: 2)


@pytest.mark.usefixtures("_cost")
def test_answers_come_in_order(tmp_path: Path) -> None:
    tops: list[int] = []
    known: list[list[Known]] = []
    for top in ("one", "two"):
        known.append([])
        for number in range(30):
            folder = tmp_path / top / f"{number:02}"
            folder.mkdir(parents=True)
            opened = os.open(folder, os.O_RDONLY)
            identity = ROW.pack(*Sight().opened(opened)[0])
            known[-1].append((folder.name.encode(), identity if number % 10 else b"", b"", b""))
            os.close(opened)
        tops.append(os.open(tmp_path / top, os.O_RDONLY))
    (tmp_path / "two" / "11" / "new").write_text("x")
    assert check_folders(tops, known, float("inf")) == [[0, 10, 20], [0, 10, 11, 20]]
    units = [(1, b"11", b"new", "any", None), (0, b"11", b"new", "any", None)]
    assert [those for those, *_ in hash_units(tops, units, 0, float("inf"), 0)] == [b"t", b"\0"]
    assert check_folders([], [], float("inf")) == []
    for opened in tops:
        os.close(opened)
