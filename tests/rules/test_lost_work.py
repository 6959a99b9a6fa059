"""The edges of what is the session's own and what is the user's, on a real repository and with real hooks."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from leeboard.io.git import unsaved
from leeboard.testing.scenario import play
from tests.git_repository import GitRepository
from tests.hooked_agent import HookedAgent


@pytest.fixture
def git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> GitRepository:
    for name in ("STATE", "CONFIG", "CACHE", "RUNTIME"):
        monkeypatch.setenv(f"LEEBOARD_{name}_DIR", str(tmp_path / name.lower()))
    repo = GitRepository(tmp_path / "repo")
    repo.write("app.py", "a = 1\nb = 2\n")
    repo.write("other.py", "c = 3\n")
    repo.commit("first", at="2020-01-01T00:00:00Z")
    return repo


def begin(git: GitRepository, prompt: str = "Fix app.py.") -> HookedAgent:
    agent = HookedAgent(git.path)
    agent.hook("SessionStart", source="startup")
    agent.prompt(prompt)
    return agent


def age(git: GitRepository, path: str) -> None:
    """It was there before the session."""
    os.utime(git.path / path, (1_500_000_000, 1_500_000_000))


def test_what_the_session_changed_it_may_take_back(git: GitRepository) -> None:
    agent = begin(git)
    agent.read("app.py")
    agent.edit("app.py", "a = 1", "a = 5")
    assert not agent.propose("Bash", {"command": "git checkout app.py"})[0].denied
    assert not agent.propose("Bash", {"command": "git reset --hard"})[0].denied


def test_a_file_that_had_changes_before_the_session_wrote_to_it_is_the_users(git: GitRepository) -> None:
    git.write("app.py", "a = 1\nb = 'mine'\n")
    agent = begin(git)
    agent.read("app.py")
    agent.edit("app.py", "a = 1", "a = 5")
    answer, _ = agent.propose("Bash", {"command": "git checkout app.py"})
    assert answer.denied
    assert "app.py" in answer.words


def test_the_users_file_beside_the_sessions_own_is_named_alone(git: GitRepository) -> None:
    git.write("other.py", "c = 'mine'\n")
    agent = begin(git)
    agent.edit("app.py", "a = 1", "a = 5")
    answer, _ = agent.propose("Bash", {"command": "git restore ."})
    assert answer.denied
    assert "other.py" in answer.words
    assert "gone: other.py\n" in answer.words
    assert not agent.propose("Bash", {"command": "git restore app.py"})[0].denied


def test_commits_of_the_session_are_its_own_and_those_before_it_are_not(git: GitRepository) -> None:
    agent = begin(git)
    agent.edit("app.py", "a = 1", "a = 5")
    agent.bash("git commit -qam own")
    assert not agent.propose("Bash", {"command": "git reset --hard HEAD~1"})[0].denied
    git.run("checkout", "-q", "--orphan", "fresh")
    assert agent.propose("Bash", {"command": "git branch -D main"})[0].denied


def test_a_commit_of_the_users_is_theirs_however_late_it_was_made(git: GitRepository) -> None:
    def committed(branch: str) -> None:
        git.run("checkout", "-q", "-b", branch)
        git.write(f"{branch}.py", f"{branch} = 1\n")
        git.run("add", "-A")
        git.run("commit", "-q", "-m", branch)
        git.run("checkout", "-q", "main")

    committed("right-before")
    agent = begin(git)
    assert agent.propose("Bash", {"command": "git branch -D right-before"})[0].denied
    committed("meanwhile")
    agent.prompt("Go on with app.py.")
    assert agent.propose("Bash", {"command": "git branch -D meanwhile"})[0].denied
    agent.bash("git checkout -q -b own && touch x.py && git add x.py && git commit -q -m own && git checkout -q main")
    assert not agent.propose("Bash", {"command": "git branch -D own"})[0].denied


def test_a_new_file_of_the_session_may_go_and_one_from_before_may_not(git: GitRepository) -> None:
    git.write("notes.md", "mine\n")
    agent = begin(git)
    agent.write("scratch.py", "x = 1\n")
    agent.bash("touch made.txt")
    assert not agent.propose("Bash", {"command": "rm scratch.py made.txt"})[0].denied
    assert agent.propose("Bash", {"command": "rm scratch.py notes.md"})[0].denied


def test_what_was_read_is_written_over_as_by_an_edit(git: GitRepository) -> None:
    git.write("notes.md", "mine\n")
    agent = begin(git)
    assert agent.propose("Bash", {"command": "echo x > notes.md"})[0].denied
    agent.read("notes.md")
    assert not agent.propose("Bash", {"command": "cat > notes.md <<'X'\nmine, and more\nX"})[0].denied


def test_a_stash_of_the_users_work_is_theirs_though_the_session_made_it(git: GitRepository) -> None:
    git.write("other.py", "c = 'mine'\n")
    agent = begin(git)
    agent.bash("git stash -q")
    assert agent.propose("Bash", {"command": "git stash drop"})[0].denied
    agent.bash("git stash apply -q")
    assert not agent.propose("Bash", {"command": "git stash drop"})[0].denied


def test_a_word_that_git_would_take_for_an_option_is_never_handed_to_it(git: GitRepository) -> None:
    agent = begin(git)
    for line in (
        "git reset --hard --output=owned",
        "git branch -f main --output=owned",
        "git push -f origin +--output=x",
    ):
        agent.propose("Bash", {"command": line})
    assert not list(git.path.glob("owned*"))


def test_it_is_refused_under_advise_and_only_recorded_under_observe(git: GitRepository) -> None:
    git.write("notes.md", "mine\n")
    watched = HookedAgent(git.path, session="o", profile="observe")
    watched.prompt("Fix app.py.")
    answer, _ = watched.propose("Bash", {"command": "rm notes.md"})
    assert (answer.denied, answer.words) == (False, "")


def test_a_recording_says_nothing() -> None:
    played = play(("@ fix a.py", "$ rm -rf src && git reset --hard && git push --force"))
    assert not [said for said in played.proposed() if "lost_work" in said.rules]


def test_a_script_of_the_sessions_own_is_read_and_one_of_the_projects_is_not(git: GitRepository) -> None:
    git.write("tidy.sh", "rm -rf drafts\n")
    git.commit("a script", at="2020-01-02T00:00:00Z")
    git.write("drafts/one.md", "mine\n")
    age(git, "drafts/one.md")
    agent = begin(git)
    assert not agent.propose("Bash", {"command": "sh tidy.sh"})[0].denied
    agent.write("gone.sh", "#!/bin/sh\ncd drafts && rm one.md\n")
    agent.write("gone.py", "import glob, os\nfor f in glob.glob('drafts/*'):\n    os.remove(f)\n")
    for line in ("sh gone.sh", ". ./gone.sh", "chmod +x gone.sh && ./gone.sh", "python3 gone.py"):
        assert agent.propose("Bash", {"command": line})[0].denied, line
    for line in ("cat gone.sh", "sh -n gone.sh", "wc -l gone.py"):
        assert not agent.propose("Bash", {"command": line})[0].denied, line


def test_a_file_of_the_users_stays_theirs_under_another_name(git: GitRepository) -> None:
    git.write("notes.md", "mine\n")
    age(git, "notes.md")
    agent = begin(git)
    agent.bash("mv notes.md old.md")
    answer, _ = agent.propose("Bash", {"command": "rm old.md"})
    assert answer.denied
    assert "old.md" in answer.words


def test_a_conflict_that_the_session_merged_into_may_be_given_up(git: GitRepository) -> None:
    git.run("checkout", "-q", "-b", "other")
    git.write("app.py", "a = 'theirs'\n")
    git.commit("theirs", at="2020-01-02T00:00:00Z")
    git.run("checkout", "-q", "main")
    git.write("app.py", "a = 'ours'\n")
    git.commit("ours", at="2020-01-03T00:00:00Z")
    agent = begin(git, "Merge the branch other.")
    agent.bash("git merge other")
    for line in ("git merge --abort", "git reset --merge", "git reset --hard"):
        assert not agent.propose("Bash", {"command": line})[0].denied, line


def test_where_git_is_too_slow_to_tell_the_line_is_refused_and_says_so(
    git: GitRepository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(unsaved, "SECONDS", 0.0)
    agent = begin(git)
    answer, _ = agent.propose("Bash", {"command": "git reset --hard"})
    assert answer.denied
    assert "git did not tell in time" in answer.words
    for line in ("git status", "rm -rf build", "git stash list", "rm nothing-here.md"):
        assert not agent.propose("Bash", {"command": line})[0].denied, line


def test_a_file_that_the_session_only_writes_to_stays_the_users(git: GitRepository) -> None:
    git.write("notes.md", "mine\nmore of it\n")
    age(git, "notes.md")
    agent = begin(git)
    agent.read("notes.md")
    agent.edit("notes.md", "more of it", "less of it")
    assert agent.propose("Bash", {"command": "rm notes.md"})[0].denied
    agent.write("scratch.md", "one\n")
    agent.edit("scratch.md", "one", "two")
    assert not agent.propose("Bash", {"command": "rm scratch.md"})[0].denied
