from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.source.convention import instructions_in, is_instruction_file

DEMANDS = [
    ("Use `httpx`, not `requests`.", ("httpx", "requests")),
    ("- Always use pnpm instead of npm", ("pnpm", "npm")),
    ("Use date-fns for dates, not moment", ("date-fns", "moment")),
    ("Do not use moment; use date-fns.", ("date-fns", "moment")),
    ("Don't use `moment`. Use `dayjs`.", ("dayjs", "moment")),
    ("Never import sqlite3 directly; go through app.db.", ("app.db", "sqlite3")),
    ("Prefer **zustand** over redux for state.", ("zustand", "redux")),
    ("use structlog rather than logging", ("structlog", "logging")),
    ("Use @acme/http; never use axios", ("@acme/http", "axios")),
]
NO_DEMANDS = [
    "Use it, not that.",
    "We use requests.",
    "Do not use the database in tests.",
    "This is not used.",
    "Use TypeScript, not JavaScript.",
    "",
]


@pytest.mark.parametrize(("text", "pair"), DEMANDS)
def test_what_is_demanded(text: str, pair: tuple[str, str]) -> None:
    (habit,) = instructions_in("AGENTS.md", text)
    assert (habit.usual, habit.others) == (pair[0], (pair[1],))
    assert habit.where == "AGENTS.md"


@pytest.mark.parametrize("text", NO_DEMANDS)
def test_what_demands_nothing(text: str) -> None:
    assert not list(instructions_in("AGENTS.md", text))


@given(st.text(max_size=300))
def test_no_text_raises(text: str) -> None:
    list(instructions_in("CLAUDE.md", text))


@pytest.mark.parametrize(
    ("path", "is_one"),
    [
        ("AGENTS.md", True),
        ("web/CLAUDE.md", True),
        ("docs/adr/0001-db.md", True),
        ("docs/decisions/db.md", True),
        ("README.md", False),
    ],
)
def test_files_of_instructions(path: str, is_one: bool) -> None:  # noqa: FBT001 - a table
    assert is_instruction_file(path) is is_one
