"""How sure it is of a caller's value: the place in a query, and who gives it."""

from __future__ import annotations

import pytest

from tests.security.taint.surest_flow import surest


@pytest.mark.parametrize(
    ("text", "least", "most"),
    [
        ("def f(name):\n    c.execute(f\"SELECT a FROM t WHERE n = '{name}'\")", 0.61, 0.85),
        ('def f(table_name):\n    c.execute(f"SELECT a FROM t WHERE n = {table_name}")', 0.0, 0.6),
        ("def f(order):\n    c.execute(f\"SELECT a FROM t WHERE id = '{order}'\")", 0.61, 0.85),
        ('def f(prefix):\n    c.execute("SELECT a FROM t WHERE p LIKE \'" + prefix + "%\'")', 0.61, 0.85),
        ("def f(name, order):\n    c.execute(f'SELECT a FROM t WHERE n = {name} ORDER BY {order}')", 0.61, 0.85),
        ("def f(order):\n    c.execute(f'SELECT a FROM t ORDER BY {order}')", 0.0, 0.6),
        ("def f(keys):\n    c.execute(f\"INSERT INTO t (a, {', '.join(keys)}) VALUES (1)\")", 0.0, 0.6),
        ("def f(v):\n    c.execute(f\"INSERT INTO t (a, b) VALUES (1, '{v}')\")", 0.61, 0.85),
        ('def f():\n    c.execute(f"SELECT a FROM t WHERE x = 1 AND {thing().clause}")', 0.0, 0.5),
        ("def f():\n    c.execute(f\"SELECT a FROM t WHERE x = '{thing().name}'\")", 0.51, 0.85),
    ],
)
def test_a_value_of_a_query_or_a_part_of_it(text: str, least: float, most: float) -> None:
    assert least <= surest(f"import sqlite3\nc = sqlite3.connect(p).cursor()\n{text}\n", "python") <= most


_ZONE = "def connect(cursor, {0}):\n    cursor.execute(\"SET zone = '\" + {0}['zone'] + \"'\")\n"


@pytest.mark.parametrize("given", ["config", "db_settings", "cfg"])
def test_configuration_is_no_callers_value(given: str) -> None:
    assert surest(_ZONE.format("name"), "python") > 0.6
    assert surest(_ZONE.format(given), "python") <= 0.6


def test_what_stands_in_a_file_of_ones_own_is_noted() -> None:
    assert surest("def load(name):\n    exec(open('settings.py').read())\n", "python") < 0.5
