"""A workflow around the folder an agent works in, laid over the settings of its project."""

from __future__ import annotations

from msgspec.structs import replace

from leeboard.app.world import Setting
from leeboard.io.plan.glance import Glance, glance
from leeboard.io.plan.primary_files import PrimaryFiles
from leeboard.model.contract import Contract, Held
from leeboard.model.unit import Unit


class PlanAround:
    """What is known of it at a glance."""

    def __init__(self, seen: Glance) -> None:
        self._seen = seen

    def over(self, setting: Setting) -> Setting:
        """The setting with the workflow in it: in the work tree of a unit the unit's own contract holds."""
        seen, root = self._seen, setting.workspace.root
        setting = replace(setting, plan_root=seen.home, plan=seen.plan, unit=seen.unit)
        if root != seen.home:
            setting = replace(setting, tree=replace(setting.tree, files=PrimaryFiles(root, seen.home)))
        return replace(setting, held=held_by(seen.unit, root)) if seen.unit else setting


def plan_around(root: str, cwd: str) -> PlanAround:
    return PlanAround(glance(root, cwd))


def held_by(unit: Unit, root: str) -> Held:
    """The contract a unit yields to who works in its tree."""
    contract = Contract(
        objective=unit.title or unit.id,
        touch=unit.touch or tuple(dict.fromkeys(map(_around, unit.outputs))),
        acceptance=tuple(gate.command for gate in unit.quality_gates),
        task=unit.id,
        source="unit",
    )
    return Held(root=root, contract=contract, title=contract.objective)


def _around(output: str) -> str:
    """The folder an output lies in; one at the top stands for itself alone."""
    folder = output if output.endswith("/") else output.rpartition("/")[0]
    return f"{folder.rstrip('/')}/**" if folder else output
