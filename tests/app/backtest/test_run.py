"""Sessions judged side by side: the same answers however many processes, whatever lies between them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from msgspec.structs import replace

from leeboard.app.backtest.chosen_settings import BARE
from leeboard.app.backtest.run import Basis, JudgedFile, run_sessions
from leeboard.app.session_files import LARGEST, find_sources, joined
from tests.recorded_sessions import record, staying, straying

BASIS = Basis(chosen=BARE, for_all=True, judge="1")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return record(tmp_path / "sessions", a=straying("a"), b=staying("b"), c=straying("c"))


def run(folder: Path, basis: Basis = BASIS, jobs: int = 1) -> list[JudgedFile]:
    return list(run_sessions(joined(find_sources([str(folder)])), basis, jobs))


def test_processes_change_nothing(folder: Path) -> None:
    alone = run(folder, replace(BASIS, judge="alone"))
    assert run(folder, replace(BASIS, judge="many"), jobs=3) == alone
    assert [len(one.heard.remarks) for one in alone if one.heard] == [2, 0, 2]


def test_the_second_run_finds_what_is_finished(folder: Path) -> None:
    first = run(folder)
    assert not any(one.was_finished for one in first)
    second = run(folder)
    assert all(one.was_finished for one in second)
    assert [one.heard for one in second] == [one.heard for one in first]
    assert not any(one.was_finished for one in run(folder, replace(BASIS, judge="2")))
    with (folder / "b.jsonl").open("ab") as file:
        file.write(b"\n")
    assert [one.was_finished for one in run(folder)] == [True, False, True]


def test_only_sessions_that_ended_since(folder: Path) -> None:
    ended = {one.source.stem: one.heard.ended for one in run(folder) if one.heard}
    newest = max(ended.values())
    found = run(folder, replace(BASIS, since=newest))
    assert {one.source.stem for one in found if one.heard} == {name for name, end in ended.items() if end == newest}
    assert all(one.is_old for one in found if not one.heard)


def test_a_session_without_times_is_as_old_as_its_file(folder: Path) -> None:
    bare = b"\n".join(line.replace(b'"timestamp"', b'"wasthen"') for line in straying("a").split(b"\n"))
    record(folder, a=bare)
    os.utime(folder / "a.jsonl", (1_000, 1_000))
    assert [one.is_old for one in run(folder, replace(BASIS, since=2_000.0))] == [True, False, False]
    os.utime(folder / "a.jsonl", (3_000, 3_000))
    assert not any(one.is_old for one in run(folder, replace(BASIS, since=2_000.0)))


def test_what_is_no_session_is_passed_over(folder: Path) -> None:
    record(folder, garbage=b"\x00\xff{half\nnot json\n", empty=b"", nul=bytes(5_000), half=straying("h")[:-40])
    (folder / "loop.jsonl").symlink_to(folder / "loop.jsonl")
    (folder / "around").symlink_to(folder)
    (folder / "gone.jsonl").symlink_to(folder / "nowhere")
    (folder / "folder.jsonl").mkdir()
    os.mkfifo(folder / "pipe.jsonl")
    with (folder / "vast.jsonl").open("wb") as file:
        file.truncate(LARGEST + 1)
    found = {one.source.stem: one for one in run(folder, jobs=2)}
    assert set(found) == {"a", "b", "c", "garbage", "empty", "nul", "half", "loop", "gone", "pipe", "vast"}
    assert {name for name, one in found.items() if one.heard} == {"a", "b", "c", "half"}
    assert all(one.problem for one in found.values() if not one.heard)
    assert "no record of a session" in found["garbage"].problem
    assert "larger than" in found["vast"].problem


def test_a_file_whose_name_is_no_text(folder: Path) -> None:
    odd = os.fsencode(folder) + b"/\xff.jsonl"
    with open(odd, "wb") as file:  # noqa: PTH123 - pathlib can not name it
        file.write(staying("odd"))
    assert [one.heard.file for one in run(folder) if one.heard] == ["a", "b", "c", "\N{REPLACEMENT CHARACTER}"]


def test_sub_agents_belong_to_their_session(folder: Path) -> None:
    recordings = Path(__file__).parents[2] / "fixtures" / "transcripts"
    main = (recordings / "claude-subagent.jsonl").read_bytes()
    record(folder / "x", main=main)
    (alone,) = run(folder / "x")
    record(folder / "x" / "main" / "subagents", agent=(recordings / "claude-subagent.subagent.jsonl").read_bytes())
    (found,) = run(folder / "x")
    assert found.source.parts == (str(folder / "x" / "main" / "subagents" / "agent.jsonl"),)
    assert found.heard is not None
    assert alone.heard is not None
    assert found.heard.session == alone.heard.session
    assert found.heard.turns > alone.heard.turns


def test_each_session_goes_by_its_own_project(tmp_path: Path) -> None:
    project = tmp_path / "shop"
    project.mkdir()
    (project / "leeboard.toml").write_text('profile = "enforce"\n')
    own = straying("a").replace(b"/home/dev/shop", os.fsencode(project))
    folder = record(tmp_path / "sessions", a=own, b=straying("b"))
    here, gone = run(folder, replace(BASIS, for_all=False))
    assert here.heard is not None
    assert gone.heard is not None
    assert here.heard.judged_by == str(project / "leeboard.toml")
    assert gone.heard.judged_by == "the defaults"
    assert [one.action for one in here.heard.remarks] == ["DENY", "DENY"]
    assert [one.heard.judged_by for one in run(folder) if one.heard] == ["the defaults"] * 2
    told = run(folder, replace(BASIS, for_all=False, profile="observe"))  # what is chosen has it over it already
    assert [one.heard.remarks for one in told if one.heard] == [(), gone.heard.remarks]
