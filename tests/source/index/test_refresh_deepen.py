from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

from leeboard.source.index import cache
from leeboard.source.index.refresh import learn_habits, parse_pending, refresh
from leeboard.source.index.state import read_state

if TYPE_CHECKING:
    from tests.source.index.conftest import WorkTree


def test_habits_are_learned_once_enough_changed(tree: WorkTree) -> None:
    for number in range(6):
        tree.write(f"app/part{number}.py", "import requests\n")
    tree.write("AGENTS.md", "Use httpx, not requests.\n")
    refresh(tree.root)
    assert [habit.role for habit in read_state(tree.root).habits] == ["instruction", "python http client"]
    with closing(cache.open_to_write(cache.index_file(tree.root))) as connection:
        assert not learn_habits(connection, tree.root)
    tree.write("app/part0.py", "import json\n")
    tree.remove("AGENTS.md")
    refresh(tree.root, lambda: False)
    with closing(cache.open_to_write(cache.index_file(tree.root))) as connection:
        assert learn_habits(connection, tree.root)
    assert [(habit.role, habit.support) for habit in read_state(tree.root).habits] == [("python http client", 5)]


def test_a_file_at_which_a_process_died_is_tried_once_more(tree: WorkTree) -> None:
    refresh(tree.root, lambda: False)
    with closing(cache.open_to_write(cache.index_file(tree.root))) as connection:
        connection.execute("UPDATE blob SET parsed = 2")
        assert parse_pending(connection, tree.root) == 2
        connection.execute("UPDATE blob SET parsed = 3")
        assert parse_pending(connection, tree.root) == 0


def test_a_file_that_was_written_meanwhile_waits(tree: WorkTree) -> None:
    refresh(tree.root, lambda: False)
    tree.write("app/web.py", "class Other:\n    pass\n")
    with closing(cache.open_to_write(cache.index_file(tree.root))) as connection:
        assert parse_pending(connection, tree.root) == 1
        assert parse_pending(connection, tree.root, lambda: False) == 0
    assert refresh(tree.root).parsed == 1
    assert read_state(tree.root).pending == 0
