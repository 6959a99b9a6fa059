"""Known files that are no small text any more, and names that sound like what programs write, through the real hooks."""

from __future__ import annotations

from pathlib import Path

import pytest

from leeboard.io.git.tree_files import LARGEST
from tests.hooked_agent import HookedAgent, run
from tests.test_hook_files_changed import UNKNOWN, world

__all__ = ["world"]

APP = "a = 1\nb = 2\nc = 3\n"
THEIRS = "a = 1\nb = 9\nc = 3\n"


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    place = tmp_path / "repo"
    place.mkdir()
    (place / "app.py").write_text(APP, encoding="utf-8")
    assert run(place, "git init -q -b main . && git add -A && git commit -qm begin").returncode == 0
    return place


@pytest.fixture
def agent(repo: Path) -> HookedAgent:
    made = HookedAgent(repo, profile="enforce")
    made.prompt("fix app.py")
    made.read("app.py")
    return made


def grown(place: Path) -> None:
    place.write_text(THEIRS + "x = 1\n" * (LARGEST // 6 + 1), encoding="utf-8")


def no_text(place: Path) -> None:
    place.write_bytes(THEIRS.encode() + b"\0")


def linked(place: Path) -> None:
    place.unlink()
    outside = place.parent.parent / "theirs.py"
    outside.write_text(THEIRS, encoding="utf-8")
    place.symlink_to(outside)


CHANGES = [
    (grown, "it is now too large to compare"),
    (no_text, "it is no longer a text"),
    (linked, "it is now a link"),
]


@pytest.mark.parametrize(("change", "words"), CHANGES)
def test_a_write_over_it_is_refused(agent: HookedAgent, repo: Path, change: object, words: str) -> None:
    assert callable(change)
    change(repo / "app.py")
    answer = agent.write("app.py", "n = 1\n")
    assert answer.denied
    assert words in answer.words
    assert UNKNOWN in answer.words


@pytest.mark.parametrize(("change", "words"), CHANGES)
def test_the_next_prompt_names_it_once(agent: HookedAgent, repo: Path, change: object, words: str) -> None:
    assert callable(change)
    change(repo / "app.py")
    assert f"app.py: {words}" in agent.prompt("go on")
    assert agent.prompt("go on") == ""


@pytest.mark.parametrize(("change", "words"), CHANGES)
def test_who_has_looked_at_it_may_write(agent: HookedAgent, repo: Path, change: object, words: str) -> None:
    assert callable(change)
    change(repo / "app.py")
    assert words in agent.write("app.py", "n = 1\n").words
    agent.bash("head -3 app.py")
    assert not agent.write("app.py", "n = 1\n").denied
    assert not agent.edit("app.py", "n = 1", "n = 2").words
    assert agent.prompt("go on") == ""


def test_a_link_inside_of_the_work_tree_is_named(agent: HookedAgent, repo: Path) -> None:
    (repo / "other.py").write_text(THEIRS, encoding="utf-8")
    (repo / "app.py").unlink()
    (repo / "app.py").symlink_to("other.py")
    answer = agent.bash("sed -i s/3/4/ app.py")
    assert answer.denied
    assert "it is now a link" in answer.words
    assert not agent.bash("sed -i s/3/4/ app.py").denied, "it was said, and reading it shows another file"


@pytest.mark.parametrize("in_folder", ["", "src/"])
def test_what_is_written_through_such_a_link_is_named_once(agent: HookedAgent, repo: Path, in_folder: str) -> None:
    name = f"{in_folder}app.py"
    (repo / name).parent.mkdir(exist_ok=True)
    (repo / name).write_text(APP, encoding="utf-8")
    agent.read(name)
    (repo / "other.py").write_text(THEIRS, encoding="utf-8")
    (repo / name).unlink()
    (repo / name).symlink_to(repo / "other.py")
    first = agent.edit(name, "c = 3", "c = 4")
    assert first.denied
    assert f"{name} was changed since you last read it: it is now a link" in first.words
    assert agent.write(name, "n = 1\n").words == ""
    assert (repo / "other.py").read_text(encoding="utf-8") == "n = 1\n", "it was said, and reading shows another file"
    assert agent.prompt("go on") == ""


def test_the_file_behind_such_a_link_is_judged_as_well(agent: HookedAgent, repo: Path) -> None:
    (repo / "other.py").write_text(APP, encoding="utf-8")
    agent.read("other.py")
    (repo / "other.py").write_text(THEIRS, encoding="utf-8")
    (repo / "app.py").unlink()
    (repo / "app.py").symlink_to("other.py")
    words = agent.edit("app.py", "c = 3", "c = 4").words
    assert "app.py was changed since you last read it: it is now a link" in words
    assert "other.py was changed since you last read it: 1 line new, 1 gone" in words
    agent.read("other.py")
    assert agent.edit("app.py", "c = 3", "c = 4").words == ""


def test_who_edits_through_a_link_that_was_there_hears_nothing(agent: HookedAgent, repo: Path) -> None:
    (repo / "named.py").symlink_to("app.py")
    agent.read("named.py")
    assert agent.edit("named.py", "c = 3", "c = 4").words == ""
    assert agent.prompt("go on") == ""


@pytest.mark.parametrize(
    "script", ["printf 'a\\0b' > app.py", "ln -sf other.py app.py", "yes | head -c 3000000 > app.py"]
)
def test_what_its_own_script_did_is_its_own(agent: HookedAgent, repo: Path, script: str) -> None:
    (repo / "make.sh").write_text(script, encoding="utf-8")
    agent.bash("sh make.sh")
    assert agent.prompt("go on") == ""
    agent.bash(script)
    assert agent.prompt("go on") == ""
    assert not agent.write("app.py", "n = 1\n").denied


@pytest.mark.parametrize("name", ["src/logs/reader.py", "docs/tmp/plan.md", "poetry.lock", "tests/want.out"])
def test_names_of_sources_are_no_excuse(agent: HookedAgent, repo: Path, name: str) -> None:
    (repo / name).parent.mkdir(parents=True, exist_ok=True)
    (repo / name).write_text(APP, encoding="utf-8")
    assert run(repo, "git add -A && git commit -qm more").returncode == 0
    agent.read(name)
    (repo / name).write_text(THEIRS, encoding="utf-8")
    assert name in agent.prompt("go on")
    assert agent.bash(f"echo > {name}").denied
    assert agent.bash(f"rm {name}").denied


def test_what_git_ignores_in_such_a_folder_moves_all_the_time(agent: HookedAgent, repo: Path) -> None:
    (repo / ".gitignore").write_text("logs/\n", encoding="utf-8")
    (repo / "logs").mkdir()
    (repo / "logs/today.txt").write_text(APP, encoding="utf-8")
    agent.read("logs/today.txt")
    (repo / "logs/today.txt").write_text(THEIRS, encoding="utf-8")
    assert not agent.bash("rm logs/today.txt").denied
    assert agent.prompt("go on") == ""


@pytest.mark.parametrize("heard", [True, False])
def test_a_file_that_is_gone_may_be_made_anew_once_that_was_said(repo: Path, *, heard: bool) -> None:
    """It can not be read again. A new one that somebody put there is news again."""
    agent = HookedAgent(repo, profile="enforce")
    agent.prompt("fix app.py")
    agent.read("app.py")
    (repo / "app.py").unlink()
    assert ("app.py: it is gone" in agent.prompt("go on")) if heard else True
    given = {"file_path": "app.py", "content": "mine = 1\n"}
    first, _ = agent.propose("Write", given)
    assert first.denied
    assert "it is gone.\nBy whom" in first.words
    assert "the same call makes it anew" in first.words
    (repo / "app.py").write_text("theirs = 1\n", encoding="utf-8")
    assert agent.propose("Write", given)[0].denied
    (repo / "app.py").unlink()
    assert agent.propose("Write", given)[0].denied
    assert agent.propose("Write", given)[0].words == ""
