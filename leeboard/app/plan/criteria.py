"""The criteria of a unit under way, ticked off by whoever works on it."""

from __future__ import annotations

from leeboard.app.plan.engine import Engine
from leeboard.plan.disk import layout
from leeboard.plan.disk.folder import PlanFolder, hold
from leeboard.plan.disk.read import look_at
from leeboard.plan.files.boxes import ticked


def tick_off(engine: Engine, slug: str, name: str) -> tuple[str, ...]:
    """Every one that was open; none where the unit is not worked on, which the move that follows says."""
    engine.refuse_asleep(slug)
    folder = PlanFolder(engine.home)
    with hold(folder, slug):
        active = look_at(folder, slug).plan.active
        unit = active.unit(name) if active else None
        if unit is None or unit.status != "active":
            return ()
        path = layout.unit_file(slug, unit.stage, unit.id)
        text = folder.text(path) or ""
        folder.write(path, ticked(text, unit.unmet).encode("utf-8", "surrogateescape"))
        return unit.unmet
