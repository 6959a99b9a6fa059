"""Build the virtual environment: `python3 tools/setup_venv.py .venv`. Run by `make setup`, safe to run again.

Works with a bare Debian interpreter too, which ships `venv` without the means to put pip into it.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ADVICE = "leeboard: cannot build a virtual environment; on Debian or Ubuntu: apt install python3-venv"


def failure(*command: str) -> str:
    """What the command complained about; empty when it ended well."""
    try:
        done = subprocess.run(command, check=False, capture_output=True, text=True)
    except FileNotFoundError:
        return f"{command[0]}: not found"
    return "" if done.returncode == 0 else (done.stdout + done.stderr).strip() or f"{command[0]}: failed"


def usable(python: str) -> bool:
    version_check = "import sys; sys.exit(sys.version_info < (3, 11))"
    return not failure(python, "-c", version_check) and not failure(python, "-m", "pip", "--version")


def create(folder: Path) -> None:
    """Try each way to get an environment that has pip, the plainest first."""
    python = str(folder / "bin" / "python")
    if usable(python):
        return
    ways: list[list[tuple[str, ...]]] = [
        [(sys.executable, "-m", "venv", "--clear", str(folder))],
        [(sys.executable, "-m", "virtualenv", "--clear", str(folder))],
        [("virtualenv", "--clear", "--python", sys.executable, str(folder))],
        [
            (sys.executable, "-m", "venv", "--clear", "--without-pip", str(folder)),
            (sys.executable, "-m", "pip", "--python", python, "install", "pip"),
        ],
    ]
    complaints = []
    for way in ways:
        complaint = next(filter(None, (failure(*command) for command in way)), "")
        if not complaint and usable(python):
            return
        complaints.append(complaint)
    shutil.rmtree(folder, ignore_errors=True)
    sys.exit("\n".join([*complaints, ADVICE]))


def install(folder: Path) -> None:
    """Put the locked packages in, then Leeboard itself from this folder."""
    pip = [str(folder / "bin" / "python"), "-m", "pip", "--disable-pip-version-check", "install", "--quiet"]
    subprocess.run([*pip, "--requirement", str(ROOT / "requirements.lock")], check=True)
    subprocess.run([*pip, "--no-deps", "--no-build-isolation", "--editable", str(ROOT)], check=True)


def main() -> None:
    folder = Path(sys.argv[1])
    print(f"setting up {folder} from requirements.lock: about a minute, once", flush=True)
    create(folder)
    try:
        install(folder)
    except subprocess.CalledProcessError as error:
        sys.exit(f"leeboard: setup stopped: pip ended with {error.returncode}")


if __name__ == "__main__":
    main()
