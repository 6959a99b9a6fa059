from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from leeboard.model.symbol import Symbols
from leeboard.source.index import cache
from leeboard.source.index.extract import name_words
from leeboard.source.index.refresh import refresh
from leeboard.source.index.symbols import MemorySymbols, open_symbols

if TYPE_CHECKING:
    from tests.source.index.conftest import WorkTree


def opened(tree: WorkTree, *changed: str) -> Symbols:
    symbols = open_symbols(tree.root, changed)
    assert symbols is not None
    return symbols


def named(symbols: Symbols, name: str) -> list[tuple[str, str]]:
    return [(item.path, item.name) for item in symbols.named(name_words(name))]


def test_there_is_none_before_it_is_made(tree: WorkTree) -> None:
    assert open_symbols(tree.root) is None


def test_it_answers_as_the_one_in_memory(tree: WorkTree) -> None:
    tree.function("app/copy.py", "add_up")
    refresh(tree.root)
    kept = opened(tree)
    memory = MemorySymbols(
        {path.relative_to(tree.path).as_posix(): path.read_text() for path in tree.path.rglob("*.py")}
    )
    assert kept.complete
    for words in ({"web"}, name_words("sum_invoices"), {"nothing"}):
        assert sorted(kept.named(words), key=repr) == sorted(memory.named(words), key=repr)
    for path in ("app/billing.py", "app/web.py", "app/none.py"):
        assert kept.of_file(path) == memory.of_file(path)
        assert kept.importers(path) == memory.importers(path)
        assert kept.imports(path) == memory.imports(path)
    (known,) = kept.of_file("app/billing.py")
    assert [item.symbol.name for item in kept.like(known.fingerprint)] == ["sum_invoices", "add_up"]
    assert set(kept.like(known.fingerprint)) == set(memory.like(known.fingerprint))


def test_until_the_second_pass_is_through_it_is_not_complete(tree: WorkTree) -> None:
    refresh(tree.root, lambda: False)
    symbols = opened(tree)
    assert not symbols.complete
    assert [item.symbol.name for item in symbols.of_file("app/billing.py")] == ["sum_invoices"], "parsed when asked for"


def test_a_file_that_changed_is_read_again(tree: WorkTree) -> None:
    refresh(tree.root)
    (old,) = opened(tree).of_file("app/billing.py")
    tree.function("app/billing.py", "renamed_since")
    symbols = opened(tree)
    assert named(symbols, "sum_invoices") == []
    assert [item.symbol.name for item in symbols.of_file("app/billing.py")] == ["renamed_since"]
    assert [item.symbol.name for item in symbols.like(old.fingerprint)] == ["renamed_since"]
    tree.write("app/web.py", "import json\n")
    assert opened(tree).importers("app/billing.py") == ()
    assert opened(tree).imports("app/web.py") == ("json",)


def test_a_file_that_is_gone_vanishes(tree: WorkTree) -> None:
    refresh(tree.root)
    (old,) = opened(tree).of_file("app/billing.py")
    tree.remove("app/billing.py")
    symbols = opened(tree)
    assert named(symbols, "billing") == []
    assert symbols.like(old.fingerprint) == symbols.of_file("app/billing.py") == ()


def test_what_was_just_written_is_found_when_it_is_named(tree: WorkTree) -> None:
    refresh(tree.root)
    tree.function("app/fresh.py", "add_up")
    assert named(opened(tree), "add_up") == []
    symbols = opened(tree, "app/fresh.py", "README.md")
    assert named(symbols, "add_up") == [("app/fresh.py", "add_up")]
    (old,) = symbols.of_file("app/billing.py")
    assert {item.symbol.name for item in symbols.like(old.fingerprint)} == {"sum_invoices", "add_up"}


def test_rare_words_are_not_drowned_by_common_ones(tree: WorkTree) -> None:
    for number in range(9):
        names = "\n".join(f"def handle_{number}_{other}(): ..." for other in range(60))
        tree.write(f"app/a{number}.py", f"{names}\n")
    tree.write("app/z.py", "def verify_jwt(): ...\n")
    refresh(tree.root)
    assert ("app/z.py", "verify_jwt") in named(opened(tree), "handle_jwt")


def test_habits_are_kept(tree: WorkTree) -> None:
    tree.write("CLAUDE.md", "Use httpx, not requests.\n")
    refresh(tree.root)
    assert [habit.usual for habit in opened(tree).habits()] == ["httpx"]


def test_torn_rows_answer_with_nothing(tree: WorkTree) -> None:
    refresh(tree.root)
    (known,) = opened(tree).of_file("app/billing.py")
    connection = cache.open_to_write(cache.index_file(tree.root))
    connection.execute("UPDATE blob SET names = x'c1', imports = x'c1'")
    connection.execute("UPDATE function SET packed = x'c1ff'")
    connection.execute("UPDATE tree SET habits = x'c1'")
    connection.execute("UPDATE word SET blobs = x'010203'")
    connection.close()
    symbols = opened(tree)
    assert named(symbols, "sum_invoices") == []
    assert symbols.like(known.fingerprint) == symbols.of_file("app/billing.py") == ()
    assert symbols.importers("app/billing.py") == symbols.imports("app/web.py") == ()
    assert symbols.habits() == ()


@pytest.mark.parametrize("table", ["word", "blob", "hash", "path_word", "function"])
def test_a_torn_index_answers_with_nothing(tree: WorkTree, table: str) -> None:
    refresh(tree.root)
    (known,) = opened(tree).of_file("app/billing.py")
    connection = cache.open_to_write(cache.index_file(tree.root))
    connection.execute(f"DROP TABLE {table}")
    connection.close()
    symbols = opened(tree)
    symbols.named({"web"})
    symbols.like(known.fingerprint)
    symbols.importers("app/billing.py")
    assert len(symbols.of_file("app/billing.py")) == int(table != "function")
