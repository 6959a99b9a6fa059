"""What is noted of files that were there before the session, at real hooks; and whose a commit is, by its seconds."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from leeboard.analysis.stood import were_committed
from leeboard.model.ledger import Entry
from tests.git_repository import GitRepository
from tests.hooked_agent import HookedAgent


def test_what_stood_there_is_known_after_it_was_touched_and_what_came_since_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("STATE", "CONFIG", "CACHE", "RUNTIME"):
        monkeypatch.setenv(f"LEEBOARD_{name}_DIR", str(tmp_path / name.lower()))
    git = GitRepository(tmp_path / "repo")
    git.write("app.py", "a = 1\n")
    git.commit("first", at="2020-01-01T00:00:00Z")
    git.write("notes.md", "mine\n")
    os.utime(git.path / "notes.md", (1_500_000_000, 1_500_000_000))
    agent = HookedAgent(git.path)
    agent.hook("SessionStart", source="startup")
    agent.prompt("Fix app.py.")
    agent.bash("touch notes.md made.txt && sed -i s/a/b/ app.py")
    assert agent.propose("Bash", {"command": "rm notes.md"})[0].denied
    assert not agent.propose("Bash", {"command": "rm made.txt && git checkout app.py"})[0].denied


ROWS = tuple(Entry(kind="committing", key="line", turn=1, text=text) for text in ("10 12", "20 20"))


@pytest.mark.parametrize(
    ("times", "own"), [((10.0,), True), ((12.0, 20.0), True), ((9.0,), False), ((13.0,), False), ((11.0, 21.0), False)]
)
def test_each_has_to_fall_into_a_line(times: tuple[float, ...], *, own: bool) -> None:
    """Git counts whole seconds, and a line is known by when it began and ended."""
    assert were_committed(times, ROWS) is own
