"""Changed files as a person reads them."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest

from leeboard.surfaces.cli.flow.drift import MOST_FINDINGS, MOST_LINES, show_drift
from leeboard.surfaces.cli.terminal import Console

FOUND: dict[str, Any] = {
    "finding_id": "DRF-01",
    "path": "knowledge/a.md",
    "change_kind": "modified",
    "author_class": "human-implicit",
    "written_over": False,
    "diff_unified": "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-old\n+new\n",
    "before_sha256": "0" * 64,
    "stage": None,
}


def shown(home: Path, *findings: dict[str, Any], **payload: Any) -> str:
    out = io.StringIO()
    told = {"tick_id": "t", "intent_slug": "thing", "findings": list(findings), **payload}
    show_drift(told, str(home), Console(file=out, width=120))
    return out.getvalue()


def test_a_change_with_its_lines_and_the_command(tmp_path: Path) -> None:
    lines = [line.strip() for line in shown(tmp_path, FOUND).splitlines()]
    assert lines[:4] == ["DRF-01   knowledge/a.md  modified by somebody", "@@ -1 +1 @@", "-old", "+new"]
    assert lines[4] == "classify leeboard flow classify --all --as ignore --why '...' --intent thing"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"author_class": "human-via-mcp"}, "by an agent on a person's behalf"),
        ({"author_class": "agent", "written_over": True}, "by an agent, over a change of somebody else"),
        ({"diff_unified": None}, "no diff is kept: read the file"),
        ({"diff_unified": None, "change_kind": "file-removed"}, "what it said is not kept"),
        ({"diff_unified": "+x\n" * (MOST_LINES + 3)}, "3 more lines"),
    ],
)
def test_what_is_said_of_it(tmp_path: Path, change: dict[str, Any], words: str) -> None:
    assert words in shown(tmp_path, FOUND | change)


def test_it_is_bounded_and_silent_otherwise(tmp_path: Path) -> None:
    assert "2 more files" in shown(tmp_path, *[FOUND] * (MOST_FINDINGS + 2))
    assert shown(tmp_path) == ""
    out = io.StringIO()
    show_drift({"findings": ["FB-01"]}, str(tmp_path), Console(file=out))
    assert out.getvalue() == ""
