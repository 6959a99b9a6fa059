from __future__ import annotations

import shutil
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from leeboard.source.index import cache
from leeboard.source.index.refresh import MOST_PARTS, prune, refresh
from leeboard.source.index.symbols import open_symbols

if TYPE_CHECKING:
    from tests.source.index.conftest import WorkTree


def count(tree: WorkTree, what: str) -> int:
    with closing(cache.open_to_write(cache.index_file(tree.root))) as connection:
        return int(connection.execute(what).fetchone()[0])


def test_a_work_tree_that_is_gone_is_dropped(tree: WorkTree, tmp_path: Path) -> None:
    tree.git("worktree", "add", "-q", str(tmp_path / "second"))
    (tmp_path / "second" / "only.py").write_text("def only_here(): ...\n")
    refresh(str(tmp_path / "second"))
    refresh(tree.root)
    shutil.rmtree(tmp_path / "second")
    refresh(tree.root)
    assert count(tree, "SELECT count(*) FROM tree") == 1
    assert count(tree, "SELECT count(*) FROM blob") == 2


def test_the_oldest_work_trees_go_while_it_is_too_large(tree: WorkTree, tmp_path: Path) -> None:
    tree.git("worktree", "add", "-q", str(tmp_path / "second"))
    refresh(str(tmp_path / "second"))
    refresh(tree.root)
    with closing(cache.open_to_write(cache.index_file(tree.root))) as connection:
        prune(connection, tree.root, cap=1)
    assert count(tree, "SELECT count(*) FROM tree") == 1
    assert open_symbols(tree.root) is not None
    assert open_symbols(str(tmp_path / "second")) is None


def test_contents_no_tree_has_go_and_words_are_joined(tree: WorkTree, monkeypatch: pytest.MonkeyPatch) -> None:
    refresh(tree.root)
    for number in range(MOST_PARTS + 2):
        tree.write("app/web.py", f"class Page{number}Of:\n    pass\n")
        refresh(tree.root)
    assert count(tree, "SELECT count(*) FROM blob") > 20
    monkeypatch.setattr("leeboard.source.index.refresh.FEW", 5)
    refresh(tree.root)
    assert count(tree, "SELECT count(*) FROM blob") == 2
    assert count(tree, "SELECT count(DISTINCT part) FROM word") == 1
    symbols = open_symbols(tree.root)
    assert symbols is not None
    assert symbols.importers("app/billing.py") == ()
