"""What a person changed and a line of the agent takes away without naming the file, through the real hooks."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.hooked_agent import HookedAgent, run
from tests.test_hook_files_changed import world

__all__ = ["world"]

APP = "a = 1\nb = 2\nc = 3\n"
THEIRS = "a = 1\nb = 9\nc = 3\n"
LOST_WORK = "LB-S031"
"""The rule that refuses what would take a person's uncommitted work away, whether the agent has read it or not."""
CHANGED = "LB-I001"
"""The rule that shows what the person changed."""


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    place = tmp_path / "repo"
    place.mkdir()
    (place / "app.py").write_text(APP, encoding="utf-8")
    (place / "Makefile").write_text("all:\n\t@git checkout -q app.py\n", encoding="utf-8")
    assert run(place, "git init -q -b main . && git add -A && git commit -qm begin").returncode == 0
    return place


@pytest.fixture
def agent(repo: Path) -> HookedAgent:
    made = HookedAgent(repo, profile="enforce")
    made.prompt("fix app.py")
    made.read("app.py")
    return made


def person(repo: Path) -> None:
    (repo / "app.py").write_text(THEIRS, encoding="utf-8")


@pytest.mark.parametrize(
    "line",
    [
        "git switch -f main",
        "git switch --discard-changes main",
        "git diff | git apply -R",
        "git read-tree -u --reset HEAD",
        "git checkout-index -fa",
        "sed -i s/9/2/ *.py",
        "perl -pi -e s/9/2/ a*.py",
    ],
)
def test_what_takes_it_back_is_refused(agent: HookedAgent, repo: Path, line: str) -> None:
    assert not agent.bash(line).denied, "nobody has changed it yet"
    person(repo)
    answer = agent.bash(line)
    assert answer.denied
    assert "app.py was changed since you last" in answer.words
    assert (repo / "app.py").read_text(encoding="utf-8") == THEIRS


REMOVES = (
    "rm app.py",
    "git rm -f app.py",
    "git rm -qf -- ./app.py",
    "git rm -f *.py",
    "git rm -f '*.py'",
    "rm -f *.py",
    "rm a?p.py",
    "rm ./[a-c]*.py",
    "cd . && rm -r *",
    "sh -c 'rm *.py'",
)
KEEPS = ("mv *.py ..", "mv -t .. ap*.py", "mv new/*.py .", "cp new/* .", "cp -rt . new/*.py")
"""The file goes elsewhere, or is written over by who has read it."""


@pytest.mark.parametrize("line", [*REMOVES, *KEEPS])
def test_what_removes_it_by_its_name_or_a_pattern_is_refused(agent: HookedAgent, repo: Path, line: str) -> None:
    (repo / "new").mkdir()
    (repo / "new/app.py").write_text(APP, encoding="utf-8")
    person(repo)
    answer, _ = agent.propose("Bash", {"command": line})
    assert answer.denied
    assert "app.py was changed since you last read it" in answer.words
    assert "+ 2: b = 9" in answer.words
    assert "read it again before you change it" in answer.words
    agent.read("app.py")
    assert not agent.propose_edit("app.py", "a = 1", "a = 4")[0].denied, "who has read it goes on"
    again, _ = agent.propose("Bash", {"command": line})
    assert CHANGED not in again.words
    assert (again.denied, LOST_WORK in again.words) == (line in REMOVES, line in REMOVES)


@pytest.mark.parametrize(
    ("line", "is_lost"),
    [
        ("find . -name '*.py' -delete", True),
        ("git rm -rqf .", True),
        ("rm -rf .", True),
        ("rm -f a{1..3}* ?*.py $X", True),
        ("cp ../new/* .", False),
        ("cp new/* .", False),
        ("cp -u src/* .", False),
    ],
)
def test_what_removes_it_is_named_before(agent: HookedAgent, repo: Path, line: str, *, is_lost: bool) -> None:
    person(repo)
    answer, _ = agent.propose("Bash", {"command": line})
    assert "app.py was changed since you last read it, and `" in answer.words
    assert (answer.denied, LOST_WORK in answer.words) == (is_lost, is_lost)


@pytest.mark.parametrize("line", ["find . -name '*.pyc' -delete", "sed -n 1,2p *.py", "mv *.md ..", "git switch main"])
def test_what_leaves_it_alone_is_not_spoken_of(agent: HookedAgent, repo: Path, line: str) -> None:
    person(repo)
    answer, _ = agent.propose("Bash", {"command": line})
    assert answer.words == ""


def test_what_a_script_took_back_is_said_with_its_result_once(agent: HookedAgent, repo: Path) -> None:
    person(repo)
    answer, call = agent.propose("Bash", {"command": "make"})
    assert answer.words == ""
    landed = agent.land_bash(call, run(repo, "make"))
    assert (repo / "app.py").read_text(encoding="utf-8") == APP
    assert "Somebody's change of app.py is gone again" in landed.words
    _, call = agent.propose("Bash", {"command": "make"})
    assert agent.land_bash(call, run(repo, "make")).words == ""
    person(repo)
    _, call = agent.propose("Bash", {"command": "make"})
    assert "is gone again" in agent.land_bash(call, run(repo, "make")).words, "another change is lost"


@pytest.mark.parametrize(
    ("tool", "given", "is_lost"),
    [
        ("Bash", {"command": "git checkout app.py"}, True),
        ("Bash", {"command": "git checkout ."}, True),
        ("Write", {"file_path": "app.py", "content": "mine = 1\n"}, False),
        ("Edit", {"file_path": "app.py", "old_string": "a = 1", "new_string": "a = 4"}, False),
    ],
)
def test_what_was_only_named_at_a_prompt_is_shown_before_it_is_lost(
    repo: Path, tool: str, given: dict[str, str], *, is_lost: bool
) -> None:
    """Once: then the agent knows what it is doing. Reading the file again is as good, but to have it thrown away."""
    agent = HookedAgent(repo)
    agent.prompt("fix app.py")
    agent.read("app.py")
    person(repo)
    assert "app.py: 1 line new, 1 gone" in agent.prompt("go on")
    assert "app.py" not in agent.prompt("and on")
    first, _ = agent.propose(tool, given)
    assert "+ 2: b = 9" in first.words
    again, _ = agent.propose(tool, given)
    assert (first.denied, again.denied) == (is_lost, is_lost)
    assert "b = 9" not in again.words
    assert (LOST_WORK in again.words) if is_lost else (again.words == "")
    assert agent.prompt("go on again") == ""
