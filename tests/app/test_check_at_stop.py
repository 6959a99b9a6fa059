"""When an agent stops: whether its tree is compared once more."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from leeboard.app.check import TreeAtStop, tree_at_stop
from leeboard.app.settings import setting_for
from leeboard.clients.claude_code.hooks import parse
from leeboard.model.session import Session
from leeboard.store.memory import MemoryStore
from tests.git_repository import GitRepository
from tests.hook_process import hook_payload
from tests.trusting import in_trust

WORKED = Session(id="s", scored=1)


@pytest.fixture
def git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> GitRepository:
    in_trust(monkeypatch)
    monkeypatch.setenv("LEEBOARD_STATE_DIR", str(tmp_path / "state"))
    monkeypatch.setenv("LEEBOARD_CONFIG_DIR", str(tmp_path / "config"))
    repository = GitRepository(tmp_path / "repo")
    repository.write("leeboard.toml", '[contract]\ntouch = ["src/**"]\n')
    repository.run("add", "-A")
    repository.commit()
    return repository


def at_stop(git: GitRepository, session: Session | None = WORKED, *, kept_going: bool = False) -> TreeAtStop | None:
    call = parse(hook_payload("Stop", cwd=git.root, stop_hook_active=kept_going), 1.0)
    return tree_at_stop(call, session, setting_for(git.root, "s", MemoryStore(), {}), {})


def test_the_tree_comes_with_the_stop(git: GitRepository) -> None:
    git.write("docs/a.md", "x\n")
    found = at_stop(git)
    assert found is not None
    assert (found.seen.session, found.seen.change.paths) == ("s", ("docs/a.md",))


def test_one_tree_under_one_contract_is_one_event(git: GitRepository) -> None:
    keys = []
    for text in ("x\n", "x\n", "y\n"):
        git.write("docs/a.md", text)
        found = at_stop(git)
        assert found is not None
        keys.append(found.seen.key)
    assert keys[0] == keys[1] != keys[2]


def test_nobody_looks_where_nothing_was_done_or_said_already(git: GitRepository) -> None:
    git.write("docs/a.md", "x\n")
    assert at_stop(git, None) is None
    assert at_stop(git, replace(WORKED, scored=0)) is None
    assert at_stop(git, kept_going=True) is None


def test_without_a_written_contract_nobody_looks(git: GitRepository) -> None:
    git.write("leeboard.toml", "")
    assert at_stop(git) is None


def test_a_look_that_fails_is_a_failure_of_the_look(git: GitRepository) -> None:
    git.run("config", "core.bare", "true")
    with pytest.raises(RuntimeError):
        at_stop(git)
