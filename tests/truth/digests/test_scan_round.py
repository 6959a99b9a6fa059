from __future__ import annotations

import time
from pathlib import Path

import pytest

from leeboard.truth.digests import identity
from leeboard.truth.digests.scan import NEVER, Round
from leeboard.truth.digests.tree import Scan, Tops


@pytest.fixture
def tops(tmp_path: Path) -> Tops:
    for name in ("one", "two"):
        (tmp_path / name / "in").mkdir(parents=True)
        (tmp_path / name / "in" / "file").write_text(name)
    (tmp_path / "alone").write_text("x")
    return Tops(names=("one", "two", "alone", "gone"), below=str(tmp_path))


def rounds(tops: Tops) -> Round:
    return Round(tops, NEVER, lambda: time.time_ns() + 10 * identity.WINDOW)


def change(tops: Tops, name: str) -> None:
    Path(tops.below, name).write_text("something else")


def files(found: Scan) -> dict[str, int]:
    return {path: digest.bytes for path, digest in found.files.items()}


def test_only_suspects_are_looked_at_where_there_are_any(tops: Tops) -> None:
    first, second, third = rounds(tops), rounds(tops), rounds(tops)
    before = files(first.look({}))
    change(tops, "one/in/file")
    change(tops, "two/in/file")
    found = second.look(first.tree, {"one": {b"in"}}, {})
    assert files(found) == before | {"one/in/file": 14}
    assert (found.hashed, found.unchanged) == (1, False)
    unsure = third.look(second.tree, {}, {"two": {b"in"}})
    assert files(unsure) == before | {"one/in/file": 14, "two/in/file": 14}


def test_a_top_that_is_a_file_is_remembered_too(tops: Tops) -> None:
    first, second, third = rounds(tops), rounds(tops), rounds(tops)
    assert first.look({}).hashed == 3
    found = second.look(first.tree)
    assert (found.hashed, found.unchanged, second.tree) == (0, True, first.tree)
    change(tops, "alone")
    found = third.look(second.tree)
    assert (found.hashed, found.unchanged, found.files["alone"].bytes) == (1, False, 14)


def test_large_files_are_dealt_out_one_by_one(tops: Tops) -> None:
    for number in range(5):
        Path(tops.below, "one", f"large{number}").write_bytes(bytes([number]) * (5 << 20))
    found = rounds(tops).look({})
    assert (found.hashed, found.files["one/large3"].bytes) == (8, 5 << 20)
    assert len({found.files[f"one/large{number}"].sha256 for number in range(5)}) == 5
