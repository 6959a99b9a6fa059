from __future__ import annotations

from pathlib import Path

import pytest

from leeboard.plan.disk.folder import PlanFolder
from leeboard.plan.disk.perform import Due, forget_step, note_step, noted_step
from leeboard.plan.effect import NewFeedback, WriteIntent, WriteStage

DUE = Due(
    now="2026-01-01T10:00:00Z",
    effects=(
        WriteIntent(fields={"active_stage": "shape"}),
        WriteStage(stage="shape", fields={"iterations": [{"index": 1}], "completed_at": ""}),
        NewFeedback(stage="", title="t", body="b", origin="agent", author="a", key="k"),
    ),
    message="haiku(x): begin",
)


def test_what_is_noted_is_due_until_it_is_forgotten(tmp_path: Path) -> None:
    folder = PlanFolder(str(tmp_path))
    assert noted_step(folder, "x") is None
    note_step(folder, "x", DUE)
    assert noted_step(folder, "x") == DUE
    assert noted_step(folder, "y") is None
    forget_step(folder, "x")
    forget_step(folder, "x")
    assert noted_step(folder, "x") is None


@pytest.mark.parametrize("change", [(b"shape", b"build"), (b'"mac":"', b'"mac":"0'), (b"{", b"["), (b'"due"', b'"do"')])
def test_nobody_else_can_have_the_engine_write(tmp_path: Path, change: tuple[bytes, bytes]) -> None:
    folder = PlanFolder(str(tmp_path))
    note_step(folder, "x", DUE)
    folder.write("tmp/x.step", (folder.read("tmp/x.step") or b"").replace(*change))
    assert noted_step(folder, "x") is None


def test_a_note_of_another_intent_is_none(tmp_path: Path) -> None:
    folder = PlanFolder(str(tmp_path))
    note_step(folder, "x", DUE)
    folder.write("tmp/y.step", folder.read("tmp/x.step") or b"")
    assert noted_step(folder, "y") is None
