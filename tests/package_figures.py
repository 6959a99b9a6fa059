"""The packages built, compared and installed as a newcomer would: `python -m tests.package_figures`.

Two builds from clean trees have to be the same, byte for byte. The wheel then goes into an empty virtual environment
whose PATH has no compiler, is put into a project, refuses what its user ruled out, and is taken out again.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from time import monotonic

from tests.terminal import at_terminal

ROOT = Path(__file__).resolve().parents[1]
SECONDS, MEGABYTES = 60.0, 70.0
"""What install, first correction and uninstall may take together, and what the base install may weigh."""
PROGRAMS = ("git", "sh", "env")
"""All that the newcomer has on PATH."""
NOT_OURS = ("pip", "setuptools", "pkg_resources", "_distutils_hack", "distutils-precedence.pth")


def export(folder: Path) -> Path:
    """The tree as it was committed, in a folder of its own."""
    folder.mkdir(parents=True)
    packed = subprocess.run(("git", "archive", "HEAD"), cwd=ROOT, capture_output=True, check=True).stdout
    subprocess.run(("tar", "-x"), cwd=folder, input=packed, check=True)
    return folder


def build(tree: Path, out: Path) -> dict[str, str]:
    """The digests of wheel and sdist, by their names."""
    told = subprocess.run(("git", "log", "-1", "--format=%ct"), cwd=ROOT, capture_output=True, check=True).stdout
    env = os.environ | {"SOURCE_DATE_EPOCH": told.decode().strip()}
    line = (sys.executable, "-m", "hatchling", "build", "-d", str(out))
    subprocess.run(line, cwd=tree, env=env, capture_output=True, check=True)
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(out.iterdir())}


def weight(site: Path) -> tuple[float, float]:
    """Megabytes of what was installed, and of what the virtual environment had before."""
    ours = theirs = 0
    for path in site.rglob("*"):
        if path.is_file():
            is_theirs = path.relative_to(site).parts[0].startswith(NOT_OURS)
            ours, theirs = ours + path.stat().st_size * (not is_theirs), theirs + path.stat().st_size * is_theirs
    return ours / 1e6, theirs / 1e6


def first_minute(wheel: Path, folder: Path) -> tuple[float, tuple[float, float]]:
    """Seconds from the empty environment to the project as it was, and the weight of the install."""
    programs = folder / "bin"
    programs.mkdir()
    for name in PROGRAMS:
        (programs / name).symlink_to(shutil.which(name) or "")
    env = {"PATH": str(programs), "HOME": str(folder), "LEEBOARD_RESIDENT": "0", "LEEBOARD_PROFILE": "enforce"}
    pip = {name: value for name, value in os.environ.items() if name.startswith("PIP_")}
    venv = folder / "venv"
    subprocess.run((sys.executable, "-m", "venv", str(venv)), check=True)
    began = monotonic()
    line = (str(venv / "bin" / "pip"), "install", "--quiet", "--only-binary", ":all:", str(wheel))
    subprocess.run(line, env=env | pip, check=True, stderr=subprocess.DEVNULL)
    _guarded_once(str(venv / "bin" / "leeboard"), folder / "project", env)
    took = monotonic() - began
    (site,) = (venv / "lib").glob("python*/site-packages")
    return took, weight(site)


def _guarded_once(leeboard: str, project: Path, env: dict[str, str]) -> None:
    subprocess.run(("git", "init", "-q", str(project)), check=True)
    settings = project / ".claude" / "settings.local.json"
    subprocess.run((leeboard, "init", "--quiet"), cwd=project, env=env, check=True)
    line = json.loads(settings.read_text(encoding="utf-8"))["hooks"]["PreToolUse"][0]["hooks"][0]["command"]
    told = {"session_id": "s", "cwd": str(project), "transcript_path": ""}
    prompt = {**told, "hook_event_name": "UserPromptSubmit", "prompt": "Fix app.py. Don't modify schema.sql."}
    edit = {"tool_name": "Write", "tool_input": {"file_path": "schema.sql", "content": "x"}, "tool_use_id": "t"}
    answers = [
        subprocess.run(("sh", "-c", line), input=json.dumps(payload).encode(), env=env, capture_output=True, check=True)
        for payload in (prompt, {**told, "hook_event_name": "PreToolUse", **edit})
    ]
    assert b'"deny"' in answers[1].stdout, answers
    done = at_terminal((leeboard, "uninstall", "--quiet"), env, project)
    assert done.returncode == 0, done.stderr
    assert not settings.exists()


def main() -> int:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        first, second = (build(export(folder / tree), folder / f"{tree}-out") for tree in ("one", "another"))
        built = ", ".join(f"{file} {digest[:16]}" for file, digest in first.items())
        (wheel,) = (folder / "one-out").glob("*.whl")
        size = wheel.stat().st_size / 1e6
        took, (weighs, before) = first_minute(wheel, folder)
    sys.stdout.write(
        f"two builds: {'identical' if first == second else 'DIFFERENT'} ({built}); the wheel has {size:.1f} MB\n"
        f"install, init, first correction, uninstall: {took:.1f} s (at most {SECONDS:g})\n"
        f"base install: {weighs:.1f} MB with its bytecode (at most {MEGABYTES:g}); beside it pip and setuptools, which"
        f" every virtual environment has: {before:.1f} MB\n"
    )
    return int(first != second or took > SECONDS or weighs > MEGABYTES)


if __name__ == "__main__":
    sys.exit(main())
