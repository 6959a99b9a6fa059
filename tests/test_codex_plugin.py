"""The plugin for Codex is in step with the program it calls; tests/e2e has it in the real client."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import leeboard
from leeboard.clients.codex.hook_settings import install, read_trust

ROOT = Path(__file__).resolve().parent.parent
PLUGIN, OTHER = ROOT / "plugins" / "codex", ROOT / "plugins" / "claude-code"
LINE = "PYTHONPATH= PYTHONHOME= leeboard-hook --client codex 2>/dev/null || :"


def read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def test_its_hooks_are_those_that_init_writes() -> None:
    ours = "python3 -I -S /opt/leeboard/surfaces/hook.py --client codex"
    assert read(PLUGIN / "hooks" / "hooks.json") == json.loads(install("", ours).replace(ours, LINE))
    hook = {"command": LINE, "eventName": "stop", "trustStatus": "untrusted"}
    told = json.dumps({"id": 2, "result": {"data": [{"hooks": [hook]}]}}).encode()
    assert "1 of our 1 hooks" in (read_trust(told) or "")


def test_its_manifest_names_what_is_there() -> None:
    manifest = read(PLUGIN / ".codex-plugin" / "plugin.json")
    assert manifest["version"] == leeboard.__version__
    assert all((PLUGIN / manifest[part]).exists() for part in ("skills", "hooks", "mcpServers"))
    (offered,) = read(ROOT / ".agents" / "plugins" / "marketplace.json")["plugins"]
    assert (ROOT / offered["source"]["path"]).resolve() == PLUGIN
    assert offered["name"] == manifest["name"]


def test_both_plugins_say_the_same_to_agents_and_start_one_server() -> None:
    for part in ("skills/corrections/SKILL.md", ".mcp.json"):
        assert (PLUGIN / part).read_bytes() == (OTHER / part).read_bytes()
