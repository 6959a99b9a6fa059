from __future__ import annotations

import os
from pathlib import Path

import pytest

from leeboard.contracts.disk import wg_program
from leeboard.contracts.disk.wg_program import LONGEST, WgCalls, environment, fits
from tests.wg_stand_in import calls, put_wg

ENV = {"PATH": os.environ["PATH"], "HOME": "/nonexistent"}


def wg(folder: Path, way: str = "", **env: str) -> WgCalls:
    store = folder / ".wg"
    store.mkdir(exist_ok=True)
    (store / "graph.jsonl").write_text('{"kind":"task","id":"t","title":"T"}\n')
    return WgCalls(str(put_wg(folder / "bin", way) / "wg"), str(store), ENV | env)


def test_a_child_knows_of_no_agent() -> None:
    agent = {"WG_AGENT_ID": "a", "WG_TASK_ID": "t", "WG_MESSAGE_ID": "m", "WG_DIR": "d", "WG_WORKTREE_PATH": "w"}
    kept = {"WG_LOCK_RETRY_BUDGET_MS": "900", "HOME": "/h", "PATH": "/bin"}
    assert environment(agent | kept | {"WG_USER": "kim"}) == kept | {"WG_USER": "speedrift", "NO_COLOR": "1"}


@pytest.mark.parametrize(
    ("argument", "reaches"),
    [
        ("--description=\u00e9\n```", True),
        ("x" * LONGEST, True),
        ("\u00e9" * (LONGEST // 2 + 1), False),
        ("a\0b", False),
        ("\ud800", False),
        ("--help", False),
        ("-h", False),
    ],
)
def test_what_reaches_the_program_as_it_is(argument: str, reaches: bool) -> None:  # noqa: FBT001 - a table's column
    assert fits(("--", "t", argument)) is reaches


@pytest.mark.parametrize(
    ("way", "able"),
    [("", {"edit", "log", "add"}), ("old", {"log", "add"}), ("wireguard", set()), ("fails", {"edit", "log", "add"})],
)
def test_what_it_can_is_asked_once(tmp_path: Path, way: str, able: set[str]) -> None:
    for _ in range(3):
        found = wg(tmp_path, way)
        assert {verb for verb in ("edit", "log", "add") if found.can(verb)} == able
        assert not found.hangs
    assert len(calls(tmp_path / "bin", probes=True)) == 3


def test_a_program_that_hangs_is_killed_and_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wg_program, "SECONDS", 0.5)
    found = wg(tmp_path, "hangs")
    assert not found.can("edit")
    assert found.hangs
    assert not found.can("log")
    assert len(calls(tmp_path / "bin", probes=True)) == 1
    monkeypatch.setattr(wg_program, "_hung", {})
    assert not found.can("log"), "and asked again later"
    assert len(calls(tmp_path / "bin", probes=True)) == 2


def test_only_the_end_of_a_long_complaint_is_kept(tmp_path: Path) -> None:
    ran = wg(tmp_path, "garbage").call("log", ("--", "t", "x"), -1)
    assert ran.code == 0
    assert 0 < len(ran.words) <= 4096


def test_what_it_leaves_behind_is_not_waited_for(tmp_path: Path) -> None:
    ran = wg(tmp_path, "leaves something behind").call("log", ("--actor", "a", "--", "t", "x"), -1)
    assert ran.code == 0


def test_a_program_that_is_gone_is_a_failed_call(tmp_path: Path) -> None:
    found = wg(tmp_path)
    (tmp_path / "bin" / "wg").unlink()
    assert not found.can("log")
    ran = found.call("log", ("--", "t", "x"), -1)
    assert (ran.code, "could not be started" in ran.words) == (None, True)
