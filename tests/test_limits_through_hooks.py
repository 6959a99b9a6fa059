"""The tables of limits, driven through the hook as the client calls it, under the profile that everybody has."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.git_repository import GitRepository
from tests.hooked_agent import Answer, HookedAgent
from tests.speech.limits.test_constraint_table import LEAST, blocks


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("STATE", "CONFIG", "CACHE", "RUNTIME"):
        monkeypatch.setenv(f"LEEBOARD_{name}_DIR", str(tmp_path / name.lower()))
    monkeypatch.setenv("LEEBOARD_RESIDENT", "0")
    git = GitRepository(tmp_path / "repo")
    git.write("package.json", '{"dependencies": {"react": "18"}}')
    for path in ("src/app.py", "src/old.py", "src/login.py", "tests/test_login.py", "src/billing/pay.py"):
        git.write(path, "a\n")
    git.commit()
    return git.path


def propose(agent: HookedAgent, call: str) -> Answer:
    """What the hook says to a line of a table."""
    verb, _, rest = call.partition(" ")
    if verb == "$":
        return agent.propose("Bash", {"command": rest})[0]
    path, _, change = (part.strip() for part in rest.partition("|"))
    place = str(agent.repo / path)
    given: dict[str, Any] = {"file_path": place}
    if verb == "edit":
        old, _, new = (part.strip() for part in change.partition("=>"))
        given |= {"old_string": old or "a", "new_string": new or "b", "replace_all": False}
    elif verb == "write":
        given |= {"content": change}
    return agent.propose(verb.capitalize(), given)[0]


@pytest.mark.parametrize("table", LEAST)
def test_a_limit_holds_at_the_hook(repo: Path, table: str) -> None:
    wrong = []
    for number, said in enumerate(blocks(table)):
        for call_number, (mark, call) in enumerate(said.calls):
            if mark == "?" or said.setup:
                continue
            agent = HookedAgent(repo, session=f"{number}-{call_number}")
            for message in said.messages:
                agent.prompt(message)
            answer = propose(agent, call)
            if answer.denied != (mark == "!"):
                wrong.append((said.messages, mark, call, answer.words))
    assert not wrong
