from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from leeboard.source.index import cache

if TYPE_CHECKING:
    from tests.source.index.conftest import WorkTree


def test_work_trees_of_one_repository_share_a_file(tree: WorkTree, tmp_path: Path) -> None:
    tree.git("worktree", "add", "-q", str(tmp_path / "second"))
    assert cache.index_file(str(tmp_path / "second")) == cache.index_file(tree.root)
    assert cache.index_file(str(tmp_path)) != cache.index_file(tree.root)


def test_nothing_is_made_by_reading(tree: WorkTree, cache_place: Path) -> None:
    assert cache.open_to_read(cache.index_file(tree.root)) is None
    assert not cache_place.exists()


def test_it_is_the_user_s_alone(tree: WorkTree) -> None:
    path = cache.index_file(tree.root)
    cache.open_to_write(path).close()
    assert Path(path).stat().st_mode & 0o777 == 0o600
    assert Path(cache.index_dir()).stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("torn", [b"not a database at all" * 100, b"SQLite format 3\x00" + b"\xff" * 5000])
def test_a_torn_file_is_made_anew(tree: WorkTree, torn: bytes) -> None:
    path = cache.index_file(tree.root)
    cache.open_to_write(path).close()
    Path(path).write_bytes(torn)
    assert cache.open_to_read(path) is None
    with closing(cache.open_to_write(path)) as connection:
        assert connection.execute("SELECT count(*) FROM tree").fetchone() == (0,)


def test_a_file_of_another_shape_is_made_anew(tree: WorkTree) -> None:
    path = cache.index_file(tree.root)
    with closing(cache.open_to_write(path)) as connection:
        connection.execute("PRAGMA user_version = 99")
    assert cache.open_to_read(path) is None
    with closing(cache.open_to_write(path)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (cache.SHAPE,)


def test_a_path_may_hold_anything(tmp_path: Path) -> None:
    path = str(tmp_path / "a?b#c%d.db")
    cache.open_to_write(path).close()
    connection = cache.open_to_read(path)
    assert connection is not None
    connection.close()
    assert sorted(item.name for item in tmp_path.glob("*.db")) == ["a?b#c%d.db"]


def test_a_broken_off_transaction_leaves_nothing(tree: WorkTree) -> None:
    with closing(cache.open_to_write(cache.index_file(tree.root))) as connection:
        with pytest.raises(sqlite3.OperationalError):
            break_off(connection)
        assert connection.execute("SELECT count(*) FROM tree").fetchone() == (0,)


def break_off(connection: sqlite3.Connection) -> None:
    with cache.transaction(connection):
        connection.execute("INSERT INTO tree (root) VALUES ('x')")
        connection.execute("SELECT * FROM nowhere")


def test_indexes_are_kept_within_a_size(tree: WorkTree) -> None:
    kept = cache.index_file(tree.root)
    cache.open_to_write(kept).close()
    old, new = (str(Path(cache.index_dir()) / name) for name in ("old.db", "new.db"))
    for age, path in enumerate((old, new)):
        Path(path).write_bytes(b"x" * 1000)
        os.utime(path, (age, age))
    assert cache.keep_within(Path(kept).stat().st_size + 1500, kept) == (old,)
    assert cache.keep_within(0, kept) == (new,)
    assert Path(kept).exists()


@pytest.mark.usefixtures("tree")
def test_no_room_is_no_reason_to_throw_it_away(tmp_path: Path) -> None:
    with pytest.raises((sqlite3.OperationalError, OSError)):
        cache.open_to_write(str(tmp_path / "work"))
    assert (tmp_path / "work" / "app" / "web.py").exists()
