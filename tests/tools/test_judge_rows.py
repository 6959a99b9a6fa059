"""Rows to fit on: facts of a session's own files and of strangers."""

from __future__ import annotations

from leeboard.analysis.ties.fact import MEANINGS
from tools.judge_rows import KINDS, rows_of, sessions_of


def test_own_files_and_strangers_give_rows_of_facts_alone() -> None:
    sessions = [one for one in sessions_of("tests/sessions") if one.repo == "tidecli"]
    rows = list(rows_of(sessions))
    assert {row["y"] for row in rows} == {0, 1}
    assert {row["kind"] for row in rows if row["y"]} <= set(KINDS)
    assert {name for row in rows for name in row.get("facts", ())} <= set(MEANINGS)
    assert rows == list(rows_of(sessions)), "the same rows every time"
