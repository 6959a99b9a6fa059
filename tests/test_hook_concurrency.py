"""Fifty hooks of one session at once: every one is counted, none is answered with an error."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

import msgspec

from leeboard.io.store.sqlite import open_store
from leeboard.model.lookup import Receipt
from leeboard.model.session import Session
from leeboard.surfaces.misses import misses
from leeboard.testing.hook_process import HookProcess, edit, prompt

CALLS = 50


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


def assert_none_lost(process: HookProcess, answers: list[bytes]) -> None:
    assert all(not answer or isinstance(msgspec.json.decode(answer), dict) for answer in answers)
    assert misses(process.state_dir) == []
    session, receipts = kept(process)
    assert session.events == CALLS
    assert sum(len(agent.open_calls) for agent in session.agents) == CALLS
    assert len(receipts) == CALLS


def test_fifty_processes_that_judge_by_themselves(tmp_path: Path) -> None:
    process = HookProcess(folder=str(tmp_path))
    answers = ask_all_at_once(process, edits(), {"LEEBOARD_RESIDENT": "0"})
    assert_none_lost(process, answers)


def test_fifty_processes_through_one_resident(tmp_path: Path) -> None:
    process = HookProcess(folder=str(tmp_path))
    with process.resident():
        answers = ask_all_at_once(process, edits(), {})
    assert_none_lost(process, answers)


def test_one_call_reported_by_many_processes_is_judged_once(tmp_path: Path) -> None:
    process = HookProcess(folder=str(tmp_path))
    env = {"LEEBOARD_RESIDENT": "0", "LEEBOARD_PROFILE": "enforce"}
    process.run(prompt("fix the auth bug, only touch src/auth"), env)
    answers = ask_all_at_once(process, [edit("t1", "/repo/src/styles/theme.css")] * 12, env)
    assert all(b'"permissionDecision":"deny"' in answer for answer in answers)
    session, _receipts = kept(process)
    assert session.events == 2
    assert session.denied == 1
