"""The real pre-commit installs Leeboard from a clone of this repository, and blocks a commit by it."""

from __future__ import annotations

import os
import subprocess
import sys
import venv
from pathlib import Path

import pytest

from tests.git_repository import GitRepository

pytestmark = pytest.mark.e2e

ROOT = Path(__file__).resolve().parents[2]


def test_a_commit_with_a_finding_is_blocked(tmp_path: Path) -> None:
    """What is committed here is what gets installed: `git commit` first."""
    tools, clone = tmp_path / "tools", tmp_path / "clone"
    venv.create(tools, with_pip=False)
    pip = (sys.executable, "-m", "pip", "--python", str(tools / "bin" / "python"), "install", "-q", "pre-commit")
    subprocess.run(pip, check=True, capture_output=True)
    subprocess.run(("git", "clone", "-q", str(ROOT), str(clone)), check=True)
    rev = GitRepository(clone).run("rev-parse", "HEAD")
    repo = tmp_path / "repo"
    repo.mkdir()
    git = GitRepository(repo)
    git.run("init", "-q", "-b", "main")
    hooks = "[{id: leeboard-check, args: [--fail-on=red]}, {id: leeboard-scan}]"
    git.write(".pre-commit-config.yaml", f"repos:\n  - repo: {clone}\n    rev: {rev}\n    hooks: {hooks}\n")
    git.write("a.py", "x = 1\n")
    git.run("add", "-A")
    env = os.environ | {"PRE_COMMIT_HOME": str(tmp_path / "cache"), "LEEBOARD_STATE_DIR": str(tmp_path / "state")}
    words = (str(tools / "bin" / "pre-commit"), "run")
    clean = subprocess.run(words, cwd=repo, env=env, capture_output=True, text=True, check=False)
    assert (clean.returncode, clean.stdout.count("Passed")) == (0, 2), clean.stdout + clean.stderr
    git.write("weak.py", "import hashlib\nh = hashlib.md5(password)\n")
    git.run("add", "-A")
    blocked = subprocess.run(words, cwd=repo, env=env, capture_output=True, text=True, check=False)
    assert blocked.returncode == 1, blocked.stdout + blocked.stderr
    assert "weak.py:2 weak_crypto" in blocked.stdout
