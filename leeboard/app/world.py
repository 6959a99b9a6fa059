"""The one builder of the world that rules see: what holds for a run, around one event of one session."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import msgspec

from leeboard.analysis.relation import Relations
from leeboard.model.contract import Allowance, Contract, Held
from leeboard.model.lookup import Surroundings
from leeboard.model.policy import Pin, Policy
from leeboard.model.session import Session
from leeboard.model.surroundings import Tree
from leeboard.model.touch import Diffs
from leeboard.model.workspace import Workspace
from leeboard.model.world import Analysis, World
from leeboard.rule import LoadedRule, discover

if TYPE_CHECKING:
    from leeboard.model.plan import Plan
    from leeboard.model.unit import Unit


class RunSetting(msgspec.Struct, frozen=True, kw_only=True):
    """What holds for every event of a run."""

    workspace: Workspace
    policy: Policy
    rules: tuple[LoadedRule, ...] = ()
    pin: Pin | None = None
    """What the session is held to from here on."""
    allowances: tuple[Allowance, ...] = ()
    given: Contract = Contract()
    """What the project's settings promise for every session."""
    held: Held | None = None
    """The explicit contract of the work tree."""
    tree: Tree = Tree()
    secret_key: bytes = b""
    plan_root: str = ""
    """Where a workflow lives on disk."""
    plan: Plan | None = None
    unit: Unit | None = None


def world_of(analysis: Analysis, session: Session, setting: RunSetting) -> World:
    """The world around an event, with the agent that it is of."""
    return World(
        session=session,
        agent=session.agent(analysis.event.agent),
        analysis=analysis,
        policy=setting.policy,
        workspace=setting.workspace,
        allowances=setting.allowances,
        held=setting.held,
        secret_key=setting.secret_key,
        plan_root=setting.plan_root,
        plan=setting.plan,
        unit=setting.unit,
    )


# The one supplier of facts: what a rule may ask for beside its event and the world, by the type of its parameter.
#
# A rule names what it wants in the signature of `detect` or `holds`. Whoever asks rules (a hook, a check, a scan, a
# report) makes `EventFacts` of what it knows; a type that is not here is refused when the rules are loaded.


class EventFacts(msgspec.Struct, frozen=True, kw_only=True):
    """All that is known around one event; the index is opened only for who asks."""

    around: Surroundings
    diffs: Diffs = ()
    relations: Relations = {}

    def give(self, wanted: str) -> Any:
        return _BY_TYPE[wanted](self)


_BY_TYPE: dict[str, Callable[[EventFacts], Any]] = {
    "BaseFiles": lambda facts: facts.around.base,
    "Diffs": lambda facts: facts.diffs,
    "Files": lambda facts: facts.around.files,
    "Knowledge": lambda facts: facts.around.knowledge,
    "Registry": lambda facts: facts.around,
    "Relations": lambda facts: facts.relations,
    "Symbols": lambda facts: facts.around.symbols,
    "Symbols | None": lambda facts: facts.around.symbols,
}


def load_rules(disabled: tuple[str, ...] = ()) -> tuple[LoadedRule, ...]:
    """Every rule that is there, but for those switched off. TypeError for one that wants what nobody supplies."""
    return supplied(discover(disabled))


def supplied(rules: tuple[LoadedRule, ...]) -> tuple[LoadedRule, ...]:
    for loaded in rules:
        for wanted in (*loaded.wants, *loaded.holds_wants):
            if wanted not in _BY_TYPE:
                raise TypeError(f"{loaded.id} wants {wanted}: nobody supplies it. There is {', '.join(_BY_TYPE)}.")
    return rules
