"""Two hundred random histories of a real repository: `check` names exactly the files outside the contract.

What is outside is computed here without git: the files as they were when the work began, against the files as they are.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from leeboard.app.check import check_tree
from leeboard.app.work_contract import WorkContract
from leeboard.model.contract import Contract, Held
from tests.git_repository import GitRepository

PATHS = [
    *("src/a.py", "src/b/c.py", "src/b/deep/d.py", "src/gen/x.py", "srcs/no.py", "docs/a.md", "docs/ü ñ.md"),
    *("README.md", "docs/README.md", "a b.txt", 'qu"ote.txt', "lib/-dash.py", "lib/tab\there.py"),
]
CONTRACTS: list[tuple[tuple[str, ...], Callable[[str], bool]]] = [
    (("src/**",), lambda path: path.startswith("src/")),
    (("src/",), lambda path: path.startswith("src/")),
    (("*.md",), lambda path: "/" not in path and path.endswith(".md")),
    (("**/*.md",), lambda path: path.endswith(".md")),
    (("src/**", "!src/gen/**"), lambda path: path.startswith("src/") and not path.startswith("src/gen/")),
    (("docs", "lib/*.py"), lambda path: path.startswith(("docs/", "lib/"))),
]


class History:
    """A repository that lives: every step is one that a person or an agent might take."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.dice = random.Random(seed)
        self.git = GitRepository(folder)
        for path in self.dice.sample(PATHS, 6):
            self._put(path)
        self.git.run("add", "-A")
        self.commits = [self.git.commit("start")]
        self.first = self.files()

    def files(self) -> dict[str, bytes]:
        root = self.git.path
        found = (path for path in root.rglob("*") if path.is_file() and ".git" not in path.relative_to(root).parts)
        return {path.relative_to(root).as_posix(): path.read_bytes() for path in found}

    def step(self) -> None:
        self.dice.choice(
            [self.edit, self.edit, self.edit, self.delete, self.rename, self.stage, self.commit, self.reset, self.undo]
        )()

    def _put(self, path: str) -> None:
        lines = [f"{self.dice.choice('abcdef')} {self.dice.randrange(5)}" for _ in range(self.dice.randrange(1, 9))]
        self.git.write(path, "\n".join(lines) + self.dice.choice(["", "\n"]))

    def _some(self) -> str | None:
        return self.dice.choice(sorted(self.files())) if self.files() else None

    def edit(self) -> None:
        self._put(self.dice.choice(PATHS))

    def delete(self) -> None:
        if path := self._some():
            (self.git.path / path).unlink()

    def rename(self) -> None:
        path, target = self._some(), self.git.path / self.dice.choice(PATHS)
        if path and not target.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            (self.git.path / path).rename(target)

    def stage(self) -> None:
        self.git.run("add", "-A", *(["--", "."] if self.dice.random() < 0.7 else ["--", ":(glob)**/*.py"]))

    def commit(self) -> None:
        if self.dice.random() < 0.5:
            self.git.run("add", "-A")
        self.git.run("commit", "-q", "--allow-empty", "-m", "step")
        self.commits.append(self.git.run("rev-parse", "HEAD"))

    def reset(self) -> None:
        self.git.run("reset", "-q", self.dice.choice(["--soft", "--mixed", "--hard"]), self.dice.choice(self.commits))

    def undo(self) -> None:
        self.git.run("checkout", "-q", self.dice.choice(self.commits), "--", ".")


@pytest.mark.parametrize("seeds", [range(start, start + 20) for start in range(0, 200, 20)], ids=str)
def test_exactly_the_files_outside(seeds: range, tmp_path: Path) -> None:
    for seed in seeds:
        history = History(tmp_path / str(seed), seed)
        touch, is_inside = CONTRACTS[seed % len(CONTRACTS)]
        contract = Contract(touch=touch, source="started", base=history.commits[0])
        work_contract = WorkContract(root=history.git.root, held=Held(root=history.git.root, contract=contract))
        for _ in range(history.dice.randrange(3, 12)):
            history.step()
        now = history.files()
        changed = {path for path in {*history.first, *now} if history.first.get(path) != now.get(path)}
        report = check_tree(work_contract, {}).report
        found = {one.subject for kind in report.findings if kind.kind == "scope_drift" for one in kind.findings}
        assert found == {path for path in changed if not is_inside(path)}, f"seed {seed}"
