from __future__ import annotations

import pytest

from leeboard.errors import WireError
from leeboard.plan.files.truth import AuditRecord, format_audit, parse_audit

RECORD = AuditRecord(timestamp="2026-03-01T10:00:00Z", entry_id="HWM-3-01", path="knowledge/a.md", sha="a" * 64)


def test_a_line_reads_back() -> None:
    """FD-45"""
    line = format_audit(RECORD)
    assert b"\n" not in line
    assert parse_audit(line) == RECORD
    assert parse_audit(b"{") is None


def test_long_words_are_cut_at_a_character() -> None:
    record = AuditRecord(
        timestamp="",
        entry_id="",
        path="",
        sha="",
        rationale="\u00e9" * 4000,
        claimed_author_id="n" * 300,
        user_instruction_excerpt="w" * 300,
        dirs_created=tuple(f"d{at}" for at in range(40)),
    )
    found = parse_audit(format_audit(record))
    assert found is not None
    assert len((found.rationale or "").encode()) <= 4096
    assert (found.rationale or "").endswith("\u00e9...[truncated]")
    assert len(found.claimed_author_id or "") == 128 == len(found.human_author_id or "")
    assert found.user_instruction_excerpt == "w" * 200 + "..."
    assert len(found.dirs_created) == 16


def test_a_line_that_stays_too_long_is_refused() -> None:
    with pytest.raises(WireError, match="record_too_large"):
        format_audit(AuditRecord(timestamp="t" * 20_000, entry_id="", path="", sha=""))
