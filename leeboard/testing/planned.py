"""A small workflow for scenarios: the intent `login` with the stage `build` and two units, the first one at work."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from leeboard.model.plan import GitFacts, Intent, Phase, Plan, StageState, StageView
from leeboard.model.studio import Hat, StageSpec
from leeboard.model.unit import GateRun, StopProposed, Unit, UnitStatus, WorkedOn

SLUG, STAGE, UNIT, HAT = "login", "build", "unit-01-form", "builder"
KEYS = {
    *("phase", "unit_types", "worktrees", "inside", "worked", "passed", "gate_exit", "gate_missing", "depends_on"),
    "branch",
}


class Planned(msgspec.Struct, frozen=True, kw_only=True):
    """The workflow of a scenario, as its `plan` lines have it."""

    root: str
    plan: Plan
    inside: bool = False
    worked: bool = False
    gates: tuple[GateRun, ...] = ()

    @property
    def unit(self) -> Unit:
        return self.plan.stages[0].units[0]

    @property
    def workspace(self) -> str:
        """The tree the agent works in."""
        return self.plan.git.worktrees[UNIT] if self.inside else self.root

    def leaving(self, event: StopProposed) -> StopProposed:
        """With what the agent did before."""
        if not self.worked:
            return event
        worked_on = WorkedOn(unit=self.unit, hat=HAT, bolt=1, passes=0)
        return msgspec.structs.replace(event, worked_on=(worked_on,), gate_runs=self.gates)


def planned(table: Mapping[str, Any], root: str) -> Planned:
    """`phase`; `unit_types` of the stage; `worktrees` false: in place; `inside` the unit's work tree; `worked` on it;
    `passed` on to another hat; `gate_exit` of its gate; `gate_missing`: the program it needs; `depends_on`;
    `branch` that is checked out, where it is not the intent's.
    """
    unknown = set(table) - KEYS
    if unknown:
        raise ValueError(f"no key of a scenario's plan: {', '.join(sorted(unknown))}")
    phase: Phase = table.get("phase", "execute")
    worktrees = {UNIT: f"{root}/.haiku/worktrees/{SLUG}/{UNIT}"} if table.get("worktrees", True) else {}
    stage = StageView(
        spec=StageSpec(
            name=STAGE,
            hats=tuple(Hat(name=name) for name in ("planner", HAT, "reviewer")),
            unit_types=tuple(table.get("unit_types", ())),
        ),
        state=StageState(stage=STAGE, status="active", phase=phase),
        units=_units(table, phase),
    )
    hub = f"haiku/{SLUG}/main"
    git = GitFacts(
        available=bool(worktrees),
        worktrees=worktrees if phase == "execute" else {},
        hub=hub,
        branch=table.get("branch", hub),
    )
    plan = Plan(intent=Intent(slug=SLUG, title="Log in"), stages=(stage,), git=git)
    return Planned(
        root=root,
        plan=plan,
        inside=bool(table.get("inside")),
        worked=bool(table.get("worked")),
        gates=_gates(table),
    )


def _units(table: Mapping[str, Any], phase: Phase) -> tuple[Unit, ...]:
    status: UnitStatus = {"elaborate": "pending", "execute": "active"}.get(phase, "completed")  # type: ignore[assignment]  # all three are statuses
    first = Unit(
        id=UNIT,
        stage=STAGE,
        status=status,
        hat=table.get("passed", HAT),
        bolt=1,
        depends_on=tuple(table.get("depends_on", ())),
    )
    return first, Unit(id="unit-02-mail", stage=STAGE, status="completed" if status == "completed" else "pending")


def _gates(table: Mapping[str, Any]) -> tuple[GateRun, ...]:
    if "gate_exit" not in table and "gate_missing" not in table:
        return ()
    code, missing = table.get("gate_exit"), table.get("gate_missing", "")
    return (GateRun(name="tests", command="pytest -q", passed=code == 0, code=code, missing=missing, tail="1 failed"),)
