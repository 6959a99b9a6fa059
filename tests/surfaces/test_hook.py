from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from leeboard.surfaces import hook
from tests.hook_process import HookProcess, prompt


def run(script: Path, env: dict[str, str]) -> subprocess.CompletedProcess[bytes]:
    """Without the shell that would hide an exit code or a traceback."""
    command = (sys.executable, "-I", "-S", str(script))
    return subprocess.run(command, input=prompt("fix it"), env=env, capture_output=True, check=False)


def test_a_client_that_can_not_be_loaded_is_silent(tmp_path: Path) -> None:
    script = tmp_path / "hook.py"
    script.write_bytes(Path(hook.__file__).read_bytes())
    env = HookProcess(folder=str(tmp_path)).environment()
    for spoilt in (None, "def broken(:", "raise SystemExit(2)", "x = 1"):
        if spoilt is not None:
            (tmp_path / "hook_client.py").write_text(spoilt, encoding="utf-8")
        done = run(script, env)
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_whatever_the_client_raises_the_exit_code_is_0(tmp_path: Path) -> None:
    script = tmp_path / "hook.py"
    script.write_bytes(Path(hook.__file__).read_bytes())
    for failure in ("SystemExit(2)", "KeyboardInterrupt", "MemoryError", "RuntimeError('broken')"):
        body = f"def answer_hook(env):\n    raise {failure}\ndef note_miss(env, failure):\n    raise failure\n"
        (tmp_path / "hook_client.py").write_text(body, encoding="utf-8")
        done = run(script, {})
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
