from __future__ import annotations

import stat
from pathlib import Path

import pytest

from leeboard.errors import EffectError
from leeboard.trust import record
from leeboard.trust.actor import Actor
from tests.git_repository import GitRepository

ACTOR = Actor(part="p", digest="d", place="f", does="x", shown=("line",))


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> GitRepository:
    monkeypatch.setenv("LEEBOARD_STATE_DIR", str(tmp_path / "state"))
    made = GitRepository(tmp_path / "repo")
    made.commit()
    return made


def test_work_trees_share_it_and_other_repositories_do_not(repository: GitRepository, tmp_path: Path) -> None:
    repository.run("worktree", "add", "--quiet", "--detach", str(tmp_path / "linked"))
    record.grant(repository.root, [ACTOR], record.PERSON)
    assert record.trusts(str(tmp_path / "linked"), "p", "d")
    assert not record.trusts(str(tmp_path), "p", "d")
    record.revoke(str(tmp_path / "linked"), ["p"])
    assert not record.trusts(repository.root, "p", "d")


def test_it_is_the_users_alone(repository: GitRepository, tmp_path: Path) -> None:
    record.grant(repository.root, [ACTOR], record.PERSON)
    (file,) = (tmp_path / "state/trust").glob("*.json")
    assert (stat.S_IMODE(file.stat().st_mode), stat.S_IMODE(file.parent.stat().st_mode)) == (0o600, 0o700)


def test_a_repository_can_not_bring_its_own_record(repository: GitRepository, monkeypatch: pytest.MonkeyPatch) -> None:
    record.grant(repository.root, [ACTOR], record.PERSON)
    inside = repository.path / "state"
    (repository.path.parent / "state").rename(inside)
    monkeypatch.setenv("LEEBOARD_STATE_DIR", str(inside))
    assert not record.trusts(repository.root, "p", "d")
    assert "inside of the repository" in record.known(repository.root).problem
    with pytest.raises(EffectError):
        record.grant(repository.root, [ACTOR], record.PERSON)


def test_a_run_may_trust_all_of_it(repository: GitRepository) -> None:
    with record.whole_run():
        assert record.trusts(repository.root, "p", "d")
    assert not record.trusts(repository.root, "p", "d")


def test_what_was_said_is_said_once(repository: GitRepository) -> None:
    assert [record.told_before(repository.root, state) for state in ("a", "a", "b", "a")] == [False, True, False, False]


def test_nothing_shown_is_obeyed_or_hidden() -> None:
    assert record.escaped("a\x1b[2J\n\u202eb") == "a\\x1b[2J\\n\\u202eb"


def test_every_repository_that_was_trusted_is_listed(repository: GitRepository, tmp_path: Path) -> None:
    assert record.repositories() == ()
    record.grant(repository.root, [ACTOR], record.PERSON)
    assert record.repositories() == (record.repository_of(repository.root),)
    for place in (tmp_path / "state" / "trust").glob("*.json"):
        place.write_text("nonsense, and longer than before")
    assert record.repositories() == ()
