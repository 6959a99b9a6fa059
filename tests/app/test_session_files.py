from __future__ import annotations

from pathlib import Path

import pytest

from leeboard.app.session_files import SessionSource, find_sources, read_source


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("b.jsonl", "a.jsonl", "deep/c.jsonl", "notes.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(name)
    return tmp_path


def test_a_folder_means_every_session_below_it(folder: Path) -> None:
    found = [Path(source.path).name for source in find_sources([str(folder)])]
    assert found == ["a.jsonl", "b.jsonl", "c.jsonl"]


def test_the_order_given_is_kept_and_nothing_comes_twice(folder: Path) -> None:
    given = [str(folder / "b.jsonl"), str(folder)]
    assert [Path(source.path).name for source in find_sources(given)] == ["b.jsonl", "a.jsonl", "c.jsonl"]


def test_a_glob_is_spread_out_and_an_empty_one_is_a_name(folder: Path) -> None:
    assert len(find_sources([str(folder / "**" / "*.jsonl")])) == 3
    assert find_sources([str(folder / "*.zip")]) == (SessionSource(str(folder / "*.zip"), named=True),)


def test_a_file_with_magic_in_its_name_is_itself(folder: Path) -> None:
    odd = folder / "[x].jsonl"
    odd.write_text("odd")
    (found,) = find_sources([str(odd)])
    assert read_source(found) == b"odd"


def test_any_named_file_is_meant_whatever_its_ending(folder: Path) -> None:
    assert find_sources([str(folder / "notes.txt")]) == (SessionSource(str(folder / "notes.txt"), named=True),)
