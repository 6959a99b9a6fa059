from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from leeboard.app.replay import replay_bytes
from leeboard.model.policy import Policy
from leeboard.surfaces.cli.project import demo

if TYPE_CHECKING:
    from tests.surfaces.cli.conftest import Desk

RECORDING = Path(demo.__file__).parent / demo.RECORDING
VERDICT_KEYS = [
    *(
        "kind",
        "session",
        "turn",
        "tool_use_id",
        "action",
        "score",
        "level",
        "confidence",
        "rules",
        "codes",
        "paths",
        "message",
    ),
]
SUMMARY_KEYS = [
    *("kind", "session", "events", "turns", "scored", "spoken", "denied", "final_score", "mode", "skipped_lines"),
]


@pytest.fixture
def sessions(tmp_path: Path) -> Path:
    """Eight recordings, each a little longer than the one before, so that they end in another order."""
    folder = tmp_path / "sessions"
    folder.mkdir()
    lines = RECORDING.read_bytes().splitlines(keepends=True)
    for number in range(8):
        (folder / f"{number}.jsonl").write_bytes(b"".join(lines[: len(lines) - number]))
    return folder


def test_objects_are_those_of_the_pipeline(desk: Desk) -> None:
    """AD-106."""
    found = desk.ok("replay", str(RECORDING), "--json", "--profile", "enforce").objects
    assert found == replay_bytes(RECORDING.read_bytes(), policy=Policy(profile="enforce"))
    assert [list(verdict) for verdict in found[:-1]] == [VERDICT_KEYS] * (len(found) - 1)
    assert list(found[-1]) == SUMMARY_KEYS


def test_many_processes_keep_the_order(desk: Desk, sessions: Path) -> None:
    alone = desk.ok("replay", str(sessions), "--json", "--jobs", "1").out
    assert desk.ok("replay", str(sessions), "--json", "--jobs", "3").out == alone
    assert alone.count('"kind": "summary"') == 8


def test_stdin_is_a_file_too(desk: Desk) -> None:
    found = desk.ok("replay", "-", "--json", stdin=RECORDING.read_bytes()).objects
    assert found == desk.ok("replay", str(RECORDING), "--json").objects


def test_people_see_goal_drift_and_words(desk: Desk) -> None:
    out = desk.ok("replay", str(RECORDING)).out
    assert "Fix the auth bug" in out
    assert "src/styles/theme.css" in out
    assert '<leeboard level="' in out
    assert "off course" in out


def test_bad_files_are_noted_and_passed_over(desk: Desk, tmp_path: Path) -> None:
    bad = tmp_path / "bad.jsonl"
    bad.write_bytes(b"\x00\xff{half\nnot json\n" + b'{"type": 3}\n')
    cut = tmp_path / "cut.jsonl"
    cut.write_bytes(RECORDING.read_bytes()[:-50])
    ran = desk.ok("replay", str(bad), str(cut), "--json")
    summaries = [found for found in ran.objects if found["kind"] == "summary"]
    assert summaries[0]["skipped_lines"] == 3
    assert summaries[0]["events"] == 0
    assert summaries[1]["events"] > 10
    assert "bad.jsonl: 3 lines" in ran.err


def test_a_missing_file_is_told_after_the_others_were_done(desk: Desk) -> None:
    ran = desk.run("replay", "/nowhere/x.jsonl", str(RECORDING), "--json")
    assert ran.code == 5
    assert "/nowhere/x.jsonl: No such file" in ran.err
    assert json.loads(ran.out.splitlines()[-1])["kind"] == "summary"


def test_an_empty_folder_is_no_failure(desk: Desk, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    ran = desk.ok("replay", str(tmp_path / "empty"), "--json")
    assert ran.out == ""
    assert "no *.jsonl file" in ran.err


def test_findings_fail_only_when_asked_to(desk: Desk) -> None:
    assert desk.run("replay", str(RECORDING), "--fail", "--json").code == 1
    assert desk.run("replay", str(RECORDING), "--json").code == 0


def test_quiet_shows_only_sessions_with_drift(desk: Desk, tmp_path: Path) -> None:
    clean = tmp_path / "clean.jsonl"
    clean.write_bytes(b"".join(RECORDING.read_bytes().splitlines(keepends=True)[:8]))
    assert desk.ok("replay", str(clean), "--quiet").out == ""
    assert "clean.jsonl" in desk.ok("replay", str(clean)).out


def test_the_bar_of_a_terminal_takes_nothing_from_the_output(desk: Desk, sessions: Path, tmp_path: Path) -> None:
    ours, theirs = os.openpty()
    with (tmp_path / "out.jsonl").open("wb") as out:
        words = (sys.executable, "-m", "leeboard", "replay", str(sessions), "--json")
        done = subprocess.run(
            words, stdout=out, stderr=theirs, env=desk.env | {"TERM": "xterm"}, check=True, timeout=60
        )
    os.close(theirs)
    shown = os.read(ours, 1 << 16)
    os.close(ours)
    assert done.returncode == 0
    assert b"replaying" in shown
    assert (tmp_path / "out.jsonl").read_text() == desk.ok("replay", str(sessions), "--json").out


def test_totals_come_last_and_for_programs_only_when_asked_for(desk: Desk, sessions: Path) -> None:
    plain = desk.ok("replay", str(sessions), "--json").objects
    *rest, totals = desk.ok("replay", str(sessions), "--json", "--totals").objects
    assert rest == plain
    verdicts = [one for one in plain if one["kind"] == "verdict"]
    summaries = [one for one in plain if one["kind"] == "summary"]
    assert totals["kind"] == "totals"
    assert totals["sessions"] == len(summaries) == 8
    assert totals["scored"] == sum(one["scored"] for one in summaries)
    assert sum(totals["actions"].values()) == len(verdicts)
    spoken = [one for one in verdicts if "scope_drift" in one["rules"]]
    assert sum(totals["rules"]["scope_drift"].values()) == len(spoken)


def test_people_read_totals_by_answer_and_rule(desk: Desk, sessions: Path) -> None:
    out = desk.ok("replay", str(sessions), "--no-settings").out
    assert "8 sessions" in out
    assert "scope_drift LB-S001" in out
    assert out.splitlines()[-1].split() == ["judged", "by", "the", "defaults"]


def test_a_pipe_that_is_named_is_read(desk: Desk, tmp_path: Path) -> None:
    line = f"cat {RECORDING} > {tmp_path / 'pipe'} & {sys.executable} -m leeboard replay {tmp_path / 'pipe'} --json"
    os.mkfifo(tmp_path / "pipe")
    ran = desk.execute(("/bin/sh", "-c", line))
    assert ran.out == desk.ok("replay", str(RECORDING), "--json").out
