"""What a person changed and a line of the agent takes away without naming the file, through the real hooks."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.hooked_agent import HookedAgent, run
from tests.test_hook_files_changed import world

__all__ = ["world"]

APP = "a = 1\nb = 2\nc = 3\n"
THEIRS = "a = 1\nb = 9\nc = 3\n"


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


@pytest.mark.parametrize("line", ["find . -name '*.py' -delete", "git rm -rqf .", "mv *.py ..", "cp ../new/* ."])
def test_what_removes_it_is_named_before(agent: HookedAgent, repo: Path, line: str) -> None:
    person(repo)
    answer, _ = agent.propose("Bash", {"command": line})
    assert not answer.denied
    assert "app.py was changed since you last read it, and `" in answer.words


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
