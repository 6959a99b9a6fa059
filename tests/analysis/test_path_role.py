from __future__ import annotations

import pytest

from leeboard.analysis.path_role import is_hub, is_left_behind, is_own_notes


@pytest.mark.parametrize(
    ("path", "hub"),
    [("src/routes.ts", True), ("app/__init__.py", True), ("deploy/values.yaml", True), ("src/cart/total.ts", False)],
)
def test_what_wires_a_project_together(path: str, hub: bool) -> None:  # noqa: FBT001 - a column of the table
    assert is_hub(path) is hub


def test_what_a_run_leaves_behind() -> None:
    assert is_left_behind("build/out.js")
    assert is_left_behind("run.log")
    assert not is_left_behind("src/builder.js")


def test_where_agents_keep_their_own_notes() -> None:
    assert is_own_notes(".claude/plan.md")
    assert is_own_notes("TODO.md")
    assert not is_own_notes("docs/guide.md")
