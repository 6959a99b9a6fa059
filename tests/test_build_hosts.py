"""What runs in a build and before a commit: the steps of `action.yml` and the entries of the commit hooks, as they stand."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from tests.git_repository import GitRepository

ROOT = Path(__file__).resolve().parent.parent
ACTION: dict[str, Any] = YAML(typ="safe").load(ROOT / "action.yml")
HOOKS: list[dict[str, Any]] = YAML(typ="safe").load(ROOT / ".pre-commit-hooks.yaml")
WEAK = "import hashlib\nh = hashlib.md5(password)\n"
DEFAULTS = {re.sub(r"\W", "_", name).upper(): given["default"] for name, given in ACTION["inputs"].items()}


class Job:
    """A repository with a branch of work on it, and a runner's variables."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.repo = folder, folder / "repo"
        program = folder / "leeboard" / "bin" / "leeboard"
        for made in (self.repo, program.parent, folder / "home"):
            made.mkdir(parents=True)
        program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m leeboard "$@"\n')
        program.chmod(0o755)
        self.git = GitRepository(self.repo)
        self.git.run("init", "-q", "-b", "main")
        self.git.write("leeboard.toml", '[contract]\ntouch = ["src/**"]\n')
        self.git.write("src/old.py", WEAK)
        self.git.run("add", "-A")
        self.git.run("commit", "-qm", "begin")
        self.git.run("checkout", "-qb", "work")
        self.env = {
            "PATH": f"{program.parent}:{os.environ['PATH']}",
            "HOME": str(folder / "home"),
            "PYTHONPATH": str(ROOT),
            "LEEBOARD_RUNTIME_DIR": str(folder / "run"),
            "RUNNER_TEMP": str(folder),
            "GITHUB_OUTPUT": str(folder / "output"),
        }

    def run(self, **inputs: str) -> subprocess.CompletedProcess[str]:
        """The step that looks at the change, with what the inputs come to."""
        (step,) = (step for step in ACTION["runs"]["steps"] if step.get("id") == "leeboard")
        told = {name: DEFAULTS[name] for name in step["env"]} | inputs
        shell = ("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"])
        return subprocess.run(
            shell, cwd=self.repo, env=self.env | told, capture_output=True, text=True, check=False, timeout=120
        )


@pytest.fixture
def job(tmp_path: Path) -> Job:
    return Job(tmp_path)


def test_nothing_from_outside_becomes_part_of_a_script() -> None:
    steps = ACTION["runs"]["steps"]
    assert all("${{" not in step["run"] and step["shell"] == "bash" for step in steps)
    named = {
        name for step in steps for value in step["env"].values() for name in re.findall(r"inputs\.([\w-]+)", value)
    }
    assert named == set(ACTION["inputs"])


def test_a_change_is_annotated_and_fails_the_job(job: Job) -> None:
    job.git.write("src/new.py", WEAK)
    job.git.run("add", "-A")
    job.git.run("commit", "-qm", "work")
    ran = job.run(BASE="main", SARIF="logs/leeboard", TRUST="true")
    assert ran.returncode == 1, ran.stderr
    (line,) = (line for line in ran.stdout.splitlines() if line.startswith("::"))
    assert line.startswith("::warning file=src/new.py,line=2,title=leeboard weak_crypto LB-B301::"), "old.py was there"
    assert (job.folder / "output").read_text() == "sarif=logs/leeboard\n"
    logs = {path.name: json.loads(path.read_text()) for path in (job.repo / "logs" / "leeboard").iterdir()}
    assert {name: len(log["runs"][0]["results"]) for name, log in logs.items()} == {"check.sarif": 0, "scan.sarif": 1}
    assert job.run(BASE="main", SCAN_FAIL_ON="fire").returncode == 0
    assert job.run(BASE="main", RUN="check").returncode == 0


def test_never_lets_findings_pass_and_no_error(job: Job) -> None:
    job.git.write("docs/a.md", "outside\n")
    told = {"RUN": "check", "BASE": "main", "TRUST": "true", "CHECK_FAIL_ON": "never"}
    ran = job.run(**told)
    assert (ran.returncode, "::warning file=docs/a.md" in ran.stdout) == (0, True)
    assert job.run(**told | {"CHECK_FAIL_ON": "yellow"}).returncode == 3
    assert job.run(**told | {"BASE": "no-such-branch"}).returncode == 2
    assert job.run(**told | {"RUN": "chekc"}).returncode == 2


def test_a_part_that_ends_with_an_error_leaves_nothing_to_upload(job: Job) -> None:
    assert job.run(BASE="no-such-branch", SARIF="logs/leeboard").returncode == 2
    assert not (job.folder / "output").exists()
    assert not (job.repo / "logs").exists()


def test_inputs_are_never_run(job: Job) -> None:
    hostile = '"; touch ran; echo $(touch ran) "'
    for name in DEFAULTS:
        job.run(**{"BASE": "main", name: hostile})
    assert not list(job.folder.rglob("ran"))


def test_the_scan_before_a_commit_blocks_what_is_new(job: Job) -> None:
    (hook,) = (hook for hook in HOOKS if hook["id"] == "leeboard-scan")
    words = shlex.split(hook["entry"])
    assert subprocess.run(words, cwd=job.repo, env=job.env, capture_output=True, check=False).returncode == 0
    job.git.write("src/new.py", WEAK)
    job.git.run("add", "-A")
    ran = subprocess.run(words, cwd=job.repo, env=job.env, capture_output=True, text=True, check=False)
    assert (ran.returncode, "src/new.py:2" in ran.stdout, "old.py" in ran.stdout) == (1, True, False)
