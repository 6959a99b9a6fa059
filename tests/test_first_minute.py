"""A new user's first minute, from the wheel to `uninstall`: what each step prints is what they need for the next one."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

from tests.terminal import at_terminal

ROOT = Path(__file__).resolve().parents[1]
SITE = sysconfig.get_paths()["purelib"]
BUILD = "import sys; from hatchling.build import build_wheel; print(build_wheel(sys.argv[1]))"
SETTINGS = '{\n  "permissions": {"allow": ["Bash(ls)"]}\n}\n'


class Newcomer:
    """With an empty home, a repository, and Leeboard installed from its wheel beside nothing but what it needs."""

    def __init__(self, folder: Path) -> None:
        built = subprocess.run((sys.executable, "-c", BUILD, str(folder)), cwd=ROOT, capture_output=True, check=True)
        wheel = folder / built.stdout.decode().split()[-1]
        self.home, self.repo, env = folder / "home", folder / "repo", folder / "venv"
        venv.create(env, with_pip=False)
        (inside,) = env.glob("lib/python*/site-packages")
        pip = (sys.executable, "-m", "pip", "--python", str(env / "bin" / "python"), "install", "-q", "--no-deps")
        subprocess.run((*pip, "--no-index", str(wheel)), check=True, capture_output=True)
        (inside / "needed.pth").write_text(SITE)  # what it depends on comes from here: nothing is downloaded
        self.command = str(env / "bin" / "leeboard")
        self.env = {"PATH": "/usr/bin:/bin", "HOME": str(self.home), "LEEBOARD_RUNTIME_DIR": str(folder / "run")}
        self.env |= {
            "LEEBOARD_RESIDENT": "0",
            "LEEBOARD_INDEX": "0",
            "LEEBOARD_KEEP": "0",
            "COLUMNS": "200",
            "GIT_CONFIG_NOSYSTEM": "1",
        }
        self.home.mkdir()
        (self.repo / ".claude").mkdir(parents=True)
        (self.repo / "src").mkdir()
        subprocess.run(("git", "init", "-q", str(self.repo)), check=True, env=self.env)
        self.settings = self.repo / ".claude" / "settings.local.json"
        self.settings.write_text(SETTINGS)

    def types(self, *words: str, code: int = 0) -> str:
        ran = at_terminal((self.command, *words), self.env, self.repo)
        assert ran.returncode == code, ran.stderr.decode()
        assert ran.stderr == b"", "nothing surprises"
        return ran.stdout.decode()

    def hook(self, name: str, **fields: object) -> dict[str, object]:
        """As the client runs the line in its settings."""
        line = json.loads(self.settings.read_text())["hooks"][name][0]["hooks"][0]["command"]
        told = {"session_id": "first", "cwd": str(self.repo), "hook_event_name": name, **fields}
        client = self.home / "claude"
        if not client.exists():
            client.symlink_to("/bin/sh")
        given = json.dumps(told).encode()
        ran = subprocess.run((str(client), "-c", line), input=given, env=self.env, capture_output=True, check=True)
        return json.loads(ran.stdout) if ran.stdout else {}

    def edits(self, call: str, path: str) -> list[dict[str, object]]:
        edit = {"file_path": str(self.repo / path), "old_string": "a", "new_string": "b"}
        about = {"tool_name": "Edit", "tool_input": edit, "tool_use_id": call}
        before, after = self.hook("PreToolUse", **about), self.hook("PostToolUse", **about, tool_response={})
        return [before, after, self.hook("PostToolBatch", tool_calls=[])]


@pytest.fixture(scope="module")
def newcomer(tmp_path_factory: pytest.TempPathFactory) -> Newcomer:
    return Newcomer(tmp_path_factory.mktemp("first"))


def test_no_step_of_the_first_minute_surprises(newcomer: Newcomer) -> None:
    you = newcomer
    assert you.types("--version").startswith("leeboard, version ")
    assert "not trusted" in you.types("docs", "settings"), "the pages come with the wheel"
    assert "leeboard init" in you.types("status", code=1)
    assert "settings.local.json" in you.types("init")
    assert str(you.command).rpartition("/")[0] in you.settings.read_text(), "its own interpreter, whatever PATH says"
    assert "never in this project" in you.types("status")
    you.hook("SessionStart", source="startup")
    you.hook("UserPromptSubmit", prompt="Fix the auth bug in src/auth/token.ts. Leave the rest.")
    assert you.edits("t1", "src/auth/token.ts") == [{}, {}, {}], "work that was asked for hears nothing"
    said = json.dumps([you.edits(f"t{number}", f"src/styles/theme{number}.css") for number in range(2, 5)])
    assert "leeboard" in said, "work that was not is spoken of"
    assert "src/auth" in said
    you.hook("Stop", stop_hook_active=False, last_assistant_message="Done.")
    told = you.types("status")
    assert "Claude Code: SessionStart " in told
    assert "self-test at the start of a session answered" in told
    assert "Fix the auth bug" in told
    (line, *_) = re.findall(r"`leeboard (why \w+)` says more", said)
    assert "theme2.css" in you.types(*line.split())
    assert you.types("doctor", "--quiet").count("failed") == 0
    you.types("uninstall")
    assert you.settings.read_text() == SETTINGS, "byte for byte"
    assert "none" in you.types("status", code=1)
