from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import pytest

from leeboard.truth.digests import scan
from leeboard.truth.digests.hashing import Answers, Job, Known, perform
from leeboard.truth.digests.identity import ROW, Sight
from leeboard.truth.digests.scan import check_folders, hash_units


@pytest.fixture(params=[1e-9, 1.0])
def _cost(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """By itself, and with a second process."""
    for name in ("LOOKED_AT", "OPENED"):
        monkeypatch.setattr(scan, name, request.param)
    monkeypatch.setattr(scan, "TOGETHER", 10)
    monkeypatch.setattr(scan, "processors", lambda: 2)


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


@pytest.mark.parametrize(
    ("files", "weight", "is_shared"),
    [
        (10, 0, False),
        (10, None, False),
        (10, 200 << 20, True),
        (4000, None, False),
        (10_000, None, True),
        (10_000, 0, False),
        (20_000, 0, True),
    ],
)
def test_a_second_process_helps_where_that_is_worth_its_start(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    files: int,
    weight: int | None,
    is_shared: bool,  # noqa: FBT001 - a table
) -> None:
    """Files of a usual size where nobody looked at their sizes."""
    shared = list[Job]()

    def together(job: Job, tops: Sequence[int]) -> Answers:
        shared.append(job)
        return perform(job, tops, range(len(job[1])))

    monkeypatch.setattr(scan, "perform_shared", together)
    monkeypatch.setattr(scan, "processors", lambda: 2)
    names = b"\0".join(b"%d" % number for number in range(files // 2))
    top = os.open(tmp_path, os.O_RDONLY)
    hash_units([top], [(0, b"gone", names, "files", None)] * 2, weight, float("inf"), 0)
    os.close(top)
    assert bool(shared) is is_shared
