"""What the person is shown beside the agent, and that its id leads to the reason and lets it pass."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from tests.leak import live_key
from tests.surfaces.cli.leaking import leak, write_key

if TYPE_CHECKING:
    from tests.surfaces.cli.conftest import Desk


def shown(answer: str) -> str:
    fields: dict[str, Any] = json.loads(answer) if answer else {}
    return str(fields.get("systemMessage", ""))


def id_in(line: str) -> str:
    found = re.search(r"`leeboard why (v[0-9a-f]+)`", line)
    assert found, line
    return found[1]


def test_a_refused_secret_is_told_in_one_line_with_an_id_that_works(desk: Desk) -> None:
    line = shown(leak(desk))
    assert line.startswith("Leeboard refused a call (LB-B101): Credential ")
    assert "\n" not in line
    assert live_key(1) not in line
    out = desk.ok("why", id_in(line)).out
    assert "credential LB-B101" in out
    allowed = desk.ok("allow", id_in(line), "--reason", "a key of the sandbox").out
    assert "allowed credential:src/pay.py:" in allowed
    assert "permissionDecision" not in write_key(desk, 1), "what the person let pass passes"


def test_an_agent_that_is_corrected_louder_than_by_a_nudge_is_seen_by_the_person(desk: Desk) -> None:
    desk.ok("init", "-q")
    desk.hook("UserPromptSubmit", prompt="Fix the auth bug in src/auth/token.ts. Don't modify the schema.")
    desk.edit("src/auth/token.ts", "toolu_1")
    line = shown(desk.edit("src/styles/theme.css", "toolu_2"))
    assert line.startswith("Leeboard told the agent (LB-S001")
    out = desk.ok("why", id_in(line)).out
    assert "scope_drift LB-S001  src/styles/theme.css" in out, "the id leads to the action, not to the words about it"


def test_what_the_user_ruled_out_is_refused_and_told(desk: Desk) -> None:
    desk.ok("init", "-q")
    desk.hook("UserPromptSubmit", prompt="Fix the auth bug in src/auth/token.ts. Don't modify the schema.")
    given = {"file_path": str(desk.repo / "db/schema.sql"), "old_string": "a", "new_string": "b"}
    line = shown(desk.hook("PreToolUse", tool_name="Edit", tool_input=given, tool_use_id="toolu_1"))
    assert line.startswith("Leeboard refused a call (LB-S003")
    assert "broken_constraint LB-S003  db/schema.sql" in desk.ok("why", id_in(line)).out


def test_a_stop_that_is_held_up_says_so(desk: Desk) -> None:
    desk.ok("init", "-q")
    desk.hook("UserPromptSubmit", prompt="Fix the auth bug in src/auth/token.ts. Don't modify the schema.")
    desk.edit("src/auth/token.ts", "toolu_1")
    given = {"file_path": str(desk.repo / "src/styles/theme.css"), "old_string": "a", "new_string": "b"}
    desk.hook("PreToolUse", tool_name="Edit", tool_input=given, tool_use_id="toolu_2")
    answer = desk.hook("Stop", stop_hook_active=False, last_assistant_message="done")
    assert json.loads(answer)["decision"] == "block"
    assert shown(answer).startswith("Leeboard kept the agent going (LB-S001")


def test_where_nothing_is_said_nothing_is_shown(desk: Desk) -> None:
    desk.ok("init", "-q")
    desk.hook("UserPromptSubmit", prompt="Fix the auth bug in src/auth/token.ts.")
    assert shown(desk.edit("src/auth/token.ts", "toolu_1")) == ""
