"""What an agent's line takes away is told after it, whatever took it, and comes back byte for byte."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from leeboard.app.kept_store import store_at
from leeboard.app.safety_net.note import NotedFile, read_note
from leeboard.app.safety_net.put_back import PutBack
from leeboard.io import places
from leeboard.settings.settings import KeepSettings
from tests.hook_process import HookProcess, prompt, shell
from tests.netted_repository import APP, NOTES, NettedRepository, told_of_gone

TAKEN = (
    "make wipe",
    "make start-over",
    "python3 tools/tidy.py",
    "sh tools/reset.sh",
    "sh tools/undo.sh",
    "sh tools/back.sh",
    "perl tools/tidy.pl",
    "python3 tools/blank.py",
    "python3 tools/other.py",
    "python3 tools/zero.py",
    "sh tools/link.sh",
    "sh tools/nuke.sh",
    "make -f tools/nuke.mk",
    "awk -f tools/wipe.awk",
    "sed -f tools/wipe.sed README.md",
    "ls *.md | grep -v README | xargs -I{} sh -c 'echo unlink {}' | sh",
    "env -S 'unlink notes.md'",
)
LEFT = (
    "git add -A && git commit -q -m 'all of it'",
    "git add -A && git commit -q -m x && git switch -q -c side && git switch -q wip",
    "mv notes.md kept-notes.md",
    "mv drafts old-drafts",
    "mv notes.md ../moved.md",
    "git stash -q -u && git stash pop -q",
    "git stash -q -u",
    "python3 tools/format.py",
    "echo 'one more thought' >> notes.md",
    "rm -rf build",
    "touch notes.md src/app.py",
    "sed -i 's/Monday/Tuesday/' notes.md",
    "make lint",
    "git commit -q --allow-empty -m x && git commit -q --amend --allow-empty -m y",
    "git branch -m wip later",
    "echo scratch > scratch.txt && python3 -c \"import os; os.unlink('scratch.txt')\"",
)


@pytest.mark.parametrize("line", TAKEN)
def test_what_is_gone_is_told_once_and_comes_back_byte_for_byte(net: NettedRepository, line: str) -> None:
    net.begin()
    before, refs = net.work(), net.git.run("for-each-ref", "refs/heads/wip", "refs/stash")
    said = net.does(line)
    assert told_of_gone(said), (said, net.run("git status -s"))
    assert "leeboard restore" in said
    assert "systemMessage" in said
    assert not told_of_gone(net.does("make lint")), "it is said once"
    done = PutBack(net.root, force="--force" in said).put_back((), net.root, gone=True)
    assert {one.ending for one in done} == {"restored"}, done
    assert net.work() == before
    assert net.git.run("for-each-ref", "refs/heads/wip", "refs/stash") == refs or "back.sh" in line
    assert net.kept().gone == 0


@pytest.mark.parametrize("line", LEFT)
def test_what_only_looks_like_it_is_not_spoken_of(net: NettedRepository, line: str) -> None:
    net.begin()
    said = net.does(line)
    assert not told_of_gone(said), said
    assert net.kept().gone == 0


@pytest.mark.parametrize(
    ("prompt", "line"),
    [
        ("Discard my changes.", "make start-over"),
        ("Delete notes.md and the drafts folder.", "python3 tools/tidy.py"),
        ("Please clean up: remove all untracked files and discard all changes.", "sh tools/reset.sh"),
    ],
)
def test_what_the_user_asked_for_is_theirs_to_lose(net: NettedRepository, prompt: str, line: str) -> None:
    net.begin(prompt)
    assert not told_of_gone(net.does(line))


def test_what_the_person_does_between_calls_is_their_own(net: NettedRepository) -> None:
    net.begin()
    net.run("rm notes.md")
    assert not told_of_gone(net.does("make lint"))
    net.run("git checkout -q src/app.py")
    net.says("Go on.")
    assert not told_of_gone(net.does("make lint"))


def test_what_the_session_made_is_its_own(net: NettedRepository) -> None:
    net.begin()
    net.agent.write("scratch.py", "print('a first try')\nprint('of something')\n")
    assert not told_of_gone(net.does("python3 -c \"open('data.csv', 'w').write('a,b')\""))
    net.says("Now tidy up after yourself.")
    assert not told_of_gone(net.does("python3 -c \"import os; os.unlink('scratch.py'); os.unlink('data.csv')\""))


def test_a_branch_the_person_committed_to_right_before_is_missed_and_comes_back(net: NettedRepository) -> None:
    assert (
        net.run("git checkout -q -b fresh && git commit -q --allow-empty -m mine && git checkout -q main").returncode
        == 0
    )
    net.git.write("tools/drop.sh", "git branch -q -D fresh\n")
    net.begin()
    said = net.does("sh tools/drop.sh")
    assert told_of_gone(said)
    assert "fresh" in said
    assert PutBack(net.root).put_back(("fresh",), net.root, gone=False)[0].ending == "restored"


def test_a_file_the_person_wrote_between_two_prompts_is_theirs(net: NettedRepository) -> None:
    net.begin()
    net.does("make lint")
    net.agent.hook("Stop", stop_hook_active=False)
    net.saves("ideas.md", "an idea\nand another\n")
    net.says("Go on.")
    said = net.does("env -S 'unlink ideas.md'")
    assert told_of_gone(said)
    assert "ideas.md" in said


def test_what_the_agent_went_on_with_is_still_the_persons(net: NettedRepository) -> None:
    net.begin()
    net.agent.edit("src/app.py", 'salutation="dear"', 'salutation="hello"')
    net.note()
    said = net.does("make start-over")
    assert told_of_gone(said)
    PutBack(net.root).put_back(("src/app.py",), net.root, gone=False)
    assert net.read("src/app.py") == APP.replace("dear", "hello").encode()


def test_a_line_left_in_the_background_is_told_of_at_the_end(net: NettedRepository) -> None:
    net.begin()
    answer, call = net.agent.propose("Bash", {"command": "make slow-wipe &", "run_in_background": True})
    assert not answer.denied
    net.agent.hook("PostToolUse", **call, tool_response={"stdout": "", "stderr": ""})
    net.run("rm notes.md")
    said = net.agent.answer("Stop", stop_hook_active=False).decode()
    assert told_of_gone(said), said


def test_calls_of_two_sessions_in_one_tree_are_not_taken_for_the_person(net: NettedRepository) -> None:
    net.begin()
    other = NettedRepository(net.folder)
    other.agent.session = "other"
    other.begin()
    _, call = net.agent.propose("Bash", {"command": "make wipe"})
    net.run("make wipe")
    other.agent.read("README.md")
    other.agent.hook("UserPromptSubmit", prompt="Go on.", prompt_id="p9")
    said = net.agent.answer("PostToolUse", **call, tool_response={"stdout": "", "stderr": ""}).decode()
    assert told_of_gone(said), said


def test_a_second_loss_after_it_was_put_back_is_told_again(net: NettedRepository) -> None:
    net.begin()
    assert told_of_gone(net.does("make wipe"))
    line = f"cd {net.root} && python3 -c pass"
    PutBack(net.root).put_back((), net.root, gone=True)
    net.does(line)
    net.note()
    net.agent.hook("Stop", stop_hook_active=False)
    net.says("Go on.")
    assert told_of_gone(net.does("python3 tools/tidy.py"))


def test_what_is_back_before_it_was_said_is_not_spoken_of_and_stays_the_persons(net: NettedRepository) -> None:
    net.begin()
    assert net.agent.propose("Bash", {"command": "rm notes.md"})[0].denied
    _, call = net.agent.propose("Bash", {"command": "make wipe"})
    net.run("make wipe")
    assert not told_of_gone(net.agent.answer("PostToolUse", **call, tool_response={"stdout": ""}).decode())
    PutBack(net.root).put_back((), net.root, gone=True)
    assert not told_of_gone(net.agent.answer("Stop", stop_hook_active=False).decode())
    for line in ("rm notes.md", "rm drafts/two.md", "git clean -fdq"):
        assert net.agent.propose("Bash", {"command": line})[0].denied, line


def test_only_what_the_session_wrote_may_go_of_all_that_came_to_be_in_it(net: NettedRepository) -> None:
    net.begin()
    net.agent.write("scratch.py", "print('a first try')\n")
    net.agent.hook("Stop", stop_hook_active=False)
    net.saves("mine.md", "an idea\n")
    net.says("Go on.")
    net.agent.edit("scratch.py", "first", "second")
    net.note()
    assert not net.agent.propose("Bash", {"command": "rm scratch.py"})[0].denied
    assert net.agent.propose("Bash", {"command": "rm mine.md"})[0].denied


def test_what_had_no_copy_is_missed_all_the_same_with_the_reason(net: NettedRepository) -> None:
    net.git.write("keys.txt", "AWS_SECRET_ACCESS_KEY = " + "wJalrXUtnFEMI/K7MDENG/bPxRfiCY" + "Zq8mT3vKp1\n")
    net.git.write("big.bin", "x" * (1 << 20) + "y")
    net.limits = KeepSettings(file_mb=1)
    net.git.write("tools/drop.sh", "rm keys.txt big.bin\n")
    net.begin()
    said = net.does("sh tools/drop.sh")
    assert "holds a secret" in said
    assert "larger than 1 MB" in said
    gone = {one.name: one.since for one in net.kept().kept if one.lost}
    assert gone.keys() == {"keys.txt", "big.bin"}
    assert all("no copy" in since for since in gone.values())
    assert {one.ending for one in PutBack(net.root).put_back((), net.root, gone=True)} == {"failed"}


def test_what_is_told_speaks_of_several_and_has_the_way_back_come_first(net: NettedRepository) -> None:
    net.begin()
    assert net.agent.propose("Bash", {"command": "rm notes.md"})[0].denied
    said = net.does("make wipe")
    assert "drafts/one.md, drafts/two.md and 1 more are gone since `make wipe` ran" in said
    assert "puts them back" in said
    assert "nothing before it: run `leeboard restore --gone`" in said


def test_what_was_refused_is_no_place_of_the_work(net: NettedRepository) -> None:
    net.begin()
    for line in ("rm notes.md", "git reset --hard"):
        assert net.agent.propose("Bash", {"command": line})[0].denied
    net.says("Go on.")
    net.says("Now add tests for it.")
    with store_at(places.database(), 4.0) as store:
        session = store.session(net.agent.session)
    assert session is not None
    assert [goal.scope for goal in session.goals] == [("src/login.py",), ()], session.goals


def test_in_observe_nothing_is_said(net: NettedRepository) -> None:
    net.agent.env = {**net.agent.env, "LEEBOARD_PROFILE": "observe"}
    net.begin()
    assert not told_of_gone(net.does("make wipe"))
    assert net.kept().gone > 0, "it is on record"


def test_a_session_that_begins_has_the_work_noted_in_the_background(net: NettedRepository) -> None:
    net.agent.env = {name: value for name, value in net.agent.env.items() if name != "LEEBOARD_KEEP"}
    net.agent.hook("SessionStart", source="startup")
    _wait_for_note(net.root)
    assert {file.name for file in note_files(net)} >= {"notes.md", "src/app.py", "drafts/one.md"}


def test_through_a_real_resident(net: NettedRepository, tmp_path: Path) -> None:
    process = HookProcess(folder=str(tmp_path / "process"))
    Path(process.folder).mkdir()
    env: dict[str, str | None] = {"LEEBOARD_KEEP": None, "LEEBOARD_STATE_DIR": os.environ["LEEBOARD_STATE_DIR"]}
    with process.resident(env):
        process.run(prompt("Fix the login in src/login.py.", cwd=net.root, session_id="r"), env)
        _wait_for_note(net.root)
        process.run(shell("t1", "make wipe", cwd=net.root, session_id="r"), env)
        net.run("make wipe")
        done = process.run(
            shell("t1", "make wipe", name="PostToolUse", cwd=net.root, session_id="r", tool_response={"stdout": ""}),
            env,
        )
    assert told_of_gone(done.stdout.decode()), done
    assert net.read("notes.md") is None
    command = (sys.executable, "-m", "leeboard", "restore", "notes.md")
    restored = subprocess.run(command, cwd=net.root, capture_output=True, check=False)
    assert restored.returncode == 0, restored
    assert net.read("notes.md") == NOTES.encode()


def note_files(net: NettedRepository) -> tuple[NotedFile, ...]:
    note = read_note(net.root)
    return note.files if note else ()


def _wait_for_note(root: str) -> None:
    end = time.monotonic() + 60
    while read_note(root) is None:
        assert time.monotonic() < end, "the work was not noted"
        os.sched_yield()
