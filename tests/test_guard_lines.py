"""Lines that a guard has to stop, and lines that only look like them: each proposed through the hook, in real trees."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.guard_repository import GuardRepository, Scene, scenes

SCENES = scenes(
    "broken_constraint",
    "lost_work",
    "lost_roundabout",
    "protected_file",
    "irreversible_command",
    "lookalike_package",
    "secret_sent",
    "powershell",
)


NAMED = {
    "rm": r"\brm\b",
    "git reset --hard": r"reset\b.*--hard",
    "git reset --merge and --keep": r"reset\b.*--(?:merge|keep)",
    "git switch": r"git switch",
    "git read-tree": r"read-tree",
    "git checkout of files": r"git checkout",
    "git restore": r"git restore",
    "git clean": r"git clean",
    "git stash drop and clear": r"stash (?:drop|clear)",
    "git branch -D": r"git branch",
    "git worktree remove": r"worktree",
    "git push --force": r"push\b.*(?: -f\b|--force)",
    "git push +refspec": r"push\b.* \+?\w+",
    "git push --mirror": r"push\b.*--mirror",
    "git push --delete": r"push\b.*(?:--delete| -d\b| :\w)",
    "git rebase": r"git rebase|git rb\b|rebase",
    "git filter-branch": r"filter-(?:branch|repo)",
    "overwriting redirections": r"[^>\d]> ?\S",
    "DROP": r"(?i)\bdrop\b",
    "TRUNCATE": r"(?i)\btruncate\b",
    "DELETE": r"(?i)\bdelete from\b",
    "psql": r"\bpsql\b",
    "mysql": r"\bmysql",
    "sqlite3": r"\bsqlite3\b",
    "terraform": r"\bterraform\b",
    "kubectl": r"\bkubectl\b",
    "docker": r"\bdocker\b",
    "aws s3 rm": r"\baws s3\b",
    "code for an interpreter": r"\b(?:python3?|node|perl|ruby) -[ce]\b",
    "xargs": r"\bxargs\b",
    "find": r"\bfind\b",
    "fd": r"\bfd\b",
    "sed -i": r"\bsed\b.*-i|\bsed\b",
    "truncate": r"\btruncate -",
    "tar": r"\btar\b",
    "unzip": r"\bunzip\b",
    "rsync": r"\brsync\b",
    "a list of names": r"list\.txt",
    "Python over a folder": r"(?s)python3 -c .*(?:glob|listdir|walk)",
    "other code over a folder": r"(?:perl|node|ruby) -e .*(?:glob|readdir|Dir)",
    "source": r"(?:source|^\.) ",
    "eval": r"\beval\b",
    "sh -c": r"sh -l?c\b",
    "variables": r"\$\{?\w",
    "curl of a secret": r"\bcurl\b",
    "pip install": r"\bpip3? install\b",
    "npm install": r"\bnpm (?:i|install|add)\b",
}
"""What people expect to be stopped, and how a line of the tables is known to be about it."""
NAMED_IN_POWERSHELL = {
    "Remove-Item": r"\bRemove-Item\b",
    "git": r"\bgit\b",
    "Set-Content": r"(?:Set|Clear|Add)-Content|Out-File",
    "Invoke-RestMethod": r"(?i)Invoke-(?:RestMethod|WebRequest)|\biwr\b|\birm\b|\bscp\b",
}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], GuardRepository]:
    """Each kind of repository once: no line is run in it."""
    known: dict[str, GuardRepository] = {}

    def make(state: str) -> GuardRepository:
        if state not in known:
            known[state] = GuardRepository(tmp_path_factory.mktemp("guard") / state)
            known[state].make(state)
        return known[state]

    return make


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: f"{scene.rule}-{scene.name}")
def test_every_line_is_answered_as_the_table_says(
    scene: Scene, made: Callable[[str], GuardRepository], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree = made(scene.repository) if not scene.before else GuardRepository(tmp_path / "own")
    monkeypatch.setenv("HOME", str(tree.home))
    monkeypatch.setenv("LEEBOARD_CONFIG_DIR", str(tmp_path / "config"))
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "leeboard.toml").write_text(scene.settings, encoding="utf-8")
    if scene.before:
        tree.make(scene.repository)
    session = tree.begin(scene) if scene.before else ""
    answers = {
        line: tree.ask(session, line, scene.tool) if session else tree.propose(scene, line)
        for line in (*scene.refused, *scene.silent)
    }
    passed = [line for line in scene.refused if not (answers[line].denied and scene.rule in answers[line].words)]
    stopped = {line: answers[line].words for line in scene.silent if answers[line].words or answers[line].denied}
    assert (passed, stopped) == ([], {})


def test_the_tables_have_as_many_that_look_alike() -> None:
    refused = sum(len(scene.refused) for scene in SCENES)
    assert sum(len(scene.silent) for scene in SCENES) >= refused


@pytest.mark.parametrize(("tool", "named"), [("Bash", NAMED), ("PowerShell", NAMED_IN_POWERSHELL)])
def test_whatever_is_named_has_three_spellings_of_each_kind(tool: str, named: dict[str, str]) -> None:
    scenes_of = [scene for scene in SCENES if scene.tool == tool]
    few = {
        name: counts
        for name, pattern in named.items()
        if min(counts := (_about(pattern, scenes_of, "refused"), _about(pattern, scenes_of, "silent"))) < 3
    }
    assert few == {}


def _about(pattern: str, of: list[Scene], kind: str) -> int:
    return sum(bool(re.search(pattern, line)) for scene in of for line in getattr(scene, kind))
