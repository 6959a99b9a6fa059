"""The file of a unit as people work with it by hand.

It is begun with all that a unit has to say and the criteria of the wish, and they are ticked off once they hold.
"""

from __future__ import annotations

from leeboard.app.plan.engine import Engine
from leeboard.plan.disk import layout
from leeboard.plan.disk.folder import PlanFolder, hold
from leeboard.plan.disk.read import look_at
from leeboard.plan.effect import Refusal
from leeboard.plan.files.files import unit_number
from leeboard.plan.files.written_spec import read_spec, ticked
from leeboard.plan.machine.refusal import closed, refuse, standing

_PAGE = """---
title: {title}
type: {type}
depends_on: []            # other units of this stage that come first
inputs: [intent.md]       # files it reads
outputs: []               # files it brings forth: name them before it is done
touch: ["**"]             # globs it may change
quality_gates: []         # such as: [{{name: tests, command: make test}}]
---
What is to be done, and how.

{criteria}
"""


def draft_unit(engine: Engine, slug: str, name: str) -> str | Refusal:
    """The path of the new file. Nothing that exists is written over."""
    engine.refuse_asleep(slug)
    folder = PlanFolder(engine.home)
    with hold(folder, slug):
        plan = look_at(folder, slug).plan
        stage = standing(plan)
        if isinstance(stage, Refusal):
            return stage
        if refusal := closed(plan):
            return refusal
        if unit_number(name) is None:
            return refuse(
                "unit_naming_invalid", f"{name[:80]} is not named unit-NN-short-name.", "Such as unit-01-parser."
            )
        path = layout.unit_file(slug, stage.spec.name, name)
        if stage.state.phase != "elaborate" or stage.unit(name) is not None:
            why = f"{name} exists already" if stage.unit(name) else f"Stage {stage.spec.name} is in {stage.state.phase}"
            return refuse("unit_exists", f"{why}.", "Units are drafted while a stage is planned, each once.")
        wanted = read_spec(f"# {plan.intent.title}\n{plan.intent.body}").criteria
        criteria = "\n".join(f"- [ ] {text}" for text in wanted) or "- [ ] what will show that it is done"
        title = '"' + plan.intent.title.replace("\\", "\\\\").replace('"', '\\"') + '"'
        page = _PAGE.format(title=title, type=next(iter(stage.spec.unit_types), "change"), criteria=criteria)
        folder.write(path, page.encode("utf-8", "surrogateescape"))
    return folder.spelled(path)


# The criteria of a unit under way, ticked off by whoever works on it.


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
