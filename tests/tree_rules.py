"""One rule over one change of a tree, without a session around it."""

from __future__ import annotations

from collections.abc import Mapping

from leeboard.app.handle import EventFacts, RunSetting, load_rules, world_of
from leeboard.app.replay import RecordedFiles
from leeboard.judge.score import detect
from leeboard.model.contract import Contract, ContractProblem, Held
from leeboard.model.event import TreeChecked
from leeboard.model.lookup import Around, Tree
from leeboard.model.policy import Policy
from leeboard.model.session import Session
from leeboard.model.touch import AcceptanceRun, FileChange, TreeChange
from leeboard.model.verdict import Finding
from leeboard.model.workspace import Workspace
from leeboard.model.world import Analysis
from leeboard.store.memory import MemoryStore
from leeboard.testing.scenario import compared

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
    setting = RunSetting(workspace=Workspace(ROOT), policy=Policy(), held=promise, secret_key=b"test")
    world = world_of(Analysis(event=event), Session(id="tree"), setting)
    tree = Tree(RecordedFiles(SPELL, after), base=RecordedFiles(SPELL, before))
    facts = EventFacts(around=Around(MemoryStore(), "tree", tree))
    rules = tuple(loaded for loaded in load_rules() if loaded.id == rule)
    return list(detect(world, rules, facts.give, scored=True))


def found_between(
    rule: str, promise: Held | None, before: Mapping[str, str], after: Mapping[str, str]
) -> list[Finding]:
    """What the rule finds between two states of a tree."""
    return found(rule, promise, tree_event(compared(before, after)), before, after)
