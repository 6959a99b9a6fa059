from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.surfaces.cli.conftest import Desk


def test_where_nothing_was_paused_it_says_so(desk: Desk) -> None:
    assert desk.ok("resume").out.strip() == "the guard was not paused here"
    assert desk.ok("resume", "--json").objects == [{"kind": "resume", "project": str(desk.repo), "was_paused": False}]
