"""Habits learned from files: what is learned, what is not, and that the order of files does not matter."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from hypothesis import given
from hypothesis import strategies as st

from leeboard.model.symbol import Habit
from leeboard.source.convention import FileUse, learn, rules_in
from leeboard.source.name_scan import scan_imports, scan_names, scan_style
from leeboard.text.language import language_of


def uses(files: Mapping[str, str]) -> list[FileUse]:
    made = []
    for path, text in files.items():
        language = language_of(path)
        names, style = scan_names(text, language), scan_style(text, language)
        made.append(FileUse(path, language, scan_imports(text, language), names, style))
    return made


def learned(files: Mapping[str, str]) -> dict[str, Habit]:
    return {habit.role: habit for habit in learn(uses(files))}


def many(pattern: str, text: str, count: int = 6) -> dict[str, str]:
    return {pattern.format(number): text for number in range(count)}


SHOP = {
    **many("shop/orders/part{}.py", "from shop.db.session import Session\nimport requests\n"),
    "shop/db/session.py": "import sqlite3\n",
    **many("tests/test_part{}.py", "import pytest\nfrom unittest import mock\n"),
}


def test_a_shop_and_its_habits() -> None:
    found = learned(SHOP)
    assert found["python http client"].usual == "requests"
    assert found["wrapper of sqlite3"].where == "shop/db/session.py"
    assert found["python test framework"].usual == "pytest"
    assert all(habit.support >= 5 and habit.support >= 0.8 * habit.users for habit in found.values())


def test_four_files_teach_nothing() -> None:
    few = {path: text for path, text in SHOP.items() if not path.endswith(("4.py", "5.py"))}
    assert not learned(few)


def test_tests_and_scripts_do_not_teach_what_the_product_does() -> None:
    assert not learned(
        {**many("tests/test_part{}.py", "import requests\n"), **many("scripts/part{}.py", "import httpx\n")}
    )


@given(st.permutations(sorted(SHOP)))
def test_the_order_of_files_does_not_matter(order: Iterable[str]) -> None:
    assert learn(uses({path: SHOP[path] for path in order})) == learn(uses(SHOP))


def test_rules_are_read_from_files_of_instructions_only() -> None:
    texts = {
        "AGENTS.md": "Use httpx, not requests.",
        "README.md": "Use tabs, not spaces.",
        "docs/adr/1.md": "Prefer pino over winston.",
    }
    assert [(habit.usual, habit.others[0], habit.where) for habit in rules_in(texts)] == [
        ("httpx", "requests", "AGENTS.md"),
        ("pino", "winston", "docs/adr/1.md"),
    ]
