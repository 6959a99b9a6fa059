from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

from leeboard.source.index import cache
from leeboard.source.index.listing import list_files
from leeboard.source.index.refresh import Manifest
from leeboard.source.index.scan import scan

if TYPE_CHECKING:
    from tests.source.index.conftest import WorkTree


def contents(connection: sqlite3.Connection) -> int:
    found: int = connection.execute("SELECT count(*) FROM blob").fetchone()[0]
    return found


def test_files_are_entered_known_again_and_dropped(tree: WorkTree) -> None:
    files = list_files(tree.root)
    tidy = frozenset(item.path for item in files)
    with closing(cache.open_to_write(cache.index_file(tree.root))) as connection:
        manifest = Manifest(connection, tree.root)
        assert manifest.take_known(files) == files
        manifest.take_read(scan(tree.root, files), tidy)
        assert contents(connection) == 2
        assert sorted(manifest.files()) == ["app/billing.py", "app/web.py"]
        assert manifest.files(["app/web.py", "none.py"]).keys() == {"app/web.py"}
        assert manifest.dirty() == []
        other = Manifest(connection, "/another")
        assert other.take_known(files) == []
        other.take_read(scan(tree.root, files), frozenset())
        assert contents(connection) == 2
        assert other.dirty() == ["app/billing.py", "app/web.py"]
        assert manifest.drop(["app/web.py"]) == 1
        assert sorted(manifest.files()) == ["app/billing.py"]
        assert len(other.files()) == 2


def test_a_tree_is_settled(tree: WorkTree) -> None:
    files = list_files(tree.root)
    with closing(cache.open_to_write(cache.index_file(tree.root))) as connection:
        manifest = Manifest(connection, tree.root)
        manifest.take_read(scan(tree.root, files), frozenset())
        manifest.settle("looks", 5.0, 2)
        row = connection.execute("SELECT looks, refreshed, pending, changes FROM tree").fetchone()
        assert row == ("looks", 5.0, 2, 2)
        assert Manifest(connection, tree.root).looks == "looks"
