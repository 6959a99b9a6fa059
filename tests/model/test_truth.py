from __future__ import annotations

import pytest
from msgspec.structs import replace

from leeboard.model.truth import ABSENT, BaselineEntry, Divergence, DriftFinding, Marker, SurfaceFile

FILE = SurfaceFile(
    path="knowledge/a.md",
    place="knowledge/a.md",
    sha256="b" * 64,
    bytes=1,
    mtime_ns=1,
    is_binary=False,
    stage=None,
    tracking_class="knowledge",
)
ENTRY = BaselineEntry(
    path="knowledge/a.md",
    sha256="a" * 64,
    bytes=1,
    mtime_ns=1,
    is_binary=False,
    author_class="agent",
    acknowledged_at="",
    acknowledged_via="baseline-init",
    stage=None,
    tracking_class="knowledge",
)


@pytest.mark.parametrize(
    ("entry", "file", "kind", "sha"),
    [
        (None, FILE, "new-file-detected", "b" * 64),
        (ENTRY, FILE, "modified", "b" * 64),
        (ENTRY, None, "file-removed", ABSENT),
    ],
)
def test_what_kind_of_change_it_is(entry: BaselineEntry | None, file: SurfaceFile | None, kind: str, sha: str) -> None:
    """FD-08 FD-09 FD-10"""
    found = Divergence(path="knowledge/a.md", scope="", entry=entry, file=file)
    assert (found.kind, found.sha) == (kind, sha)


def test_a_marker_is_open_until_it_is_cleared() -> None:
    marker = Marker(
        path="a",
        created_at="t",
        created_by_assessment_id="AS-01",
        outcome="surface-as-feedback",
        baseline_sha_at_creation="",
    )
    assert (marker.is_open, marker.sha) == (True, ABSENT)
    assert not replace(marker, cleared_at="t").is_open


def test_a_finding_of_a_removed_file_has_a_state_too() -> None:
    found = DriftFinding(
        finding_id="DRF-01",
        path="a",
        change_kind="file-removed",
        is_binary=False,
        diff_unified=None,
        before_sha256="a" * 64,
        after_sha256=None,
        before_bytes=1,
        after_bytes=None,
        tracking_class="knowledge",
        stage=None,
    )
    assert found.sha == ABSENT
    assert replace(found, after_sha256="b" * 64).sha == "b" * 64
