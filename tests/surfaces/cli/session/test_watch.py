"""Live in a second terminal: a real process beside real hooks."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from leeboard.model.traffic import CarriedRequest
from leeboard.store.sqlite import open_store
from tests.leak import live_key

if TYPE_CHECKING:
    from tests.surfaces.cli.conftest import Desk


def write_key(desk: Desk, number: int, path: str = "src/pay.py", session: str = "session-1") -> None:
    content = f'STRIPE_API_KEY = "{live_key(number)}"\n'
    call: dict[str, Any] = {
        "tool_name": "Write",
        "tool_input": {"file_path": str(desk.repo / path), "content": content},
    }
    desk.hook("PreToolUse", session, tool_use_id=f"toolu_{number}", **call)


@pytest.fixture
def leaking(desk: Desk) -> Desk:
    desk.ok("init", "-q")
    desk.hook("UserPromptSubmit", prompt="add payments in src/pay.py")
    write_key(desk, 1)
    return desk


def test_what_was_fired_is_shown_as_a_block(leaking: Desk) -> None:
    out = leaking.ok("watch", "--once", "--blocks").out
    assert out.startswith("⚡ SCAFFOLD-WATCH INTERRUPT [CLASS-B | URGENCY: B1-ESCALATE]\n\n/btw ")
    assert "src/pay.py:1" in out
    assert "REASON: " in out
    assert "HOLD UNTIL: immediate" in out
    assert live_key(1) not in out


def test_as_json_with_the_trace(leaking: Desk) -> None:
    (found,) = leaking.ok("watch", "--once", "--json").objects
    assert (found["rule"], found["state"], found["urgency"]) == ("credential", "fired", "B1-ESCALATE")
    assert found["trace"]


def test_another_session_can_be_asked_for(leaking: Desk) -> None:
    assert leaking.ok("watch", "--once", "--session", "zzz").out == ""


def test_where_nothing_was_recorded_there_is_silence(desk: Desk) -> None:
    assert desk.ok("watch", "--once").out == ""


def test_it_tells_what_happens_while_it_runs(leaking: Desk) -> None:
    command = [sys.executable, "-m", "leeboard", "watch", "--json"]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, cwd=leaking.repo, env=leaking.env, **pipes) as process:  # type: ignore[call-overload]  # two pipes
        assert b"watching" in process.stderr.readline()
        write_key(leaking, 2, "src/other.py")
        line = process.stdout.readline()
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=30)
    assert json.loads(line)["path"] == "src/other.py"
    assert process.returncode == 0


def test_a_report_follows_what_was_said_before_it(leaking: Desk) -> None:
    leaking.hook("Stop", stop_hook_active=False, last_assistant_message="All done.")
    leaking.hook("UserPromptSubmit", session="session-2", prompt="add refunds in src/refund.py")
    write_key(leaking, 2, "src/refund.py", session="session-2")
    found = leaking.ok("watch", "--once", "--json").objects
    assert [(one["kind"], one["session"]) for one in found] == [
        ("signal", "session-1"),
        ("report", "session-1"),
        ("signal", "session-2"),
    ]


def test_a_live_report_waits_until_nothing_follows(leaking: Desk) -> None:
    """The agent says that it is done, is kept going, and only then is the session over."""
    command = [sys.executable, "-m", "leeboard", "watch", "--json"]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, cwd=leaking.repo, env=leaking.env, **pipes) as process:  # type: ignore[call-overload]  # two pipes
        assert b"watching" in process.stderr.readline()
        write_key(leaking, 2, "src/other.py")
        leaking.hook("Stop", stop_hook_active=False, last_assistant_message="All done.")
        found = [json.loads(process.stdout.readline()) for _ in range(2)]
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=30)
    assert [one["kind"] for one in found] == ["signal", "report"]


def test_what_the_proxy_changed_is_one_line(desk: Desk) -> None:
    desk.ok("init", "-q")
    store = open_store(str(desk.state / "leeboard.db"))
    carried = CarriedRequest(ts=1.0, session="s", project=str(desk.repo), calls=3, withheld=1, inserted=1, held_ms=2.5)
    store.traffic.keep_carried(carried)
    store.traffic.keep_carried(CarriedRequest(ts=2.0, session="s", project=str(desk.repo), calls=1, unchecked=1))
    store.close()
    first, second = desk.ok("watch", "--once").out.splitlines()
    assert first == "[proxy] 1 of 3 calls withheld, 1 correction put in; held for 2.5 ms"
    assert second == "[proxy] 1 passed unchecked; held for 0 ms"
    assert [one["kind"] for one in desk.ok("watch", "--once", "--json").objects] == ["carried", "carried"]


def test_every_correction_is_shown_with_its_score_and_words(drifted_copy: Desk) -> None:
    desk = drifted_copy
    given = {"file_path": str(desk.repo / "src/pay.py"), "content": f'STRIPE_API_KEY = "{live_key(1)}"\n'}
    desk.hook("PreToolUse", tool_name="Write", tool_input=given, tool_use_id="toolu_key")
    out = desk.ok("watch", "--once").out
    assert "intervene  told the agent  turn 2" in out
    assert "4/10" in out
    assert "src/styles/theme.css is style work; the goal is about auth" in " ".join(out.replace("│", "").split())
    assert "intervene  refused the call" in out
    assert "credential LB-B101  src/pay.py" in out
    assert "INTERRUPT" not in out
    assert live_key(1) not in out
    said = desk.ok("watch", "--once", "--json").objects
    assert [one["kind"] for one in said[:2]] == ["correction", "signal"]


def test_what_nobody_said_under_observe_is_told_to_the_person(desk: Desk) -> None:
    desk.ok("init", "-q", "--profile", "observe")
    desk.hook("UserPromptSubmit", prompt="add payments in src/pay.py")
    write_key(desk, 1)
    call: dict[str, Any] = {
        "tool_name": "Write",
        "tool_input": {"file_path": str(desk.repo / "src/pay.py"), "content": f'STRIPE_API_KEY = "{live_key(1)}"\n'},
    }
    (desk.repo / "src").mkdir()
    (desk.repo / "src/pay.py").write_text(call["tool_input"]["content"])
    desk.hook("PostToolUse", tool_use_id="toolu_1", **call, tool_response={"type": "create"})
    out = desk.ok("watch", "--once").out
    assert "not said under observe: credential LB-B101 src/pay.py:1" in out
    assert live_key(1) not in out
