"""Signals through real hook processes: each hook is a process of its own, and nothing but the disk connects them."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.hook_process import HookProcess, hook_payload, prompt
from tests.leak import live_key
from tests.test_hook_concurrency import ask_all_at_once
from tests.warm_command import run_command

ROOT = Path(__file__).resolve().parent.parent
ALONE = {"LEEBOARD_RESIDENT": "0", "LEEBOARD_INDEX": "0", "LEEBOARD_KEEP": "0"}
USER_DIRECTED = "user-directed: not signaled"

WEAK = "import hashlib\n\n\ndef hash_password(password):\n    return hashlib.md5(password.encode()).hexdigest()\n"
STRONG = "import bcrypt\n\n\ndef hash_password(password):\n    return bcrypt.hashpw(password, bcrypt.gensalt())\n"
INJECTED = """\
from flask import request


@app.route("/users")
def users():
    name = request.args.get("name")
    return db.execute(f"SELECT * FROM users WHERE name = '{name}'")
"""


class Bench:
    """A repository, an agent that works in it, and a person with the commands."""

    def __init__(self, folder: Path, profile: str = "advise") -> None:
        self.process = HookProcess(folder=str(folder))
        self.repo = folder / "repo"
        self.repo.mkdir()
        self.env: dict[str, str | None] = {**ALONE, "LEEBOARD_PROFILE": profile}
        self.turn = 0
        subprocess.run(("git", "init", "-q", str(self.repo)), check=True)
        self.say("add payments")

    def hook(self, payload: bytes, env: Mapping[str, str | None] | None = None) -> dict[str, Any]:
        """What one hook process answers."""
        fields = json.loads(payload) | {"cwd": str(self.repo)}
        done = self.process.run(json.dumps(fields).encode(), self.env if env is None else env)
        assert (done.returncode, done.stderr) == (0, b"")
        assert b'"allow"' not in done.stdout, "nothing is ever permitted by us"
        answer = json.loads(done.stdout)["hookSpecificOutput"] if done.stdout else {}
        assert isinstance(answer, dict)
        return answer

    def say(self, words: str) -> None:
        self.hook(prompt(words, prompt_id=f"p{hash(words)}"))

    def write(self, path: str, content: str, agent: str = "") -> dict[str, Any]:
        """One Write of the agent; the answer to the proposal. It is carried out unless it was denied."""
        self.turn += 1
        answer = self.hook(self.proposed(path, content, agent))
        if answer.get("permissionDecision") != "deny":
            (self.repo / path).parent.mkdir(parents=True, exist_ok=True)
            (self.repo / path).write_text(content, encoding="utf-8")
            self.hook(self.proposed(path, content, agent, name="PostToolUse", tool_response={"filePath": path}))
        return answer

    def proposed(self, path: str, content: str, agent: str = "", name: str = "PreToolUse", **more: Any) -> bytes:
        given = {"file_path": str(self.repo / path), "content": content}
        fields = {"tool_name": "Write", "tool_input": given, "tool_use_id": f"t{self.turn}", **more}
        return hook_payload(name, **fields, **({"agent_id": agent, "agent_type": "worker"} if agent else {}))

    def end_turn(self, agent: str = "") -> str:
        """What the agent hears when its calls are done."""
        call = {"tool_name": "Write", "tool_input": {}, "tool_use_id": f"t{self.turn}", "tool_response": ""}
        fields = {"agent_id": agent, "agent_type": "worker"} if agent else {}
        answer = self.hook(hook_payload("PostToolBatch", tool_calls=[call], **fields))
        return str(answer.get("additionalContext", ""))

    def read(self, agent: str = "") -> str:
        """A turn in which a file is read."""
        self.turn += 1
        given = {"file_path": str(self.repo / f"notes{self.turn}.txt")}
        fields: dict[str, Any] = {"tool_name": "Read", "tool_input": given, "tool_use_id": f"t{self.turn}"}
        fields |= {"agent_id": agent, "agent_type": "worker"} if agent else {}
        self.hook(hook_payload("PreToolUse", **fields))
        self.hook(hook_payload("PostToolUse", **fields, tool_response={"content": "x"}))
        return self.end_turn(agent)

    def leeboard(self, *words: str) -> list[dict[str, Any]]:
        env = {**self.process.environment(self.env), "PYTHONPATH": str(ROOT)}
        done = run_command((*words, "--json"), self.repo, env)
        assert done.returncode == 0, done.stderr
        return [json.loads(told) for told in done.stdout.splitlines()]

    def detections(self) -> dict[str, Any]:
        (report,) = self.leeboard("report")
        found = report["detections"]
        assert isinstance(found, dict)
        return found


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


def key_line(number: int) -> str:
    return f'STRIPE_API_KEY = "{live_key(number)}"\n'


@pytest.mark.parametrize("profile", ["advise", "enforce"])
def test_a_live_key_is_not_written(tmp_path: Path, profile: str) -> None:
    """SW-137: denied before the file exists, with the reason and the fix, whatever the turn."""
    bench = Bench(tmp_path, profile)
    answer = bench.write("src/pay.py", key_line(1))
    assert answer["permissionDecision"] == "deny"
    reason = answer["permissionDecisionReason"]
    for part in ("src/pay.py:1", ".env", 'urgency="at once"', "`leeboard allow v"):
        assert part in reason
    assert live_key(1)[8:20] not in reason
    assert not (bench.repo / "src/pay.py").exists()
    found = bench.detections()
    assert (found["interrupt_budget"], len(found["interrupts_fired"])) == (2, 1)


def test_under_observe_it_is_written_and_on_record(tmp_path: Path) -> None:
    bench = Bench(tmp_path, "observe")
    assert bench.write("src/pay.py", key_line(1)) == {}
    assert bench.end_turn() == ""
    assert (bench.repo / "src/pay.py").exists()
    (fired,) = bench.detections()["interrupts_fired"]
    assert (fired["rule"], fired["urgency"], fired["path"]) == ("credential", "B1-ESCALATE", "src/pay.py")


def test_an_injection_is_not_written(bench: Bench) -> None:
    answer = bench.write("src/users.py", INJECTED)
    assert answer["permissionDecision"] == "deny"
    assert 'urgency="at once" code="LB-B201"' in answer["permissionDecisionReason"]
    assert not (bench.repo / "src/users.py").exists()


def test_what_a_person_allows_passes_and_nothing_else(bench: Bench) -> None:
    """SW-161: this value in this file; another value or another file is denied as before."""
    bench.write("src/pay.py", key_line(1))
    (fired,) = bench.detections()["interrupts_fired"]
    bench.leeboard("allow", fired["id"], "--reason", "a key of the sandbox")
    assert bench.write("src/pay.py", key_line(1)) == {}
    assert bench.end_turn() == ""
    assert (bench.repo / "src/pay.py").read_text(encoding="utf-8") == key_line(1)
    assert USER_DIRECTED in [one["note"] for one in bench.detections()["signals_logged"]]
    assert bench.write("src/pay.py", key_line(2))["permissionDecision"] == "deny"
    assert bench.write("src/other.py", key_line(1))["permissionDecision"] == "deny"


def test_what_the_user_orders_by_name_passes_and_nothing_else(bench: Bench) -> None:
    bench.say(f"Put {live_key(1)} into src/pay.py, it is a sandbox key.")
    assert bench.write("src/pay.py", key_line(1)) == {}
    assert bench.end_turn() == ""
    assert [one["note"] for one in bench.detections()["signals_logged"]] == [USER_DIRECTED]
    assert bench.write("src/other.py", key_line(1))["permissionDecision"] == "deny"
    assert bench.write("src/pay.py", key_line(2))["permissionDecision"] == "deny"


def test_a_queued_signal_is_said_a_turn_later(bench: Bench) -> None:
    """SW-163, SW-142: the agent has one turn to notice by itself."""
    assert bench.write("src/login.py", WEAK) == {}
    assert bench.end_turn() == ""
    words = bench.read()
    assert "src/login.py:5" in words
    assert 'code="LB-B301"' in words
    assert [bench.read() for _ in range(3)] == [""] * 3, "said once"
    found = bench.detections()
    assert found["interrupt_budget"] == 3, "what was queued costs nothing"


def test_what_was_fixed_meanwhile_is_not_said(bench: Bench) -> None:
    """SW-164."""
    bench.write("src/login.py", WEAK)
    bench.end_turn()
    bench.write("src/login.py", STRONG)
    assert bench.end_turn() == ""
    assert [bench.read() for _ in range(3)] == [""] * 3
    assert any("self-corrected" in line for line in bench.detections()["pattern_observations"])


def test_after_an_interrupt_others_keep_quiet_for_two_turns(bench: Bench) -> None:
    """SW-165."""
    bench.write("src/login.py", WEAK)
    bench.end_turn()
    bench.write("src/reset.py", WEAK.replace("hash_password", "reset_token_of"))
    assert "src/login.py" in bench.end_turn()
    assert [bool(bench.read()) for _ in range(4)] == [False, False, True, False]


def test_a_sub_agent_hears_of_its_own_work(bench: Bench) -> None:
    bench.hook(hook_payload("SubagentStart", agent_id="a1", agent_type="worker"))
    bench.write("src/login.py", WEAK, agent="a1")
    assert (bench.end_turn("a1"), bench.read()) == ("", "")
    assert bench.read() == "", "it is not the main agent's"
    assert "src/login.py" in bench.read("a1")


def test_two_hooks_at_once_lose_nothing(bench: Bench) -> None:
    payloads = []
    for number in range(6):
        bench.turn += 1
        payload = json.loads(bench.proposed(f"src/part{number}.py", key_line(number))) | {"cwd": str(bench.repo)}
        payloads.append(json.dumps(payload).encode())
    answers = ask_all_at_once(bench.process, payloads, bench.env)
    assert all(b'"permissionDecision":"deny"' in answer for answer in answers)
    found = bench.detections()
    assert {one["path"] for one in found["interrupts_fired"]} == {f"src/part{number}.py" for number in range(6)}
    assert found["interrupt_budget"] == -3


@pytest.fixture
def resident(bench: Bench) -> Iterator[Bench]:
    with bench.process.resident({"LEEBOARD_INDEX": "0", "LEEBOARD_KEEP": "0"}):
        bench.env = {"LEEBOARD_INDEX": "0", "LEEBOARD_KEEP": "0"}
        yield bench


def test_through_a_resident_it_is_the_same(resident: Bench) -> None:
    assert resident.write("src/pay.py", key_line(1))["permissionDecision"] == "deny"
    resident.end_turn()
    resident.write("src/login.py", WEAK)
    assert resident.end_turn() == ""
    assert "src/login.py:5" in resident.read()
