"""One rule over one change of a tree, without a session around it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from leeboard.judge.detect import detect
from leeboard.model.analysis import Analysis
from leeboard.model.contract import Contract, ContractProblem, Held
from leeboard.model.event import TreeChecked
from leeboard.model.policy import Policy
from leeboard.model.session import AgentState, Session
from leeboard.model.tree import AcceptanceRun, FileChange, TreeChange
from leeboard.model.verdict import Finding
from leeboard.model.workspace import Workspace
from leeboard.model.world import World
from leeboard.rule import discover
from leeboard.surfaces.recorded_files import RecordedFiles
from leeboard.testing.compared import compared

ROOT = "/repo"
SPELL = Workspace(ROOT).spell


def changed(*paths: str, added: int = 1) -> TreeChange:
    """Files that were changed, with so many lines each."""
    return TreeChange(root=ROOT, files=tuple(FileChange(path=path, kind="modified", added=added) for path in paths))


def tree_event(
    change: TreeChange,
    *,
    shared: tuple[str, ...] = (),
    directed: tuple[str, ...] = (),
    acceptance: tuple[AcceptanceRun, ...] = (),
) -> TreeChecked:
    return TreeChecked(
        session="tree", key="tree:1", cwd=ROOT, change=change, shared=shared, directed=directed, acceptance=acceptance
    )


def held(contract: Contract, *problems: ContractProblem, active: bool = True) -> Held:
    return Held(root=ROOT, contract=contract, problems=problems, active=active)


def found(
    rule: str, promise: Held | None, event: TreeChecked, before: Mapping[str, str], after: Mapping[str, str]
) -> list[Finding]:
    """What the rule finds; `before` and `after` are the texts it may look up."""
    world = World(
        session=Session(id="tree"),
        agent=AgentState(),
        analysis=Analysis(event=event),
        policy=Policy(),
        workspace=Workspace(ROOT),
        held=promise,
        secret_key=b"test",
    )
    facts: dict[str, Any] = {"Files": RecordedFiles(SPELL, after), "BaseFiles": RecordedFiles(SPELL, before)}
    rules = tuple(loaded for loaded in discover() if loaded.id == rule)
    return list(detect(world, rules, facts.get, scored=True))


def found_between(
    rule: str, promise: Held | None, before: Mapping[str, str], after: Mapping[str, str]
) -> list[Finding]:
    """What the rule finds between two states of a tree."""
    return found(rule, promise, tree_event(compared(before, after)), before, after)
