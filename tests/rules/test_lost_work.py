"""The edges of what is the session's own and what is the user's, on a real repository and with real hooks."""

from __future__ import annotations

from pathlib import Path

import pytest

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
