from __future__ import annotations

import io
import os
from pathlib import Path

import pytest

from leeboard.app.session_files import LARGEST, SessionSource, client_folders, find_sources, joined, read_source
from leeboard.clients import client_named, client_names


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


def test_what_was_found_in_a_folder_is_a_regular_file_or_nothing(folder: Path) -> None:
    os.mkfifo(folder / "pipe.jsonl")
    with (folder / "vast.jsonl").open("wb") as file:
        file.truncate(LARGEST + 1)
    for name in ("pipe.jsonl", "vast.jsonl", "deep"):
        with pytest.raises(OSError):
            read_source(SessionSource(str(folder / name)))


def test_a_circle_of_links_is_walked_once(folder: Path) -> None:
    (folder / "deep" / "up").symlink_to(folder)
    assert len(find_sources([str(folder)])) == 3


@pytest.mark.parametrize(
    "pattern", ["**/*.jsonl", "**/*", "**", "**/**/*.jsonl", "./**//*.js**l", "deep/../**/[abc].jsonl"]
)
def test_links_that_lead_around_do_not_hold_a_glob_up(
    folder: Path, monkeypatch: pytest.MonkeyPatch, pattern: str
) -> None:
    (folder / "notes.txt").unlink()
    for number in range(6):
        (folder / "deep" / f"up{number}").symlink_to(folder)
    monkeypatch.chdir(folder)
    for given in (pattern, str(folder / pattern)):
        assert {os.path.realpath(source.path) for source in find_sources([given])} == {
            str(folder.resolve() / name) for name in ("a.jsonl", "b.jsonl", "deep/c.jsonl")
        }


def test_what_comes_through_a_pipe_ends_at_the_size_of_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("leeboard.app.session_files.LARGEST", 8)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"12345678")))
    assert read_source(SessionSource("-", named=True)) == b"12345678"
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"123456789")))
    with pytest.raises(OSError, match="larger than 8 bytes"):
        read_source(SessionSource("-", named=True))


def test_sub_agents_are_joined_to_their_session_where_that_is_there(tmp_path: Path) -> None:
    for name in ("s.jsonl", "s/subagents/agent-1.jsonl", "s/subagents/agent-2.jsonl", "t/subagents/agent-3.jsonl"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    alone, lost = joined(find_sources([str(tmp_path)]))
    assert [Path(part).name for part in alone.parts] == ["agent-1.jsonl", "agent-2.jsonl"]
    assert (lost.stem, lost.parts) == ("agent-3", ())


def test_every_client_says_where_its_transcripts_lie(tmp_path: Path) -> None:
    for name in client_names():
        folders = client_named(name).transcript_folders({}, "/home/kim")
        assert all(folder.startswith("/home/kim/.") for folder in folders)
        assert client_named(name).main_transcript("/x/y.jsonl") == ""
    env = {"CLAUDE_CONFIG_DIR": str(tmp_path / "one"), "CODEX_HOME": str(tmp_path / "two")}
    assert not {*client_folders(env)} & {str(tmp_path / "one" / "projects")}
    (tmp_path / "one" / "projects").mkdir(parents=True)
    (tmp_path / "two" / "sessions").mkdir(parents=True)
    assert {*client_folders(env)} >= {str(tmp_path / "one" / "projects"), str(tmp_path / "two" / "sessions")}


def test_a_pipe_that_a_pattern_meets_is_not_waited_for(tmp_path: Path) -> None:
    """Nobody named it: what a pattern finds is a regular file or nothing, as in a folder."""
    os.mkfifo(tmp_path / "pipe.jsonl")
    (found,) = find_sources((f"{tmp_path}/*.jsonl",))
    with pytest.raises(OSError, match=r"."):
        read_source(found)
