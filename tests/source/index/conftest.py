"""A work tree with an index of its own."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

FUNCTION = """def {name}(orders, rate):
    total = 0
    for order in orders:
        if order.paid:
            total += charge(order.amount, rate)
        else:
            remind(order.customer, "unpaid invoice")
    audit.write("totals", total, rate)
    return total
"""


class WorkTree:
    """Files in a folder, under git or not."""

    def __init__(self, root: Path) -> None:
        self.path = root
        self.root = str(root)

    def write(self, path: str, text: str) -> None:
        file = self.path / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")

    def function(self, path: str, name: str) -> None:
        self.write(path, FUNCTION.format(name=name))

    def remove(self, path: str) -> None:
        (self.path / path).unlink()

    def git(self, *arguments: str) -> str:
        ident = ("-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "init.defaultBranch=main")
        return subprocess.run(
            ("git", *ident, *arguments), cwd=self.path, check=True, capture_output=True, text=True
        ).stdout

    def commit(self) -> None:
        self.git("add", "-A")
        self.git("commit", "-qm", "work")


@pytest.fixture(autouse=True)
def cache_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    place = tmp_path / "cache"
    monkeypatch.setenv("LEEBOARD_CACHE_DIR", str(place))
    return place


@pytest.fixture
def folder(tmp_path: Path) -> WorkTree:
    (tmp_path / "work").mkdir()
    return WorkTree(tmp_path / "work")


@pytest.fixture
def tree(folder: WorkTree) -> WorkTree:
    """Under git, with two committed files."""
    folder.git("init", "-q")
    folder.function("app/billing.py", "sum_invoices")
    folder.write("app/web.py", "from app.billing import sum_invoices\n\nclass WebPage:\n    pass\n")
    folder.commit()
    return folder
