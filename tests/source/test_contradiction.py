"""A change held against habits that are given: what is new in it, and what is left alone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.model.symbol import Habit
from leeboard.model.touch import Diff
from leeboard.source.contradiction import contradictions, new_imports

WRAPPER = Habit(
    role="wrapper of sqlite3",
    usual="app/db/session.py",
    others=("sqlite3",),
    support=9,
    users=9,
    where="app/db/session.py",
)
CLIENT = Habit(role="js http client", usual="axios", others=("got", "ky"), support=9, users=10)
ORDER = Habit(role="layer order", usual="app/ui -> app/db", others=("app/db -> app/ui",), support=9, users=9)
PASSAGE = Habit(
    role="layer passage", usual="app/ui -> app/services -> app/db", others=("app/ui -> app/db",), support=9, users=9
)
RULED_OUT = Habit(role="instruction", usual="app.http", others=("requests",), where="AGENTS.md")
WAITING = Habit(role="functions in app/routes", usual="async", support=8, users=8, where="app/routes")
CLASSES = Habit(role="shape of app/jobs", usual="class", support=8, users=8, where="app/jobs")
HABITS = (WRAPPER, CLIENT, ORDER, PASSAGE, RULED_OUT, WAITING, CLASSES)


def written(path: str, after: str, before: str | None = "") -> Diff:
    lines = after.count("\n") + 1
    return Diff(path=path, after=after, before=before, added=((1, lines),))


@pytest.mark.parametrize(
    ("path", "text", "subject", "rework"),
    [
        ("app/x.py", "import sqlite3", "sqlite3", 4),
        ("src/x.ts", "const got = require('got')", "got", 4),
        ("app/db/x.py", "from app.ui import form", "app/db -> app/ui", 5),
        ("app/ui/x.py", "from app.db import pool", "app/ui -> app/db", 4),
        ("app/x.py", "from requests import get", "requests", 4),
        ("app/routes/x.py", "def a(): ...\ndef b(): ...", "functions of app/routes", 3),
        ("app/jobs/x.py", "def a(): ...\ndef b(): ...", "shape of app/jobs", 3),
    ],
)
def test_against_a_habit(path: str, text: str, subject: str, rework: int) -> None:
    (found,) = contradictions(written(path, text), HABITS)
    assert (found.subject, found.rework, found.line) == (subject, rework, 1)
    assert found.reason.endswith(".")
    assert path in found.reason


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("app/db/x.py", "import sqlite3"),
        ("src/x.ts", "import axios from 'axios'"),
        ("src/x.ts", "import type { Options } from 'got'"),
        ("src/x.test.ts", "import got from 'got'"),
        ("scripts/x.py", "import sqlite3"),
        ("app/http.py", "import requests"),
        ("app/x.py", "if TYPE_CHECKING:\n    import sqlite3"),
        ("app/x.py", "# the session is too slow here\nimport sqlite3"),
        ("app/routes/x.py", "async def a(): ...\ndef b(): ..."),
        ("app/routes/x.py", "def a(): ..."),
        ("app/x.md", "import sqlite3"),
        ("", "import sqlite3"),
        ("/tmp/repro.py", "import sqlite3"),
        ("~/try.py", "import sqlite3"),
        ("app/x.py", "from sqlite3 import OperationalError"),
        ("src/x.ts", "import { HTTPError } from 'got'\nif (e instanceof HTTPError) stop()"),
    ],
)
def test_with_the_habits(path: str, text: str) -> None:
    assert not list(contradictions(written(path, text), HABITS))


def test_what_was_there_before_is_not_new() -> None:
    kept = written("app/x.py", "import sqlite3\nimport json", before="import sqlite3")
    assert [item.module for item in new_imports(kept, "python")] == ["json"]
    deeper = written("app/x.py", "import sqlite3\nimport sqlite3.dbapi2", before="import sqlite3")
    assert not list(contradictions(deeper, HABITS))


def test_only_written_lines_count() -> None:
    diff = Diff(path="app/x.py", after="import sqlite3\nx = 1", before=None, added=((2, 2),))
    assert not list(contradictions(diff, HABITS))


def test_each_thing_once() -> None:
    diff = written("app/x.py", "import sqlite3\nimport sqlite3.dbapi2")
    assert len(list(contradictions(diff, HABITS))) == 1


@given(st.text(max_size=300), st.sampled_from(["a.py", "b.ts", "c.go", "D.java"]))
def test_no_text_raises(text: str, path: str) -> None:
    list(contradictions(written(path, text), HABITS))


def test_use_that_joins_names_is_new() -> None:
    """An error was caught before; now the library itself is called."""
    before = "from sqlite3 import OperationalError\n"
    joined = written("app/x.py", f"{before}import sqlite3\n\nsqlite3.connect('x')\n", before=before)
    assert [found.subject for found in contradictions(joined, (WRAPPER,))] == ["sqlite3"]
    used = "import sqlite3.dbapi2\n\nsqlite3.dbapi2.connect('x')\n"
    again = written("app/x.py", f"{used}import sqlite3\nsqlite3.connect('x')\n", before=used)
    assert not list(contradictions(again, (WRAPPER,)))
