from __future__ import annotations

from pathlib import Path

import pytest

from leeboard.app.guard.look import (
    first_look,
    forget_look,
    keep_look,
    kept_looks,
    limited_now,
    limits_of,
    read_look,
    under_limits,
)
from leeboard.model.contract import Constraint, Contract
from leeboard.model.session import Session

SQL = Constraint(text="DO NOT modify a.sql", kind="forbid", patterns=("a.sql",))
ONLY = Constraint(text="ONLY edit src/", kind="only", patterns=("src/",))


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LEEBOARD_STATE_DIR", str(tmp_path / "state"))
    monkeypatch.setenv("HOME", str(tmp_path))


def test_it_is_the_same_after_it_was_kept(tmp_path: Path) -> None:
    look = under_limits(first_look("s", str(tmp_path), {}), (SQL,))
    keep_look(look)
    assert read_look("s") == look
    assert kept_looks() == (look,)
    forget_look("s")
    assert read_look("s") is None


def test_new_limits_do_not_forget_what_is_known(tmp_path: Path) -> None:
    (tmp_path / "a.sql").write_text("one", encoding="utf-8")
    look = under_limits(first_look("s", str(tmp_path), {}), (SQL,))
    (tmp_path / "a.sql").write_text("two", encoding="utf-8")
    more = Constraint(text="DO NOT modify b.sql", kind="forbid", patterns=("b.sql",))
    again = under_limits(look, (SQL, more))
    assert again.limited.files["a.sql"] == look.limited.files["a.sql"]
    assert limited_now(again).files["a.sql"].digest != look.limited.files["a.sql"].digest


def test_only_limits_with_files_that_can_be_named_are_watched() -> None:
    session = Session(id="s", contract=Contract(constraints=(SQL, ONLY)))
    assert limits_of(session) == (SQL,)
    assert limits_of(None) == ()
