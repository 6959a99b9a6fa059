"""Many hooks of one session at once: every one is counted, none is answered with an error, none judges while all wait."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from types import ModuleType

import msgspec
import pytest

from leeboard.app.handle import TRIES, RunSetting, handle
from leeboard.app.misses import misses
from leeboard.app.replay import MOMENTS
from leeboard.model.event import ToolCall, ToolProposed
from leeboard.model.lookup import Receipt
from leeboard.model.policy import Policy
from leeboard.model.session import Session
from leeboard.model.verdict import Action, Finding, Verdict
from leeboard.model.workspace import Workspace
from leeboard.model.world import World
from leeboard.rule import LoadedRule, Rule, discover, read_rule
from leeboard.store.sqlite import SqliteStore, open_store
from tests.hook_process import HookProcess, edit, prompt

CALLS = 50
ALONE = {"LEEBOARD_RESIDENT": "0"}


def ask_all_at_once(process: HookProcess, payloads: list[bytes], env: Mapping[str, str | None]) -> list[bytes]:
    """Every client has started before the first one is told anything."""
    clients = [process.start(env) for _ in payloads]
    for client, payload in zip(clients, payloads, strict=True):
        assert client.stdin is not None
        client.stdin.write(payload)
    for client in clients:
        assert client.stdin is not None
        client.stdin.close()
        client.stdin = None
    answers = []
    for client in clients:
        answer, errors = client.communicate()
        assert (client.returncode, errors) == (0, b"")
        answers.append(answer)
    return answers


def kept(process: HookProcess) -> tuple[Session, tuple[Receipt, ...]]:
    with closing(open_store(f"{process.state_dir}/leeboard.db")) as store:
        session = store.session("s")
        assert session is not None
        return session, store.receipts(2 * CALLS)


def edits(name: str = "PreToolUse") -> list[bytes]:
    return [edit(f"t{number}", f"/repo/src/auth/part{number}.py", name=name) for number in range(CALLS)]


def receipts_of_all(process: HookProcess, answers: list[bytes]) -> int:
    """How many receipts there are, where none of the calls was lost."""
    assert all(not answer or isinstance(msgspec.json.decode(answer), dict) for answer in answers)
    assert misses(process.state_dir) == []
    session, receipts = kept(process)
    assert session.events == CALLS
    assert sum(len(agent.open_calls) for agent in session.agents) == CALLS
    return len(receipts)


def test_fifty_processes_that_judge_by_themselves(tmp_path: Path) -> None:
    process = HookProcess(folder=str(tmp_path))
    answers = ask_all_at_once(process, edits(), ALONE)
    assert receipts_of_all(process, answers) == CALLS


def test_fifty_processes_through_one_resident(tmp_path: Path) -> None:
    process = HookProcess(folder=str(tmp_path))
    with process.resident():
        answers = ask_all_at_once(process, edits(), {})
    # On a busy machine a client may find the resident silent for too long, and then asks a second time.
    assert receipts_of_all(process, answers) >= CALLS


def test_one_call_reported_by_many_processes_is_judged_once(tmp_path: Path) -> None:
    process = HookProcess(folder=str(tmp_path))
    env = ALONE | {"LEEBOARD_PROFILE": "enforce"}
    process.run(prompt("fix the auth bug, only touch src/auth"), env)
    answers = ask_all_at_once(process, [edit("t1", "/repo/src/styles/theme.css")] * 12, env)
    assert all(b'"permissionDecision":"deny"' in answer for answer in answers)
    session, _receipts = kept(process)
    assert session.events == 2
    assert session.denied == 1


class Overtaken:
    """One call judged in this process; whenever it is, a hook of another process is answered before it is kept."""

    def __init__(self, process: HookProcess, siblings: list[bytes]) -> None:
        self._process = process
        self._siblings = siblings
        self.database = f"{process.state_dir}/leeboard.db"
        self.under_the_lock: list[bool] = []
        """For each time that the call was judged."""

    def rule(self) -> LoadedRule:
        module = ModuleType("overtaken")

        def detect(event: ToolProposed, world: World) -> Iterator[Finding]:
            assert event is world.analysis.event
            self.under_the_lock.append(self._is_locked())
            if self._siblings and not self.under_the_lock[-1]:
                assert self._process.run(self._siblings.pop(0), ALONE).returncode == 0
            return iter(())

        vars(module).update(detect=detect, RULE=Rule(summary="finds nothing, slowly"))
        return read_rule(module)

    def _is_locked(self) -> bool:
        with closing(sqlite3.connect(self.database, timeout=0, isolation_level=None)) as other:
            try:
                other.execute("BEGIN IMMEDIATE")
            except sqlite3.OperationalError:
                return True
            return False

    def judge(self, store: SqliteStore, path: str = "src/auth/token.py") -> Verdict:
        rules = (*discover(), self.rule())
        setting = RunSetting(workspace=Workspace("/repo"), policy=Policy(profile="enforce"), rules=rules)
        call = ToolCall(id="own", tool="Edit", action="edit", paths=(path,))
        event = ToolProposed(session="s", cwd="/repo", key="call:own", call=call)
        verdict = handle((event,), MOMENTS[ToolProposed], store, setting)
        assert verdict is not None
        return verdict


def overtaken(tmp_path: Path, siblings: list[bytes]) -> tuple[Overtaken, SqliteStore]:
    process = HookProcess(folder=str(tmp_path))
    assert process.run(prompt("fix the auth bug"), ALONE).returncode == 0
    case = Overtaken(process, siblings)
    return case, open_store(case.database)


@pytest.mark.parametrize("many", [0, 1, TRIES - 1, TRIES, TRIES + 2])
def test_who_is_overtaken_judges_again_without_the_lock(tmp_path: Path, many: int) -> None:
    """Only who is overtaken every time judges under the lock, where nobody can overtake any more."""
    case, store = overtaken(tmp_path, edits()[:many])
    with closing(store):
        verdict = case.judge(store)
        before = min(many, TRIES)
        assert case.under_the_lock == [*[False] * min(many + 1, TRIES), *[True] * (many >= TRIES)]
        session = store.session("s")
        assert session is not None
        assert (session.events, session.version, session.scored) == (before + 2, before + 2, before + 1)
        assert [len(agent.open_calls) for agent in session.agents] == [before + 1]
        given = [(one.event, one.tool_use_id) for one in store.verdicts("s")]
        told = [("ToolProposed", name) for name in (*(f"t{number}" for number in range(before)), "own")]
        assert given == [("PromptGiven", ""), *told]
        assert store.answered("s", "call:own") == verdict
        assert len(store.receipts(2 * CALLS)) == before + 1


@pytest.mark.parametrize("earlier", [0, TRIES - 1])
def test_what_a_sibling_was_told_meanwhile_is_heeded(tmp_path: Path, earlier: int) -> None:
    ban = prompt("Don't modify the schema.", prompt_id="p2")
    case, store = overtaken(tmp_path, [*edits()[:earlier], ban])
    with closing(store):
        verdict = case.judge(store, "db/schema.sql")
        assert (verdict.action, "broken_constraint" in verdict.rules) == (Action.DENY, True)
        assert len(case.under_the_lock) == earlier + 2


@pytest.mark.parametrize("earlier", [0, TRIES - 1])
def test_what_a_sibling_answered_meanwhile_is_not_judged_again(tmp_path: Path, earlier: int) -> None:
    same = edit("own", "/repo/src/auth/token.py")
    case, store = overtaken(tmp_path, [*edits()[:earlier], same])
    with closing(store):
        verdict = case.judge(store)
        assert case.under_the_lock == [False] * (earlier + 1)
        assert verdict.tool_use_id == "own"
        session = store.session("s")
        assert session is not None
        assert session.events == earlier + 2
