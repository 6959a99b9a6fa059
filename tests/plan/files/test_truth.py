from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from leeboard.errors import WireError
from leeboard.model.truth import (
    ABSENT,
    BaselineEntry,
    Classification,
    Dispatch,
    DriftAssessment,
    DriftFinding,
    LogEntry,
    Marker,
)
from leeboard.plan.files import truth

ENTRY = BaselineEntry(
    path="knowledge/a.md",
    sha256="a" * 64,
    bytes=3,
    mtime_ns=1,
    is_binary=False,
    author_class="human-implicit",
    acknowledged_at="2026-03-01T10:00:00Z",
    acknowledged_via="baseline-init",
    stage=None,
    tracking_class="knowledge",
)
MARKER = Marker(
    path="knowledge/a.md",
    created_at="2026-03-01T10:00:00Z",
    created_by_assessment_id="AS-01",
    outcome="surface-as-feedback",
    baseline_sha_at_creation="a" * 64,
    linked_feedback_id="FB-01",
)
FINDING = DriftFinding(
    finding_id="DRF-01",
    path="knowledge/a.md",
    change_kind="new-file-detected",
    is_binary=False,
    diff_unified="+a",
    before_sha256=None,
    after_sha256="a" * 64,
    before_bytes=None,
    after_bytes=3,
    tracking_class="knowledge",
    stage=None,
)


def test_a_baseline_is_sorted_indented_and_reads_back() -> None:
    """FD-04 FD-35"""
    entries = {path: replace(ENTRY, path=path) for path in ("knowledge/b", "knowledge/\u00e9", "knowledge/a")}
    data = truth.format_baseline(entries)
    assert data.startswith(b'{\n  "knowledge/a": {\n    "path": "knowledge/a",\n')
    assert data.endswith(b"}\n")
    assert list(json.loads(data)) == sorted(entries)
    assert truth.parse_baseline(data) == entries
    assert truth.format_baseline({}) == b"{}\n"


def as_json(**changes: Any) -> dict[str, Any]:
    fields = json.loads(truth.format_baseline({ENTRY.path: ENTRY}))[ENTRY.path]
    return {**fields, **changes}


def test_an_entry_of_an_earlier_tool_has_no_tick() -> None:
    fields = as_json(further=1)
    del fields["acknowledged_tick"]
    assert truth.parse_baseline(json.dumps({ENTRY.path: fields}).encode()) == {ENTRY.path: ENTRY}


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "truncated"),
        (b"[]", "object"),
        (b"\xff\xfe", "malformed"),
        (b"[" * 100_000, "."),
        (json.dumps({"other": as_json()}).encode(), "its path is"),
        (json.dumps({ENTRY.path: as_json(sha256="A" * 64)}).encode(), "sha256"),
        (json.dumps({ENTRY.path: as_json(sha256="a" * 63)}).encode(), "sha256"),
        (json.dumps({ENTRY.path: as_json(sha256="a" * 63 + "\n")}).encode(), "sha256"),
        (json.dumps({ENTRY.path: as_json(bytes=-1)}).encode(), "below zero"),
        (json.dumps({ENTRY.path: as_json(author_class="me")}).encode(), "author_class"),
        (json.dumps({ENTRY.path: as_json(stage=3)}).encode(), "stage"),
        (json.dumps({ENTRY.path: {}}).encode(), "missing"),
    ],
)
def test_one_violation_and_nothing_is_believed(data: bytes, why: str) -> None:
    with pytest.raises(WireError, match=why):
        truth.parse_baseline(data)


def test_markers_read_back_also_those_of_an_earlier_tool() -> None:
    gone = replace(MARKER, path="b", baseline_sha_at_creation="", outcome="trigger-revisit")
    gone = replace(gone, linked_feedback_id=None, linked_revisit_target_stage="design")
    assert truth.parse_markers(truth.format_markers([MARKER, gone])) == (MARKER, gone)
    assert gone.sha == ABSENT


@pytest.mark.parametrize(
    "changes",
    [
        {"linked_feedback_id": None},
        {"linked_revisit_target_stage": "design"},
        {"outcome": "trigger-revisit"},
        {"outcome": "ignore"},
        {"baseline_sha_at_creation": "x"},
    ],
)
def test_a_marker_hangs_on_one_thing(changes: dict[str, Any]) -> None:
    with pytest.raises(WireError):
        truth.parse_markers(truth.format_markers([replace(MARKER, **changes)]))


def test_lines_of_the_log() -> None:
    """FD-44"""
    entry = LogEntry(
        entry_type="human_write",
        path="a",
        sha="b",
        author_class="human-via-mcp",
        timestamp="t",
        claimed_author_id="ann",
        entry_id=truth.entry_id("human_write", 7, 3),
        tick_counter=7,
    )
    fields = truth.format_log_line(entry)
    assert (fields["entry_id"], fields["human_author_id"]) == ("HWM-7-03", "ann")
    assert truth.parse_log_line(fields) == replace(entry, human_author_id="ann")
    old = {key: value for key, value in fields.items() if key not in {"tick_scope", "before_sha"}}
    found = truth.parse_log_line(old)
    assert found is not None
    assert (found.tick_scope, found.before_sha) == ("stage", None)
    assert truth.parse_log_line({**fields, "entry_type": "other"}) is None
    assert truth.parse_log_line({}) is None
    assert truth.entry_id("baseline_established", 2, "a1b2c3") == "BLN-EST-2-a1b2c3"
    assert truth.baseline_mark("baseline_corruption_event", "build") == "__baseline_marker__:corruption:build"


def test_what_only_tells_is_none_where_it_can_not_be_read() -> None:
    """FD-55 FD-56"""
    dispatch = Dispatch(
        tick_id="t",
        stage="build",
        tick_counter=1,
        mode="continuous",
        created_at="t",
        findings=(FINDING,),
        legal_outcomes={FINDING.path: ("ignore",)},
    )
    decided = Classification(path=FINDING.path, outcome="ignore")
    assessment = DriftAssessment(
        id="AS-01", created_at="t", tick_id="t", findings=(FINDING,), classifications=(decided,), agent_rationale="r"
    )
    assert truth.parse_dispatch(truth.format_dispatch(dispatch)) == dispatch
    assert truth.parse_assessment(truth.format_assessment(assessment)) == assessment
    assert json.loads(truth.format_assessment(assessment))["revisit_invoked_at"] is None
    for data in (b"", b"{}", b"[" * 100_000, b"\xff"):
        assert truth.parse_dispatch(data) is None
        assert truth.parse_assessment(data) is None
        assert truth.parse_ack(data) is None
        assert truth.parse_thrash(data) == ()
    assert truth.assessment_number(truth.assessment_file(7)) == 7
    assert truth.assessment_file(7) == "DA-07.json"
    assert truth.assessment_number("DA-7.json~") == 0


def test_an_operators_word_names_a_digest() -> None:
    ack = truth.BaselineAck(diff_hash="a" * 64, created_at="t")
    assert truth.parse_ack(truth.format_ack(ack)) == ack
    assert truth.parse_ack(truth.format_ack(replace(ack, diff_hash="yes"))) is None


@pytest.mark.parametrize(
    ("ticks", "waits"),
    [((1, 2, 3), 0), ((1, 2, 3, 4), 7), ((1, 2, 3, 4, 5), 7), ((9, 1, 2, 9, 9), 3), ((1, 2, 3, 14), 0)],
)
def test_a_baseline_that_is_lost_again_and_again(ticks: tuple[int, ...], waits: int) -> None:
    events = truth.parse_thrash(truth.format_thrash(truth.ThrashEvent(at="t", tick_counter=tick) for tick in ticks))
    assert truth.ticks_to_wait(events, max(ticks)) == waits
    assert truth.ticks_to_wait(events, max(ticks) + waits) == 0
    assert not waits or truth.ticks_to_wait(events, max(ticks) + waits - 1) == 1


@given(st.binary(max_size=200))
def test_garbage_is_refused_and_nothing_else(data: bytes) -> None:
    for parse in (truth.parse_baseline, truth.parse_markers):
        with suppress(WireError):
            parse(data)
