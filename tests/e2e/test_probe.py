"""`doctor --probe` runs the real client by itself and finds what its hooks are told of."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.e2e.client import CLIENT
from tests.e2e.copilot_client import COPILOT
from tests.e2e.desk import Desk
from tests.e2e.opencode_client import OPENCODE
from tests.e2e.scripted_gemini import GEMINI
from tests.e2e.scripted_responses import CODEX

pytestmark = pytest.mark.e2e


def test_this_version_tells_its_hooks_of_every_way_to_make_a_call(desk: Desk) -> None:
    desk.env["PATH"] = f"{Path(CLIENT).parent}:{desk.env['PATH']}"
    checks = desk.leeboard("doctor", "--probe", "--json")
    (found,) = (check for check in checks if check.get("about") == "probe")
    assert found["state"] == "ok", found
    told = "hooks are told of the main agent, calls side by side, sub-agents, background agents, agents in a work tree"
    assert told in found["detail"]
    assert found["detail"].endswith("over HTTP too")
    assert not (desk.home / ".claude" / "projects").exists(), "no session of the user's was begun"
    (again,) = (check for check in desk.leeboard("doctor", "--json") if check.get("about") == "probe")
    assert "tried" in again["detail"]


def test_codex_is_tried_the_same_way(desk: Desk) -> None:
    desk.leeboard("init", "--client", "codex", "--user", "--quiet")
    desk.env["PATH"] = f"{Path(CODEX).parent}:{desk.env['PATH']}"
    checks = desk.leeboard("doctor", "--probe", "--json", code=1)
    (failed,) = (check["detail"] for check in checks if check.get("state") == "failed")
    assert "nobody has reviewed them" in failed, "the hooks of the rehearsal need no review, those of the user do"
    found = [check["detail"] for check in checks if check.get("about") == "probe"]
    (codex,) = (detail for detail in found if detail.startswith("Codex"))
    assert "hooks are told of the main agent, calls side by side; not tried: sub-agents" in codex
    assert not (desk.home / ".codex" / "sessions").exists(), "no session of the user's was begun"


@pytest.mark.parametrize(
    ("program", "client", "told"),
    [
        (OPENCODE, "opencode", "the main agent, calls side by side, sub-agents; not tried"),
        (COPILOT, "copilot", "the main agent, calls side by side, sub-agents; not tried"),
        (GEMINI, "gemini_cli", "the main agent, calls side by side; not tried: sub-agents"),
    ],
)
def test_a_small_client_is_tried_too(desk: Desk, program: str, client: str, told: str) -> None:
    desk.leeboard("init", "--client", client, "--user", "--quiet")
    desk.env["PATH"] = f"{Path(program).parent}:{desk.env['PATH']}"
    checks = desk.leeboard("doctor", "--probe", "--json")
    found = [check["detail"] for check in checks if check.get("about") == "probe"]
    (detail,) = (detail for detail in found if f"hooks are told of {told}" in detail)
    assert "not over HTTP" in detail
