from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from leeboard.app.guard.coverage import PARTS, Coverage, PartHeard, keep, kept_coverage


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LEEBOARD_STATE_DIR", str(tmp_path / "state"))
    return tmp_path / "state"


WHOLE = Coverage(
    client="claude_code",
    version="2.1.325",
    time=1.0,
    parts=tuple(PartHeard(part=part, ran=True, before=True, after=True, by_http=True) for part in PARTS),
)


def test_what_was_found_counts_for_its_version_alone(state: Path) -> None:
    assert kept_coverage("claude_code", "2.1.325") is None
    keep(WHOLE)
    assert kept_coverage("claude_code", "2.1.325") == kept_coverage("claude_code") == WHOLE
    assert kept_coverage("claude_code", "2.1.326") is None
    assert kept_coverage("codex") is None
    (state / "probe-claude_code.json").write_text("{", encoding="utf-8")
    assert kept_coverage("claude_code", "2.1.325") is None


def test_the_words_tell_what_is_not_heard_and_what_was_not_tried() -> None:
    parts = (
        PartHeard(part="main", ran=True, before=True, after=True, by_http=True),
        PartHeard(part="agent", ran=True),
        PartHeard(part="worktree"),
    )
    found = replace(WHOLE, parts=parts)
    assert found.words == (
        "hooks are told of the main agent; NOT of sub-agents; not tried: agents in a work tree of their own; over HTTP too"
    )
    assert not replace(WHOLE, parts=(PartHeard(part="main", ran=True, before=True),)).takes_http
