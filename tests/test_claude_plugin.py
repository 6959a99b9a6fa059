"""The plugin for Claude Code is in step with the program it calls; tests/e2e has it in the real client."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import leeboard
from leeboard.clients.claude_code.hook_settings import install
from leeboard.surfaces.cli.main import COMMANDS

ROOT = Path(__file__).resolve().parent.parent
PLUGIN = ROOT / "plugins" / "claude-code"
LINE = "PYTHONPATH= PYTHONHOME= leeboard-hook 2>/dev/null || :"


def read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def test_its_hooks_are_those_that_init_writes() -> None:
    ours = "python3 -I -S /opt/leeboard/surfaces/hook.py"
    written = json.loads(install("", ours).replace(ours, LINE))
    assert read(PLUGIN / "hooks" / "hooks.json")["hooks"] == written["hooks"]


def test_it_has_the_version_of_the_program_and_calls_what_is_there() -> None:
    assert read(PLUGIN / ".claude-plugin" / "plugin.json")["version"] == leeboard.__version__
    (offered,) = read(ROOT / ".claude-plugin" / "marketplace.json")["plugins"]
    assert (ROOT / offered["source"]).resolve() == PLUGIN
    (server,) = read(PLUGIN / ".mcp.json")["mcpServers"].values()
    scripts = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["scripts"]
    assert (server["command"] in scripts, server["args"][0] in COMMANDS) == (True, True)
    assert scripts["leeboard-hook"] == "leeboard.surfaces.hook:main"


def test_the_line_answers_and_never_fails(tmp_path: Path) -> None:
    env = {"PATH": f"{tmp_path}:/usr/bin:/bin", "HOME": str(tmp_path), "LEEBOARD_RUNTIME_DIR": str(tmp_path / "run")}
    env |= {"LEEBOARD_RESIDENT": "0", "PYTHONPATH": str(tmp_path / "clone")}
    (tmp_path / "clone" / "leeboard").mkdir(parents=True)
    (tmp_path / "clone" / "leeboard" / "__init__.py").write_text("open('ran', 'w')")
    edit = {"file_path": f"{tmp_path}/a.py", "content": 'key = "AKIA' + 'Q3EGRXB7WM4T2LPZ"\n'}
    call = {"session_id": "s", "cwd": str(tmp_path), "hook_event_name": "PreToolUse", "tool_name": "Write"}
    payload = json.dumps(call | {"tool_use_id": "t", "tool_input": edit}).encode()

    def answered() -> bytes:
        ran = subprocess.run(
            ("/bin/sh", "-c", LINE), input=payload, env=env, cwd=tmp_path, capture_output=True, check=False
        )
        assert ran.returncode == 0
        return ran.stdout

    assert answered() == b"", "Leeboard is not installed: the agent's call must not suffer"
    script = tmp_path / "leeboard-hook"
    script.write_text(
        f"#!{sys.executable}\nimport sys\nsys.path.append({str(ROOT)!r})\nfrom leeboard.surfaces.hook import main\nmain()\n"
    )
    script.chmod(0o755)
    assert os.access(script, os.X_OK)
    assert b'"permissionDecision":"deny"' in answered()
    assert not (tmp_path / "ran").exists()
