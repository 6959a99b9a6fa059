"""A secret that people let stand means the same for `leeboard scan` and for `leeboard check`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.git_repository import GitRepository
from tests.leak import live_key

if TYPE_CHECKING:
    from tests.surfaces.cli.conftest import Desk

KEY = f'pay(key="{live_key(3)}")'


@pytest.fixture
def git(desk: Desk) -> GitRepository:
    """A branch off `main`, with a contract."""
    made = GitRepository(desk.repo)
    made.write("leeboard.toml", '[contract]\nobjective = "pay"\ntouch = ["**"]\n')
    made.write("src/a.py", "x = 1\n")
    made.commit()
    made.run("branch", "-M", "main")
    made.run("checkout", "-qb", "work")
    return made


def judged(desk: Desk, *words: str) -> tuple[bool, bool]:
    """Whether the check and the scan of the branch tell of the secret."""
    how = words if "--staged" in words else ("--base", "main", *words)
    (report,) = desk.run("check", "--json", "--trust", *how).objects
    found = [one["severity"] for one in report["findings"] if one["kind"] == "secret_found"]
    scanned = desk.run("scan", "--json", "--trust", *(("--diff", *how[1:]) if how[0] == "--base" else how)).objects
    fires = [one for one in scanned if one["rule"] == "credential" and one["disposition"] == "FIRE"]
    return "error" in found, bool(fires)


def test_nobody_let_it_stand(desk: Desk, git: GitRepository) -> None:
    git.write("src/pay.py", f"{KEY}\n")
    git.commit()
    assert judged(desk) == judged(desk, "--reviewed") == (True, True)
    said = " ".join(desk.run("check", "--base", "main").out.split())
    assert "`leeboard: allow LB-B101 WHY`" in said
    assert "`--reviewed`" in said


@pytest.mark.parametrize(
    "text",
    [
        f"{KEY}  # leeboard: allow LB-B101 made for the sandbox\n",
        f"# leeboard: allow LB-B101 made for the sandbox\n{KEY}\n",
        f"# leeboard: allow LB-B101, LB-S018 made for the sandbox\n{KEY}\n",
        f"{KEY}  # nosec\n",
        f"# pragma: allowlist secret\n{KEY}\n",
    ],
)
def test_a_comment_that_came_with_it_counts_once_it_is_reviewed(desk: Desk, git: GitRepository, text: str) -> None:
    git.write("src/pay.py", text)
    git.run("add", "-A")
    assert judged(desk, "--staged") == (True, True)
    assert judged(desk, "--staged", "--reviewed") == (False, False)
    git.commit()
    assert judged(desk) == (True, True)
    assert judged(desk, "--reviewed") == (False, False)
    assert desk.run("check", "--base", "main", "--reviewed", "--trust").code == 0


def test_a_comment_may_name_the_rule_of_the_check(desk: Desk, git: GitRepository) -> None:
    git.write("src/pay.py", f"# leeboard: allow LB-S018 made for the sandbox\n{KEY}\n")
    git.commit()
    assert judged(desk, "--reviewed") == (False, True)


def test_a_comment_lets_one_line_stand(desk: Desk, git: GitRepository) -> None:
    git.write("src/pay.py", f"# leeboard: allow LB-B101 made for the sandbox\n{KEY}\n\n\n{KEY}\n")
    git.commit()
    assert judged(desk, "--reviewed") == (True, True)


def test_the_baseline(desk: Desk, git: GitRepository) -> None:
    git.write("src/pay.py", f"{KEY}\n")
    git.commit()
    desk.ok("scan", "--write-baseline")
    git.commit()
    assert judged(desk) == (True, True)
    assert judged(desk, "--reviewed") == (False, False)
    git.run("checkout", "-q", "main")
    git.run("checkout", "-q", "work", "--", "leeboard-baseline.json")
    git.commit()
    git.run("checkout", "-q", "work")
    git.run("merge", "-q", "main", "-m", "merge")
    assert judged(desk) == (False, False)


def test_the_id_of_either_rule(desk: Desk, git: GitRepository) -> None:
    git.write("src/pay.py", f"{KEY}\n")
    git.commit()
    (one,) = [found for found in desk.run("scan", "--json").objects if found["rule"] == "credential"]
    (made,) = desk.ok("allow", one["id"], "--reason", "made for the sandbox", "--json").objects
    assert judged(desk) == (False, False)
    desk.ok("allow", "--revoke", made["id"])
    assert judged(desk) == (True, True)
    (report,) = desk.run("check", "--json", "--base", "main").objects
    ids = [id_ for found in report["findings"] for id_ in found["details"]["fingerprints"] if "secret" in id_]
    desk.ok("allow", *ids, "--reason", "made for the sandbox")
    assert judged(desk)[0] is False


def test_a_committed_allowance_that_was_reviewed(desk: Desk, git: GitRepository) -> None:
    git.write("src/pay.py", f"{KEY}\n")
    desk.ok("allow", "secret_found", "--project", "--path", "src/pay.py", "--reason", "made for the sandbox")
    git.commit()
    assert judged(desk) == (True, True)
    assert judged(desk, "--reviewed")[0] is False
    assert json.loads((desk.repo / "leeboard-allowed.json").read_text())["allowed"][0]["rule"] == "secret_found"


def test_an_environment_file_that_git_was_given(desk: Desk, git: GitRepository) -> None:
    git.write(".env", f"PAY_KEY={live_key(3)}\n")
    git.run("add", "-Af")
    assert judged(desk, "--staged")[0] is True
    desk.ok("allow", "credential:.env:not ignored", "--reason", "made for the sandbox")
    assert judged(desk, "--staged")[0] is False


def test_what_is_staged_is_read_as_it_is_staged(desk: Desk, git: GitRepository) -> None:
    git.write("src/pay.py", f"{KEY}\n")
    git.run("add", "-A")
    git.write("src/pay.py", f"# leeboard: allow LB-B101 made for the sandbox\n{KEY}\n")
    assert judged(desk, "--staged", "--reviewed") == (True, True)
    git.write("src/pay.py", "x = 1\n")
    assert judged(desk, "--staged") == (True, True)
