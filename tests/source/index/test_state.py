from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

from leeboard.source.index import cache
from leeboard.source.index.refresh import refresh
from leeboard.source.index.state import is_due, read_state

if TYPE_CHECKING:
    from tests.source.index.conftest import WorkTree


def test_before_there_is_one(tree: WorkTree) -> None:
    state = read_state(tree.root)
    assert (state.exists, state.files, state.path) == (False, 0, cache.index_file(tree.root))
    assert is_due(tree.root)


def test_after_a_refresh_nothing_is_due_until_something_moves(tree: WorkTree) -> None:
    refresh(tree.root, lambda: False)
    assert is_due(tree.root), "parsing is left"
    refresh(tree.root)
    state = read_state(tree.root)
    assert (state.exists, state.files, state.functions, state.pending) == (True, 2, 1, 0)
    assert state.size > 0
    assert not is_due(tree.root)
    tree.write("app/new.py", "x = 1\n")
    tree.commit()
    assert is_due(tree.root)


def test_after_a_while_it_is_due_again(tree: WorkTree) -> None:
    refresh(tree.root)
    with closing(cache.open_to_write(cache.index_file(tree.root))) as connection:
        connection.execute("UPDATE tree SET refreshed = 1")
    assert is_due(tree.root)


def test_another_work_tree_has_none(tree: WorkTree) -> None:
    refresh(tree.root)
    with closing(cache.open_to_write(cache.index_file(tree.root))) as connection:
        connection.execute("UPDATE tree SET root = '/other'")
    assert not read_state(tree.root).exists
    assert is_due(tree.root)
