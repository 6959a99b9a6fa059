from __future__ import annotations

from leeboard.plan.machine.diagram import mermaid, page
from leeboard.plan.machine.table import TABLE


def test_the_diagram_shows_every_way() -> None:
    lines = mermaid().splitlines()
    assert lines[0] == "stateDiagram-v2"
    moving = [row for row in TABLE if row.to or row.leads]
    assert len(lines) == 1 + len(moving)
    assert "    [*] --> elaborate: the stage was not begun, or is stale" in lines
    assert "    review --> gate: nothing is owed" in lines
    assert all(line.count(":") == 1 for line in lines[1:])


def test_the_page_names_every_row() -> None:
    text = page()
    for row in TABLE:
        assert f"| {row.note} |" in text
        assert not row.action or f"`{row.action}`" in text
    assert mermaid() in text
