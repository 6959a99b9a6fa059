"""Which of the secrets of a change a scan of it would leave out. The whole way is walked in `cli/tree/test_check_secrets.py`."""

from __future__ import annotations

from pathlib import Path

import pytest

from leeboard.app.check import CheckOptions, check_tree
from leeboard.app.work_contract import WorkContract
from tests.git_repository import GitRepository
from tests.leak import live_key

KEY = f'pay(key="{live_key(3)}")'
OTHER = f'pay(key="{live_key(4)}")'
ALLOWED = "# leeboard: allow LB-B101 made for the sandbox"


@pytest.fixture
def git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> GitRepository:
    monkeypatch.setenv("LEEBOARD_STATE_DIR", str(tmp_path / "state"))
    monkeypatch.setenv("LEEBOARD_CONFIG_DIR", str(tmp_path / "config"))
    made = GitRepository(tmp_path / "repo")
    made.write("src/a.py", f"{ALLOWED}\n{KEY}\n")
    made.commit()
    return made


def told(git: GitRepository, *, reviewed: bool) -> list[int]:
    """The lines of the secrets that nobody let stand."""
    report = check_tree(WorkContract(root=git.root), {}, CheckOptions(base="main", reviewed=reviewed)).report
    each = (one for kind in report.findings if kind.kind == "secret_found" for one in kind.findings)
    return sorted(one.line for one in each if one.delta)


@pytest.mark.parametrize(
    ("text", "unreviewed", "reviewed"),
    [
        (f"\n\n{ALLOWED}\n{KEY}\n", [], []),
        (f"{ALLOWED}\n{OTHER}\n", [2], []),
        (f"{ALLOWED}\n{KEY}\n{OTHER}\n", [3], [3]),
        (f"{ALLOWED}\n{KEY}\n{OTHER}  # nosec\n", [3], []),
        (f"{ALLOWED}\n{KEY}\n# leeboard: allow LB-B301 another rule\n{OTHER}\n", [4], [4]),
    ],
)
def test_by_comments(git: GitRepository, text: str, unreviewed: list[int], reviewed: list[int]) -> None:
    git.write("src/a.py", text)
    assert told(git, reviewed=False) == unreviewed
    assert told(git, reviewed=True) == reviewed


def test_in_a_file_that_was_renamed(git: GitRepository) -> None:
    git.run("mv", "src/a.py", "src/b.py")
    git.write("src/b.py", f"{ALLOWED}\n{KEY}\n{OTHER}\n")
    git.run("add", "-A")
    assert told(git, reviewed=False) == [3]
