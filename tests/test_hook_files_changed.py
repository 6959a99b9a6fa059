"""Files that somebody else changes while an agent works, through the real hooks, on a real disk and a real git."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.hooked_agent import HookedAgent, edited, run

APP = "import os\n\n\ndef limit():\n    return 1\n\n\ndef name():\n    return 'app'\n"
THEIRS = APP.replace("return 1", "return 2")
UNKNOWN = "unknown: a person or another program"


@pytest.fixture(autouse=True)
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LEEBOARD_STATE_DIR", str(tmp_path / "state"))
    monkeypatch.setenv("LEEBOARD_CONFIG_DIR", str(tmp_path / "config"))


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    place = tmp_path / "repo"
    place.mkdir()
    (place / "app.py").write_text(APP, encoding="utf-8")
    assert run(place, "git init -q -b main . && git add -A && git commit -qm begin").returncode == 0
    return place


@pytest.fixture
def agent(repo: Path) -> HookedAgent:
    made = HookedAgent(repo)
    assert made.prompt("fix limit() in app.py") == ""
    return made


def person(repo: Path, text: str = THEIRS, name: str = "app.py") -> None:
    """Somebody else saves a file."""
    (repo / name).write_text(text, encoding="utf-8")


def test_a_change_between_read_and_edit_is_named_before_the_edit_lands(agent: HookedAgent, repo: Path) -> None:
    agent.read("app.py")
    person(repo)
    answer, _ = agent.propose_edit("app.py", "'app'", "'shop'")
    assert not answer.denied
    assert "app.py was changed since you last read it: 1 line new, 1 gone." in answer.words
    assert f"By whom: {UNKNOWN}." in answer.words
    assert "+ 5:     return 2" in answer.words
    assert "read it again before you change it" in answer.words


def test_it_is_said_once_and_the_edit_passes(agent: HookedAgent, repo: Path) -> None:
    agent.read("app.py")
    person(repo)
    assert "changed_underneath" in agent.edit("app.py", "'app'", "'shop'").words
    assert agent.edit("app.py", "'shop'", "'store'").words == ""
    assert "return 2" in (repo / "app.py").read_text(encoding="utf-8")


def test_an_edit_that_failed_is_not_spoken_of_twice(agent: HookedAgent, repo: Path) -> None:
    agent.read("app.py")
    person(repo)
    first, call = agent.propose_edit("app.py", "return 1", "return 3")
    agent.hook("PostToolUseFailure", **call, error="String to replace not found in file.")
    again, _ = agent.propose_edit("app.py", "return 1", "return 3")
    assert (bool(first.words), again.words) == (True, "")


def test_under_enforce_it_is_denied_until_it_is_read_again(repo: Path) -> None:
    agent = HookedAgent(repo, profile="enforce")
    agent.prompt("fix limit() in app.py")
    agent.read("app.py")
    person(repo)
    for _ in range(2):
        answer = agent.edit("app.py", "'app'", "'shop'")
        assert answer.denied
        assert "+ 5:     return 2" in answer.words
    assert (repo / "app.py").read_text(encoding="utf-8") == THEIRS
    agent.read("app.py")
    assert agent.edit("app.py", "'app'", "'shop'").words == ""
    assert "'shop'" in (repo / "app.py").read_text(encoding="utf-8")


def test_two_edits_of_one_message_are_both_denied(repo: Path) -> None:
    agent = HookedAgent(repo, profile="enforce")
    agent.prompt("fix limit() in app.py")
    agent.read("app.py")
    person(repo)
    first, _ = agent.propose_edit("app.py", "'app'", "'shop'")
    second, _ = agent.propose_edit("app.py", "import os", "import sys")
    assert (first.denied, second.denied) == (True, True)


@pytest.mark.parametrize("look", ["cat app.py", "cat -n app.py", "sed -n '1,9p' app.py", "head -20 app.py"])
def test_reading_it_in_the_shell_counts(repo: Path, look: str) -> None:
    agent = HookedAgent(repo, profile="enforce")
    agent.prompt("fix limit() in app.py")
    agent.bash(look)
    person(repo)
    assert agent.edit("app.py", "'app'", "'shop'").denied
    agent.bash(look)
    assert not agent.edit("app.py", "'app'", "'shop'").denied


def test_a_client_that_says_unchanged_locks_nobody_out(repo: Path) -> None:
    agent = HookedAgent(repo, profile="enforce")
    agent.prompt("fix limit() in app.py")
    agent.read("app.py")
    person(repo)
    assert agent.edit("app.py", "'app'", "'shop'").denied
    call = agent.call("Read", {"file_path": str(repo / "app.py")})
    agent.hook("PreToolUse", **call)
    agent.hook("PostToolUse", **call, tool_response={"type": "file_unchanged", "file": {"filePath": "app.py"}})
    assert not agent.edit("app.py", "'app'", "'shop'").denied, "the new lines were in the refusal"


def test_a_read_that_says_unchanged_is_not_believed(agent: HookedAgent, repo: Path) -> None:
    agent.read("app.py")
    person(repo)
    call = agent.call("Read", {"file_path": str(repo / "app.py")})
    agent.hook("PreToolUse", **call)
    agent.hook("PostToolUse", **call, tool_response={"type": "file_unchanged", "file": {"filePath": "app.py"}})
    assert "return 2" in agent.edit("app.py", "'app'", "'shop'").words


def test_what_it_was_not_shown_it_does_not_miss(agent: HookedAgent, repo: Path) -> None:
    agent.read("app.py", 1, 5)
    person(repo, APP.replace("'app'", "'shop'"))
    assert agent.edit("app.py", "return 1", "return 3").words == ""
    person(repo, APP.replace("import os", "import sys"))
    assert "import sys" in agent.edit("app.py", "return 1", "return 4").words


def test_who_writes_the_whole_file_writes_over_all_of_it(agent: HookedAgent, repo: Path) -> None:
    agent.read("app.py", 1, 5)
    person(repo, APP.replace("'app'", "'shop'"))
    assert "'shop'" in agent.write("app.py", "print(1)\n").words


def test_reading_another_part_does_not_make_up_for_it(agent: HookedAgent, repo: Path) -> None:
    agent.read("app.py", 1, 5)
    person(repo)
    agent.read("app.py", 7, 9)
    assert "return 2" in agent.edit("app.py", "'app'", "'shop'").words


@pytest.mark.parametrize(
    "line",
    [
        "sed -i 's/1/4/' app.py",
        "cat > app.py <<'E'\nx = 1\nE",
        "rm app.py",
        "git checkout -- app.py",
        "echo 'x = 1' >> app.py",
    ],
)
def test_shell_lines_that_write_it_are_told_too(agent: HookedAgent, repo: Path, line: str) -> None:
    agent.read("app.py")
    person(repo)
    assert "return 2" in agent.bash(line).words


@pytest.mark.parametrize(
    "line",
    [
        "sed -i 's/return 1/return 7/' app.py",
        "python3 -c \"p='app.py'; s=open(p).read(); open(p,'w').write(s.replace('1','7'))\"",
        "printf 'sed -i s/1/7/ app.py' > fix.sh; sh fix.sh",
    ],
)
def test_what_its_own_shell_did_is_its_own(agent: HookedAgent, repo: Path, line: str) -> None:
    agent.read("app.py")
    assert agent.bash(line).words == ""
    assert "7" in (repo / "app.py").read_text(encoding="utf-8")
    assert agent.edit("app.py", "'app'", "'shop'").words == ""
    assert agent.prompt("go on") == ""


@pytest.mark.parametrize(
    "line",
    [
        "printf 'sed -i s/1/7/ app.py' > fix.sh; sh fix.sh && head -3 app.py",
        "printf 'sed -i s/1/7/ app.py' > fix.sh; sh fix.sh && grep -n import app.py",
        "mkdir x && mv app.py x/ && sed -i s/1/7/ x/app.py && rm -rf y && mv x/app.py . && cat app.py | head -2",
    ],
)
def test_looking_at_what_its_own_shell_did_makes_it_nobody_elses(repo: Path, line: str) -> None:
    agent = HookedAgent(repo, profile="enforce")
    agent.prompt("fix limit() in app.py")
    agent.read("app.py")
    agent.bash(line)
    assert "7" in (repo / "app.py").read_text(encoding="utf-8")
    assert agent.edit("app.py", "'app'", "'shop'").words == ""


def test_a_fixer_after_its_edit_is_never_refused_and_said_once(repo: Path) -> None:
    agent = HookedAgent(repo, profile="enforce")
    agent.prompt("fix limit() in app.py")
    agent.read("app.py")
    agent.edit("app.py", "return 1", "return 3")
    person(repo, (repo / "app.py").read_text(encoding="utf-8").replace("import os\n", ""))
    answer = agent.edit("app.py", "'app'", "'shop'")
    assert not answer.denied
    assert "- 1 line gone at the top" in answer.words
    assert agent.edit("app.py", "'shop'", "'store'").words == ""


def test_a_person_who_moves_a_line_out_is_not_taken_for_a_formatter(agent: HookedAgent, repo: Path) -> None:
    agent.write("b.py", "def f(x):\n    for y in x:\n        if y:\n            go()\n            return y\n")
    person(repo, (repo / "b.py").read_text(encoding="utf-8").replace("            return", "    return"), "b.py")
    assert "+ 5:     return y" in agent.edit("b.py", "go()", "run()").words


def test_its_own_folders_are_its_own(repo: Path) -> None:
    agent = HookedAgent(repo, profile="enforce")
    agent.prompt("move pkg")
    (repo / "pkg").mkdir()
    person(repo, APP, "pkg/a.py")
    agent.read("pkg/a.py")
    agent.bash("mv pkg lib && mkdir pkg && cp -r lib/. pkg/ && rm -rf lib && sed -i s/1/2/ pkg/*.py")
    assert agent.prompt("go on") == ""
    agent.bash("rm -rf pkg")
    assert agent.prompt("go on") == ""
    assert agent.write("pkg/a.py", "x = 1\n").words == ""


@pytest.mark.parametrize("line", ["sed -i s/1/7/ app.py", "printf 'sed -i s/1/7/ app.py' > fix.sh; sh fix.sh"])
def test_what_an_interrupted_call_did_may_be_its_own(repo: Path, line: str) -> None:
    """Or of whoever interrupted it: nobody can tell."""
    agent = HookedAgent(repo, profile="enforce")
    agent.prompt("fix limit() in app.py")
    agent.read("app.py")
    agent.hook("PreToolUse", **agent.call("Bash", {"command": line}))
    run(repo, line)
    assert "by whom: unknown: your own call that has not come back, or a person" in agent.prompt("go on")
    agent.read("app.py")
    assert agent.edit("app.py", "'app'", "'shop'").words == ""


def test_a_formatter_after_its_edit_is_silent_unless_it_edits_those_lines(agent: HookedAgent, repo: Path) -> None:
    agent.read("app.py")
    agent.edit("app.py", "return 1", "return ['a', 'b',]")
    formatted = (repo / "app.py").read_text(encoding="utf-8").replace("['a', 'b',]", '["a", "b"]')
    person(repo, formatted)
    assert agent.edit("app.py", "import os", "import sys").words == ""
    agent.edit("app.py", "import sys", "import os, re ")
    person(repo, (repo / "app.py").read_text(encoding="utf-8").replace("os, re ", "os,re"))
    words = agent.edit("app.py", "import os,re", "import re").words
    assert "app.py was reformatted right after your own edit." in words


def test_a_formatter_that_writes_while_the_hook_looks_raises_no_alarm(agent: HookedAgent, repo: Path) -> None:
    """The client tells how it left the file; the hook finds it half written."""
    agent.read("app.py")
    _, call = agent.propose_edit("app.py", "return 1", "return 'x'")
    before = (repo / "app.py").read_text(encoding="utf-8")
    after = before.replace("return 1", "return 'x'")
    person(repo, "")
    agent.hook("PostToolUse", **call, tool_response=edited(call["tool_input"], before))
    person(repo, after.replace("'x'", '"x"'))
    assert agent.edit("app.py", "import os", "import sys").words == ""


def test_parallel_edits_of_one_message_are_its_own(agent: HookedAgent, repo: Path) -> None:
    agent.read("app.py")
    one, first = agent.propose_edit("app.py", "return 1", "return 5")
    place = repo / "app.py"
    place.write_text(place.read_text(encoding="utf-8").replace("return 1", "return 5"), encoding="utf-8")
    two, second = agent.propose_edit("app.py", "'app'", "'shop'")  # the first has landed, and nobody has told of it yet
    three = agent.land_edit(second)
    four = agent.hook("PostToolUse", **first, tool_response=edited(first["tool_input"], APP))
    agent.end_turn()
    assert [each.words for each in (one, two, three, four)] == [""] * 4
    assert agent.edit("app.py", "'shop'", "'store'").words == ""


def test_a_sub_agent_is_another_agent_of_the_session(agent: HookedAgent, repo: Path) -> None:
    agent.read("app.py")
    helper = HookedAgent(repo, agent="a1")
    helper.read("app.py")
    assert helper.edit("app.py", "return 1", "return 9").words == ""
    words = agent.edit("app.py", "'app'", "'shop'").words
    assert "By whom: another agent of this session." in words
    assert "+ 5:     return 9" in words


def test_another_session_of_the_project_is_named(agent: HookedAgent, repo: Path) -> None:
    agent.read("app.py")
    other = HookedAgent(repo, session="other-session")
    other.prompt("fix name()")
    other.read("app.py")
    other.edit("app.py", "return 1", "return 9")
    assert "another session of this project (other-se)" in agent.edit("app.py", "'app'", "'shop'").words


def test_a_checkout_by_somebody_else_is_named_as_git(agent: HookedAgent, repo: Path) -> None:
    run(repo, "git checkout -qb side && sed -i s/1/8/ app.py && git commit -qam side && git checkout -q main")
    agent.read("app.py")
    run(repo, "git checkout -q side")
    words = agent.edit("app.py", "'app'", "'shop'").words
    assert "By whom: git: it now equals commit " in words
    assert "return 8" in words


def test_its_own_checkout_is_a_short_note_and_never_refused(repo: Path) -> None:
    run(repo, "git checkout -qb side && sed -i s/1/8/ app.py && git commit -qam side && git checkout -q main")
    agent = HookedAgent(repo, profile="enforce")
    agent.prompt("fix limit() in app.py")
    agent.read("app.py")
    assert agent.bash("git checkout -q side").words == ""
    answer = agent.edit("app.py", "'app'", "'shop'")
    assert not answer.denied
    assert "your own git command has changed it" in answer.words
    assert agent.edit("app.py", "'shop'", "'app'").words == ""


def test_its_own_stash_and_back_is_nothing(agent: HookedAgent) -> None:
    agent.read("app.py")
    agent.edit("app.py", "return 1", "return 3")
    agent.bash("git stash -q")
    agent.bash("git stash pop -q")
    assert agent.edit("app.py", "'app'", "'shop'").words == ""


def test_a_change_while_the_user_was_asked_is_named_when_it_lands(agent: HookedAgent, repo: Path) -> None:
    agent.read("app.py")
    answer, call = agent.propose_edit("app.py", "'app'", "'shop'")
    assert answer.words == ""
    person(repo)
    landed = agent.land_edit(call)
    assert "had been changed since you last read it, and your edit landed beside it" in landed.words
    assert "return 2" in landed.words


def test_the_next_prompt_names_what_changed_once(agent: HookedAgent, repo: Path) -> None:
    for number in range(12):
        person(repo, f"value = {number}\n", f"mod{number:02d}.py")
        agent.read(f"mod{number:02d}.py")
    agent.read("app.py")
    assert agent.prompt("go on") == ""
    for number in range(10):
        person(repo, "value = 99\n", f"mod{number:02d}.py")
    (repo / "mod10.py").unlink()
    words = agent.prompt("I changed a few things")
    assert words.count(UNKNOWN) == 8
    assert "and 3 more" in words
    assert "mod10.py: it is gone" in words
    assert agent.prompt("go on") == "", "the same is not told twice"
    person(repo, "value = 100\n", "mod00.py")
    assert "mod00.py" in agent.prompt("again")


def test_what_git_ignores_and_what_moves_all_the_time_is_not_named(agent: HookedAgent, repo: Path) -> None:
    person(repo, "dist/\n", ".gitignore")
    (repo / "dist").mkdir()
    for name in ("dist/out.js", "server.log"):
        person(repo, "one\n", name)
        agent.bash(f"cat {name}")
        person(repo, "two\n", name)
    assert agent.prompt("go on") == ""


def test_a_secret_that_somebody_put_there_is_not_repeated(agent: HookedAgent, repo: Path) -> None:
    agent.read("app.py")
    secret = "sk_live_" + "4eC39HqLyjWDarjtT1zdp7dc"
    person(repo, APP.replace("return 1", f"return '{secret}'"))
    words = agent.edit("app.py", "'app'", "'shop'").words
    assert "changed_underneath" in words
    assert secret not in words


def test_under_observe_nothing_is_said(repo: Path) -> None:
    agent = HookedAgent(repo, profile="observe")
    agent.prompt("fix app.py")
    agent.read("app.py")
    person(repo)
    assert agent.edit("app.py", "'app'", "'shop'").words == ""
    person(repo)
    assert agent.prompt("go on") == ""


@pytest.mark.parametrize("change", ["printf 'x = 2\\n' > app.py", "rm app.py"])
def test_a_script_of_a_helper_does_not_take_over_what_a_person_did_right_before(
    agent: HookedAgent, repo: Path, change: str
) -> None:
    """The helper never looked at the file; it was the person who changed it, however shortly before."""
    helper = HookedAgent(repo, agent="helper")
    script = repo.parent / "script.sh"
    script.write_text("echo done > report.txt\n", encoding="utf-8")
    agent.read("app.py")
    run(repo, change)
    helper.bash(f"sh {script}")
    assert f"by whom: {UNKNOWN}" in agent.prompt("go on")


def test_nor_does_a_script_of_who_only_left_a_mark_in_it(agent: HookedAgent, repo: Path) -> None:
    helper = HookedAgent(repo, agent="helper")
    script = repo.parent / "script.sh"
    script.write_text("echo done > report.txt\n", encoding="utf-8")
    helper.bash("sed -i 's/app/shop/' app.py")
    agent.read("app.py")
    person(repo)
    helper.bash(f"sh {script}")
    assert f"by whom: {UNKNOWN}" in agent.prompt("go on")


def test_a_folder_put_into_another_does_not_take_over_what_lay_there(agent: HookedAgent, repo: Path) -> None:
    helper = HookedAgent(repo, agent="helper")
    (repo / "part").mkdir()
    (repo / "more").mkdir()
    person(repo, APP, "part/app.py")
    person(repo, APP, "more/other.py")
    agent.read("part/app.py")
    person(repo, THEIRS, "part/app.py")
    helper.bash("cp -r more part")
    assert f"part/app.py: 1 line new, 1 gone; by whom: {UNKNOWN}" in agent.prompt("go on")
