"""`leeboard backtest` as a person runs it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.dead_process import wait_until_gone
from tests.leak import live_key
from tests.recorded_sessions import record, staying, straying
from tests.surfaces.cli.conftest import COMMAND
from tests.terminal import at_terminal

if TYPE_CHECKING:
    from tests.surfaces.cli.conftest import Desk


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return record(tmp_path / "sessions", a=straying("a"), b=staying("b"), c=straying("c"), d=staying("d"))


def kinds(found: list[dict[str, object]], kind: str) -> list[dict[str, object]]:
    return [one for one in found if one["kind"] == kind]


def test_figures_by_rule_and_the_share_of_sessions(desk: Desk, folder: Path) -> None:
    found = desk.ok("backtest", str(folder), "--json").objects
    assert (found[-1]["sessions"], found[-1]["spoken_to"], found[-1]["share_spoken_to"]) == (4, 2, 0.5)
    assert (found[-1]["said"], found[-1]["refused"]) == (4, 4)
    by_rule = {one["rule"]: one for one in kinds(found, "rule")}
    assert [by_rule["credential"][key] for key in ("said", "refused", "sessions")] == [2, 2, 2]
    assert [by_rule["broken_constraint"][key] for key in ("said", "refused", "sessions")] == [2, 2, 2]
    out = desk.ok("backtest", str(folder)).out
    assert "spoken to  2 of 4 (50.0 %)" in out
    assert "finished   4 of them by an earlier run" in out
    assert "credential LB-B101" in out
    assert live_key(1) not in out


def test_without_a_path_the_clients_own_folders_are_meant(desk: Desk) -> None:
    ran = desk.ok("backtest", "--json")
    assert "name files or folders" in ran.err
    assert ran.objects[-1]["sessions"] == 0
    record(desk.home / ".claude" / "projects" / "-repo", a=straying("a"))
    assert desk.ok("backtest", "--json").objects[-1]["sessions"] == 1
    elsewhere = record(desk.home / "claude" / "projects" / "-repo", a=straying("a"), b=staying("b"))
    env = {"CLAUDE_CONFIG_DIR": str(elsewhere.parents[1])}
    assert desk.ok("backtest", "--json", env=env).objects[-1]["sessions"] == 2


def test_only_what_ended_within_a_span(desk: Desk, folder: Path) -> None:
    found = desk.ok("backtest", str(folder), "--json", "--since", "500w").objects[-1]
    assert (found["sessions"], found["old"]) == (4, 0)
    old = straying("old").replace(b'"timestamp":"20', b'"timestamp":"19')
    record(folder, old=old)
    found = desk.ok("backtest", str(folder), "--json", "--since", "500w").objects[-1]
    assert (found["sessions"], found["old"]) == (4, 1)
    assert desk.run("backtest", str(folder), "--since", "soon").code == 2


def test_messages_page_by_page(desk: Desk, tmp_path: Path) -> None:
    many = record(tmp_path / "many", **{f"s{number:02}": straying(str(number)) for number in range(6)})
    first = desk.ok("backtest", str(many), "--page", "1").out
    second = desk.ok("backtest", str(many), "--page", "2").out
    assert "messages 1 to 10 of 12, page 1 of 2" in first
    assert "messages 11 to 12 of 12, page 2 of 2" in second
    assert "<leeboard level=" in first
    ran = desk.run("backtest", str(many), "--page", "3")
    assert (ran.code, "there is no page 3" in ran.err) == (2, True)
    of_rule = desk.ok("backtest", str(many), "--page", "1", "--rule", "LB-B101", "--session", "s03").out
    assert "messages 1 to 1 of 1" in of_rule
    assert desk.run("backtest", str(many), "--rule", "credentail").code == 2


def test_a_person_s_opinion_gives_precision(desk: Desk, folder: Path) -> None:
    found = desk.ok("backtest", str(folder), "--json").objects
    first, second, *_ = kinds(found, "message")
    marks = ("--mark", str(first["id"]), "yes", "--mark", str(second["id"]), "no")
    marked = desk.ok("backtest", str(folder), "--json", *marks).objects
    assert [one["opinion"] for one in kinds(marked, "message")][:3] == ["yes", "no", None]
    by_rule = {one["rule"]: one for one in kinds(desk.ok("backtest", str(folder), "--json").objects, "rule")}
    assert (by_rule["broken_constraint"]["precision"], by_rule["credential"]["precision"]) == (1.0, 0.0)
    assert "100 % (" in desk.ok("backtest", str(folder)).out
    taken_back = desk.ok("backtest", str(folder), "--json", "--mark", str(first["id"]), "none").objects
    assert kinds(taken_back, "message")[0]["opinion"] is None
    ran = desk.run("backtest", str(folder), "--mark", "m0", "yes")
    assert (ran.code, "--page 1 shows them" in ran.err) == (2, True)
    kept = "".join(path.read_text() for path in desk.state.rglob("opinions.jsonl"))
    assert live_key(1) not in kept
    assert "schema" not in kept


def test_a_rule_or_a_session_alone_shows_its_messages(desk: Desk, folder: Path) -> None:
    assert desk.ok("backtest", str(folder), "--rule", "credential").out.startswith("messages 1 to 2 of 2, page 1 of 1")
    for name in ("c", "c.jsonl"):
        assert "(c), turn" in desk.ok("backtest", str(folder), "--session", name).out
    assert "no messages" in desk.ok("backtest", str(folder), "--session", "b").out
    ran = desk.run("backtest", str(folder), "--session", "x")
    assert (ran.code, ran.out, "none of these 4 sessions is 'x'" in ran.err) == (2, "", True)


def test_a_message_can_be_marked_whichever_are_shown(desk: Desk, folder: Path) -> None:
    first = kinds(desk.ok("backtest", str(folder), "--json").objects, "message")[0]
    desk.ok("backtest", str(folder), "--session", "c", "--mark", str(first["id"]), "yes")
    assert kinds(desk.ok("backtest", str(folder), "--json").objects, "message")[0]["opinion"] == "yes"


def test_opinions_that_can_not_be_read_are_told_of_before_anything_is_judged(desk: Desk, folder: Path) -> None:
    (desk.state / "backtest" / "opinions.jsonl").mkdir(parents=True)
    ran = desk.run("backtest", str(folder))
    assert (ran.code, "opinions.jsonl: can not be read" in ran.err) == (5, True)
    assert not list(desk.home.rglob("backtest/*.json"))


@pytest.mark.parametrize("words", [("--ask",), ("--mark", "m1", "yes")])
def test_an_agent_has_no_opinion(desk: Desk, folder: Path, words: tuple[str, ...]) -> None:
    ran = desk.run("backtest", str(folder), *words, env={"CLAUDECODE": "1"})
    assert (ran.code, "only a person may run" in ran.err) == (2, True)
    assert not list(desk.state.rglob("opinions.jsonl"))
    assert desk.run("backtest", str(folder), env={"CLAUDECODE": "1"}).code == 0


def test_labels_of_a_file_count_in_place_of_the_person_s(desk: Desk, folder: Path, tmp_path: Path) -> None:
    first = kinds(desk.ok("backtest", str(folder), "--json").objects, "message")[0]
    desk.ok("backtest", str(folder), "--mark", str(first["id"]), "no", "--json")
    label = {key: first[key] for key in ("turn", "tool_use_id")} | {"session": "a", "rule": "broken_constraint"}
    labels = tmp_path / "labels.jsonl"
    gone = json.dumps(label | {"label": "wrong", "rule": "circling"})
    labels.write_text(json.dumps(label | {"label": "right", "reason": "ruled out"}) + "\n" + gone + "\n")
    ran = desk.ok("backtest", str(folder), "--labels", str(labels), "--markdown")
    assert "| broken_constraint LB-S003 | 2 | 2 | 2 | 1 | 0 | 0 | 100 % (21 to 100) |" in ran.out
    assert "1 label about messages that are not said" in ran.err
    assert desk.run("backtest", str(folder), "--labels", str(labels), "--ask").code == 2
    assert desk.run("backtest", str(folder), "--labels", str(tmp_path / "none")).code == 2


def test_what_is_no_session_is_noted_and_only_a_named_one_fails(desk: Desk, folder: Path) -> None:
    record(folder, garbage=b"\x00\xff{half\nnot json\n", half=straying("h")[:-40] + b"\n")
    (folder / "loop.jsonl").symlink_to(folder / "loop.jsonl")
    ran = desk.ok("backtest", str(folder), "--json")
    assert ran.objects[-1]["sessions"] == 5
    assert "garbage.jsonl: no record of a session stands in it; passed over" in ran.err
    assert "loop.jsonl: Too many levels of symbolic links; passed over" in ran.err
    assert "1 line in 1 file passed over" in ran.err
    ran = desk.run("backtest", str(folder), str(folder / "none.jsonl"), "--json")
    assert (ran.code, ran.objects[-1]["sessions"]) == (5, 5)
    assert "none.jsonl: No such file" in ran.err


def test_many_files_that_are_none_make_few_lines(desk: Desk, tmp_path: Path) -> None:
    many = record(tmp_path / "many", **{f"x{number}": b"x" for number in range(30)})
    ran = desk.ok("backtest", str(many), "--json", "--quiet")
    assert len(ran.err.splitlines()) == 11
    assert "and 20 files more passed over" in ran.err
    assert len(kinds(ran.objects, "passed_over")) == 30


def test_progress_is_a_line_for_a_tenth_or_a_bar_or_nothing(desk: Desk, tmp_path: Path) -> None:
    many = record(tmp_path / "many", **{f"s{number:02}": staying(str(number)) for number in range(20)})
    lines = desk.ok("backtest", str(many), "--json").err.splitlines()
    assert len(lines) == 10
    assert lines[-1] == "leeboard: 20 of 20 sessions"
    assert desk.ok("backtest", str(many), "--json", "--quiet").err == ""
    ours, theirs = os.openpty()
    words = (*COMMAND, "backtest", str(many), "--json")
    env = desk.env | {"TERM": "xterm"}
    subprocess.run(words, stdout=subprocess.DEVNULL, stderr=theirs, env=env, cwd=desk.repo, check=True, timeout=60)
    os.close(theirs)
    assert b"judging" in os.read(ours, 1 << 16)
    os.close(ours)


@pytest.fixture
def endless(tmp_path: Path) -> tuple[str, str]:
    """Twenty sessions, and a pipe into which nobody writes: a run over both ends when it is ended."""
    many = record(tmp_path / "many", **{f"s{number:02}": straying(str(number)) for number in range(20)})
    os.mkfifo(tmp_path / "last.jsonl")
    return str(many), str(tmp_path / "last.jsonl")


def begun(desk: Desk, *words: str) -> subprocess.Popen[bytes]:
    """A run that has done nineteen of twenty-one sessions."""
    ran = subprocess.Popen(
        (*COMMAND, "backtest", *words),
        env=desk.env,
        cwd=desk.repo,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    assert ran.stderr is not None
    assert next(line for line in ran.stderr if line.startswith(b"leeboard: 19 of 21"))
    return ran


def test_killed_in_the_middle_it_goes_on(desk: Desk, endless: tuple[str, str], tmp_path: Path) -> None:
    with begun(desk, *endless, "-j", "2") as ran:
        workers = Path(f"/proc/{ran.pid}/task/{ran.pid}/children").read_text().split()
        ran.send_signal(signal.SIGKILL)
    assert len(workers) == 2
    for worker in workers:
        wait_until_gone(int(worker))
    kept = (desk.home / ".cache" / "leeboard" / "backtest").glob("*.json")
    finished = sum(file.stat().st_size > 0 for file in kept)  # the place of one may be made and nothing be in it yet
    assert finished in {19, 20}
    Path(endless[1]).unlink()
    Path(endless[1]).write_bytes(straying("last"))
    on = desk.ok("backtest", *endless, "--json").objects
    assert on[-1].pop("finished_before") == finished
    afresh = desk.ok("backtest", *endless, "--json", env={"LEEBOARD_CACHE_DIR": str(tmp_path / "other")}).objects
    assert afresh[-1].pop("finished_before") == 0
    assert on == afresh


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_interrupted_it_says_that_it_goes_on(desk: Desk, endless: tuple[str, str], jobs: str) -> None:
    with begun(desk, *endless, "-j", jobs) as ran:
        os.killpg(ran.pid, signal.SIGINT)  # as a terminal does
        _, err = ran.communicate(timeout=60)
    assert ran.returncode == 130
    assert b"sessions done and kept; the same command goes on" in err
    assert b"Traceback" not in err


def test_a_walk_in_a_terminal_asks_for_each(desk: Desk, folder: Path) -> None:
    words = (*COMMAND, "backtest", str(folder), "--ask", "--quiet")
    done = at_terminal(words, desk.env, desk.repo, b"y\nwhat\nn\nq\n")
    assert done.returncode == 0, done.stderr
    assert b"2 opinions given, 2 open" in done.stdout
    again = at_terminal(words, desk.env, desk.repo, b"u\n")
    assert b"1 of 2 messages" in again.stdout
    totals = desk.ok("backtest", str(folder), "--json").objects[-1]
    assert [totals[key] for key in ("yes", "no", "unsure")] == [1, 1, 1]
