"""Thousands of secrets go through the hooks by every way there is; afterwards none is found in anything kept or said."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from leeboard.app.misses import misses
from leeboard.app.team.ship import ship
from leeboard.io import places
from leeboard.settings.team import TeamSettings
from leeboard.store.sqlite import open_store
from leeboard.surfaces import edge
from leeboard.surfaces.cli.main import cli
from tests.hook_process import hook_payload, prompt, shell
from tests.planted_secrets import Planted, found_in, grams, planted, private_key

TOGETHER = 32
"""Secrets in one payload."""

if TYPE_CHECKING:
    from tests.team_server import TeamServer

Vehicle = Callable[[Path, str, list[Planted]], Iterator[bytes]]


def _written(secrets: list[Planted]) -> str:
    return "".join(f"{one.assigned}\n" for one in secrets)


def _program(secrets: list[Planted]) -> str:
    """Code that has them in every place: assigned, as a default, in a route, an option and a call."""
    parts = ["from flask import Flask\n\napp = Flask(__name__)\n", _written(secrets[4:])]
    for number, one in enumerate(secrets[:4]):
        route = one.value if one.alone else one.name
        parts.append(f'@app.route("/hook/{number}/{route}")\ndef hook_{number}(user, {one.name}="{one.value}"):\n')
        parts.append(f'    parser.add_argument("--key-{number}", default="{one.value}")\n')
        parts.append(f'    {one.assigned}\n    return connect(user, {one.name.lower()}="{one.value}")\n\n')
    return "\n".join(parts)


def _tool(name: str, tool: str, given: dict[str, object], call: str, **more: object) -> bytes:
    return hook_payload(name, tool_name=tool, tool_input=given, tool_use_id=call, **more)


def in_prompts(_repo: Path, call: str, secrets: list[Planted]) -> Iterator[bytes]:
    told = ", ".join(f"{one.name} is {one.value}" for one in secrets)
    yield prompt(f"Connect the shop to the bank in src/{call}.py. Don't change the schema. {told}.")
    yield prompt(f"use this:\n```\n{_written(secrets)}```\nin src/{call}.py")
    yield prompt(f"Put {secrets[0].value} into src/{call}.py as the {secrets[0].name}.")


def in_writes(repo: Path, call: str, secrets: list[Planted]) -> Iterator[bytes]:
    given: dict[str, object] = {"file_path": str(repo / f"src/{call}.py"), "content": _program(secrets)}
    yield _tool("PreToolUse", "Write", given, call)
    yield _tool("PostToolUse", "Write", given, call, tool_response={"content": _program(secrets)})


def in_refused_writes(repo: Path, call: str, secrets: list[Planted]) -> Iterator[bytes]:
    given: dict[str, object] = {"file_path": str(repo / f"src/{call}.py"), "content": _written(secrets)}
    yield _tool("PreToolUse", "Write", given, call)
    yield _tool("PermissionDenied", "Write", given, call, reason=f"no: {secrets[0].assigned}")
    entry = {"tool_name": "Write", "tool_input": given, "tool_use_id": call}
    error = f"PreToolUse:Write hook error: [leeboard hook]: {secrets[1].assigned}"
    yield hook_payload("PostToolBatch", tool_calls=[{**entry, "tool_response": error}])


def in_edits(repo: Path, call: str, secrets: list[Planted]) -> Iterator[bytes]:
    path = repo / f"src/{call}.py"
    path.parent.mkdir(exist_ok=True)
    path.write_text(_written(secrets[:16]), encoding="utf-8")
    old, new = _written(secrets[:16]), _written(secrets[16:])
    given: dict[str, object] = {"file_path": str(path), "old_string": old, "new_string": new}
    yield _tool("PreToolUse", "Edit", given, call)
    path.write_text(new, encoding="utf-8")
    yield _tool("PostToolUse", "Edit", given, call, tool_response={"oldString": old, "newString": new})


def in_several_edits(repo: Path, call: str, secrets: list[Planted]) -> Iterator[bytes]:
    edits = [{"old_string": one.name, "new_string": one.assigned} for one in secrets]
    given: dict[str, object] = {"file_path": str(repo / f"src/{call}.ts"), "edits": edits}
    yield _tool("PreToolUse", "MultiEdit", given, call)
    yield _tool("PostToolUse", "MultiEdit", given, call, tool_response={})


def in_documents_in_shell_lines(_repo: Path, call: str, secrets: list[Planted]) -> Iterator[bytes]:
    command = f"cat > src/{call}.py <<'END'\n{_written(secrets)}END"
    yield shell(call, command)
    yield shell(call, command, name="PostToolUse", tool_response={"stdout": "", "stderr": ""})


def in_shell_lines(_repo: Path, call: str, secrets: list[Planted]) -> Iterator[bytes]:
    words = " ".join(f"{one.name.upper()}='{one.value}'" for one in secrets[:3])
    command = f"export {words} && curl -H 'Authorization: Bearer {secrets[3].value}' -d '{secrets[4].assigned}' x.dev"
    command += f" && echo '{secrets[5].assigned}' >> .env.local && grep -rn \"{secrets[5].assigned}\" src"
    yield shell(call, command)
    yield shell(call, command, name="PostToolUse", tool_response={"stdout": _written(secrets), "stderr": ""})


def in_results(_repo: Path, call: str, secrets: list[Planted]) -> Iterator[bytes]:
    yield shell(call, "env")
    yield shell(call, "env", name="PostToolUse", tool_response={"stdout": _written(secrets), "stderr": ""})
    yield shell(f"{call}f", "make test")
    failed = f"Exit code 1\nAssertionError: {secrets[0].assigned}\nFAILED {secrets[1].assigned}"
    yield shell(f"{call}f", "make test", name="PostToolUseFailure", error=failed)


def in_searches(repo: Path, call: str, secrets: list[Planted]) -> Iterator[bytes]:
    for at, one in enumerate(secrets[:6]):
        given: dict[str, object] = {"pattern": one.assigned, "path": str(repo)}
        yield _tool("PreToolUse", "Grep", given, f"{call}{at}")
        yield _tool("PostToolUse", "Grep", given, f"{call}{at}", tool_response={"content": f"a.py:1:{one.assigned}"})
    url: dict[str, object] = {"url": f"https://x.dev/?token={secrets[0].value}", "prompt": secrets[1].assigned}
    yield _tool("PostToolUse", "WebFetch", url, f"{call}w", tool_response={"result": secrets[2].assigned})


def in_plans(_repo: Path, call: str, secrets: list[Planted]) -> Iterator[bytes]:
    todos = [{"content": f"hardcode {one.assigned}", "status": "pending", "activeForm": "x"} for one in secrets[:3]]
    yield _tool("PreToolUse", "TodoWrite", {"todos": todos}, call)
    yield hook_payload("TaskCreated", task_id=call, task_subject=f"use {secrets[3].assigned} in src/pay.py")
    yield hook_payload("PostCompact", compact_summary=f"The user gave {secrets[4].assigned}.")
    yield hook_payload("Stop", stop_hook_active=False, last_assistant_message=f"Done. I set {secrets[5].assigned}")


def in_words(repo: Path, call: str, secrets: list[Planted]) -> Iterator[bytes]:
    """What the agent says and thinks is read from its transcript."""
    lines = []
    for at, one in enumerate(secrets):
        said = f"For now I'll hardcode the key: {one.assigned} and use {one.assigned} instead of the environment. "
        said += "I read the settings of the shop before I go on with it. " * (at % 3 * 20)
        block = {"type": "text", "text": said} if at % 2 else {"type": "thinking", "thinking": said, "signature": "x"}
        message = {"id": f"msg_{call}{at}", "type": "message", "role": "assistant", "content": [block]}
        stamp = {"sessionId": "s", "cwd": str(repo), "timestamp": "2026-01-01T00:00:00.000Z", "isSidechain": False}
        lines.append(json.dumps({"type": "assistant", "uuid": f"{call}{at}", "message": message, **stamp}))
    path = repo.parent / f"{call}.jsonl"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    yield prompt("go on", transcript_path=str(path))


def across_cuts(repo: Path, call: str, secrets: list[Planted]) -> Iterator[bytes]:
    """Each where a text of its kind is cut: a thing to do, a shell line, an error, a prompt, a file."""
    for at, one in enumerate(secrets):
        left = 14 + at % 10
        name = f"{call}{at}"
        todos = [{"content": _ending(one, 2_000, left), "status": "pending", "activeForm": "x"}]
        yield _tool("PreToolUse", "TodoWrite", {"todos": todos}, f"{name}t")
        yield shell(f"{name}c", f"printf x {_ending(one, 7_991, left)}")
        yield shell(f"{name}f", "make", name="PostToolUseFailure", error=one.assigned + "\n" * (8_000 - left))
        yield prompt(_ending(one, 20_000, left))
        given: dict[str, object] = {"file_path": str(repo / f"src/{name}.py"), "content": _ending(one, 24_000, left)}
        yield _tool("PreToolUse", "Write", given, f"{name}w")


def _ending(one: Planted, limit: int, left: int) -> str:
    """A text of which so many characters of the secret lie before the limit, and the rest behind it."""
    start = limit - left - one.assigned.index(one.value)
    return ("check the total\n" * (start // 16 + 1))[-start:] + one.assigned + "\nand go on\n"


VEHICLES: tuple[Vehicle, ...] = (
    in_prompts,
    in_writes,
    in_refused_writes,
    in_edits,
    in_several_edits,
    in_documents_in_shell_lines,
    in_shell_lines,
    in_results,
    in_searches,
    in_plans,
    in_words,
)


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LEEBOARD_STATE_DIR", str(tmp_path / "state"))
    monkeypatch.setenv("LEEBOARD_CONFIG_DIR", str(tmp_path / "config"))
    monkeypatch.setenv("LEEBOARD_CACHE_DIR", str(tmp_path / "state" / "cache"))
    for mark in ("CLAUDECODE", "CLAUDE_CODE_SESSION_ID", "CLAUDE_CODE_ENTRYPOINT"):
        monkeypatch.delenv(mark, raising=False)
    made = tmp_path / "repo"
    (made / ".git").mkdir(parents=True)
    monkeypatch.chdir(made)
    return made


def plant(repo: Path, secrets: list[Planted], profile: str, vehicles: tuple[Vehicle, ...] = VEHICLES) -> list[bytes]:
    """Send them all; what was answered."""
    env = {"LEEBOARD_PROFILE": profile, "LEEBOARD_INDEX": "0", "LEEBOARD_KEEP": "0"}
    groups = [secrets[at : at + TOGETHER] for at in range(0, len(secrets), TOGETHER)]
    answers = []
    for number, group in enumerate(groups):
        vehicle = vehicles[number % len(vehicles)]
        session = f"s{number // 60}"
        for payload in vehicle(repo, f"t{number}", group):
            fields = {**json.loads(payload), "session_id": session, "cwd": str(repo)}
            answers.append(edge.answer(json.dumps(fields).encode(), env))
    return answers


def kept(state: Path) -> Iterator[tuple[str, bytes]]:
    """Every byte of every file, and every cell of the database where a long one is spread over pages."""
    for path in sorted(state.rglob("*")):
        if path.is_file():
            yield path.name, path.read_bytes()
    with closing(sqlite3.connect(state / "leeboard.db")) as database:
        tables = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        for table in tables:
            for row in database.execute(f"SELECT * FROM {table}"):
                cells = (cell if isinstance(cell, bytes) else str(cell).encode() for cell in row)
                yield table, b"\n".join(cells)


def said() -> Iterator[tuple[str, bytes]]:
    """All a person can have printed."""
    with closing(open_store(places.database())) as store:
        sessions = store.sessions(None, 100)
        signals = [judged.id for session in sessions for judged in store.signals(session.id)]
        verdicts = [verdict.id for session in sessions for verdict in store.verdicts(session.id)[:3]]
    lines = [("watch", "--once", "--all", "--json"), ("watch", "--once", "--all"), ("status",)]
    for session in sessions:
        forms = (("--json",), ("--markdown",), ("--html", "-"), ())
        lines += [("report", session.id, *form) for form in forms]
    lines += [("why", one) for one in (*signals, *verdicts)]
    lines += [("recall", "the key of the settings"), ("recall", "src", "--json")]
    for line in lines:
        done = CliRunner().invoke(cli, line, catch_exceptions=False)
        assert done.exit_code == 0, (line, done.output)
        yield " ".join(line), done.output.encode()


def assert_none_leaked(answers: list[bytes], state: Path, secrets: list[Planted]) -> None:
    wanted = grams(secrets)
    told = (*said(), *kept(state), *(("answer", answer) for answer in answers))
    leaks = {(place, piece) for place, data in told for piece in found_in(data, wanted)}
    assert leaks == set()
    assert misses(places.state_dir()) == []


def sent_to_a_team(repo: Path, config: Path, server: TeamServer) -> bytes:
    """All that leaves this machine while everything is copied to a team's database, as it goes over the wire."""
    server.member("kim", "shop")
    config.mkdir(exist_ok=True)
    with server.overheard(config) as (host, heard):
        url = f"postgresql://kim@/postgres?host={host}"
        team = TeamSettings(url=url, projects={"shop": str(repo)})
        assert ship(team).copied > 400
    kinds = {kind for (kind,) in server.execute("SELECT DISTINCT kind FROM leeboard.records")}
    assert kinds >= {"verdict", "finding", "task"}
    return bytes(heard)


@pytest.mark.parametrize(("profile", "count"), [("advise", 3_168), ("observe", 528)])
def test_nothing_kept_said_or_sent_holds_a_piece_of_a_secret(
    repo: Path, tmp_path: Path, team_server: TeamServer, profile: str, count: int
) -> None:
    secrets = [*planted(count), *(private_key(count + number) for number in range(len(VEHICLES)))]
    answers = plant(repo, secrets, profile)
    denied = sum(b'"permissionDecision":"deny"' in answer for answer in answers)
    assert bool(denied) == (profile == "advise")
    assert_none_leaked(answers, tmp_path / "state", secrets)
    sent = sent_to_a_team(repo, tmp_path / "config", team_server)
    assert b"INSERT INTO leeboard.steps" in sent
    assert found_in(sent, grams(secrets)) == set()


def test_no_half_of_one_is_left_where_a_text_is_cut(repo: Path, tmp_path: Path) -> None:
    """Only the beginning of a long text is read, and only the end of an error."""
    secrets = planted(TOGETHER)
    answers = plant(repo, secrets, "advise", (across_cuts,))
    assert_none_leaked(answers, tmp_path / "state", secrets)


def test_the_search_finds_what_is_there() -> None:
    """What stands open in any table or file would be found, in whatever case."""
    (secret,) = planted(1)
    for text in (secret.value, secret.value.upper(), secret.value[10:24]):
        assert found_in(text.encode(), grams([secret]))
    assert not found_in(secret.value[:8].encode(), grams([secret]))
