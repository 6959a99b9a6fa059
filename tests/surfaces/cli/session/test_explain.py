from __future__ import annotations

from typing import TYPE_CHECKING

from leeboard.rule import HEADINGS

if TYPE_CHECKING:
    from tests.surfaces.cli.conftest import Desk


def test_the_page_is_shown_whole(desk: Desk) -> None:
    out = desk.ok("explain", "scope-drift").out
    for heading in HEADINGS:
        assert f"## {heading}" in out
    assert "[rules.scope_drift] enabled = false" in out.partition("## Switching it off")[2]
    (found,) = desk.ok("explain", "scope_drift", "--json").objects
    assert found["page"] in out


def test_on_a_terminal_it_is_laid_out(desk: Desk) -> None:
    out = desk.ok("explain", "scope_drift", env={"FORCE_COLOR": "1"}).out
    assert "## " not in out
    assert "What it catches" in out
