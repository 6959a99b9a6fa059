"""The table of `make field`, made from scripted sessions that stand in for a folder of real ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.field import VARIANTS, by_sub_agent, interval, load, main, spliced, through_shell
from tools.session_facts import decode, uses
from tools.splice import Pair, pairs
from tools.splice_figures import load as load_scripted

SESSIONS = Path(__file__).resolve().parents[1] / "sessions"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four sessions of one repository, as files."""
    scripted = load_scripted(str(SESSIONS), held_out=False)
    place = tmp_path_factory.mktemp("field") / "sessions"
    place.mkdir()
    for number, one in enumerate([one for one in scripted if one.repo == scripted[0].repo][:4]):
        (place / f"{number:03}.jsonl").write_bytes(b"".join(one.lines))
    return place.parent


def some_pair(folder: Path) -> Pair:
    return next(pairs(load(str(folder))))


def test_it_prints_a_row_for_each_question(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(folder), "-j", "1", "--keep", str(folder)]) == 0
    first, ordinary, *rows = capsys.readouterr().out.splitlines()
    assert first.startswith("4 sessions of ")
    assert ordinary.startswith("ordinary sessions spoken to")
    noticed = [row for row in rows if row.startswith("noticed: ")]
    assert [any(row.startswith(f"noticed: {one.name}, ") for row in noticed) for one in VARIANTS] == [True] * len(
        VARIANTS
    )


def test_a_part_of_the_table_can_be_asked_for(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(folder), "-j", "1", "--ways", "rm", "--keep", str(folder)]) == 0
    rows = capsys.readouterr().out.splitlines()[1:]
    assert rows
    assert all(row.startswith("noticed: shell: rm, ") for row in rows)
    assert main([str(folder), "--ways", "telegraph"]) == 2
    assert "telegraph: no such way" in capsys.readouterr().err


def test_a_second_run_plays_nothing_again(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = [str(folder / "sessions"), "-j", "1", "--ways", "unread", "--sample", "1", "--keep", str(tmp_path)]
    assert main(asked) == 0
    first = capsys.readouterr().out
    (kept,) = tmp_path.iterdir()
    assert len(kept.read_text(encoding="utf-8").splitlines()) == len(first.splitlines()) - 1, "one case a row"
    kept.write_text(kept.read_text(encoding="utf-8").replace("true", "false"), encoding="utf-8")
    assert main(asked) == 0
    assert "1/1" not in capsys.readouterr().out, "told from what was kept"


def test_a_folder_without_sessions_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path)]) == 2
    assert str(tmp_path) in capsys.readouterr().err


def test_strangers_come_through_the_shell(folder: Path) -> None:
    (variant,) = [one for one in VARIANTS if one.change is through_shell]
    lines, ids = spliced(some_pair(folder), variant)
    calls = {use.id: use for use in uses(decode(lines))}
    assert ids
    assert {calls[one].name for one in ids} == {"Bash"}
    assert all(calls[one].input["command"].startswith("cat >> /") for one in ids)


@pytest.mark.parametrize(("key", "begins"), [("sed", ("sed -i ", "cat >> /")), ("rm", ("rm /",))])
def test_other_programs_of_the_shell_are_tried(folder: Path, key: str, begins: tuple[str, ...]) -> None:
    (variant,) = [one for one in VARIANTS if one.key == key]
    lines, ids = spliced(some_pair(folder), variant)
    calls = {use.id: use for use in uses(decode(lines))}
    assert all(calls[one].input["command"].startswith(begins) for one in ids)


def test_strangers_come_by_a_sub_agent(folder: Path) -> None:
    (variant,) = [one for one in VARIANTS if one.change is by_sub_agent]
    lines, ids = spliced(some_pair(folder), variant)
    sides = {use.id: use.side for use in uses(decode(lines))}
    assert all(sides[one] for one in ids)
    assert not all(sides.values())


def test_an_interval_holds_its_share_and_is_the_same_each_time() -> None:
    hits = [True] * 30 + [False] * 70
    low, high = interval(hits)
    assert low < 0.3 < high
    assert interval(hits) == (low, high)
    assert interval([]) == (0.0, 0.0)
