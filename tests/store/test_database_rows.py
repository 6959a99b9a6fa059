from __future__ import annotations

from typing import Any

import pytest

from leeboard.errors import StateError
from leeboard.store.database import (
    ALLOWANCE,
    CAPTURE,
    CORRECTION,
    CURSOR,
    FINDING,
    RECEIPT,
    STEP,
    VERDICT,
    Database,
    Shape,
)
from tests.store_suite import a_step, a_verdict


def test_a_struct_survives_its_row() -> None:
    step = a_step("s", files=("a\0b", 'c"d'), keywords=("é",), is_key_decision=True, command="null", reasoning=None)
    assert STEP.read(STEP.row(step)) == step
    assert VERDICT.read(VERDICT.row(a_verdict("v"), "more columns")) == a_verdict("v")


@pytest.mark.parametrize("bad", ["not json", "[1]", None, b"\xff", '{"a": 1}'])
def test_a_row_that_makes_no_sense_is_a_matter_of_state(bad: object) -> None:
    row = list(STEP.row(a_step("s")))
    row[3] = bad
    with pytest.raises(StateError, match="a stored step can not be read"):
        STEP.read(row)


@pytest.mark.parametrize(
    ("shape", "table"),
    [
        (STEP, "steps"),
        (VERDICT, "verdicts"),
        (FINDING, "findings"),
        (CORRECTION, "corrections"),
        (CAPTURE, "captures"),
        (ALLOWANCE, "allowances"),
        (RECEIPT, "receipts"),
        (CURSOR, "cursors"),
    ],
)
def test_every_field_has_its_column(shape: Shape[Any], table: str, database: Database) -> None:
    """A field that is added to a struct needs a migration."""
    assert database.all(shape.select(f"FROM {table}")) == []


def test_writing_twice_writes_over(database: Database) -> None:
    sql = VERDICT.insert("verdicts", "timestamp", key="id")
    database.run(sql, VERDICT.row(a_verdict("v"), 1.0))
    database.run(sql, VERDICT.row(a_verdict("v", "s2"), 2.0))
    assert database.all("SELECT session, timestamp FROM verdicts") == [("s2", 2.0)]
