"""Short scenarios, played through the real pipeline: what rule samples and playbook tests are written in."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from leeboard.app.handle import SILENT, RunSetting, handle, load_rules
from leeboard.app.replay import MOMENTS, RecordedFiles
from leeboard.contracts.table import contract_of, sourced
from leeboard.model.contract import Held
from leeboard.model.event import Event, ToolFinished, ToolProposed, TreeChecked
from leeboard.model.lookup import Store, Tree
from leeboard.model.policy import Policy
from leeboard.model.session import Session
from leeboard.model.unit import StopProposed
from leeboard.model.verdict import Action, Moment, Verdict
from leeboard.model.workspace import Workspace
from leeboard.rule import LoadedRule
from leeboard.source.index.memory import MemorySymbols
from leeboard.store.memory import MemoryStore
from leeboard.testing.compared import compared
from leeboard.testing.planned import Planned, planned
from leeboard.testing.recorded_disk import RecordedDisk
from leeboard.testing.scenario_lines import ROOT, SESSION, Meanwhile, groups_of

_KEY = b"scenario"


class ScenarioAnswer(msgspec.Struct, frozen=True):
    """One event of a scenario and what was answered to it."""

    event: Event
    verdict: Verdict | None


class ScenarioPlace(msgspec.Struct, frozen=True, kw_only=True):
    """Where a scenario plays: the files as they are now and as they were at first, and what was promised."""

    files: RecordedFiles
    first: RecordedFiles
    held: Held | None = None
    planned: Planned | None = None

    @property
    def root(self) -> str:
        """The tree the agent works in."""
        return self.planned.workspace if self.planned else ROOT


class Played(msgspec.Struct, kw_only=True):
    """A scenario that was played."""

    told: list[ScenarioAnswer]
    session: Session

    def proposed(self) -> list[Verdict]:
        """The verdicts on the proposed calls, in order."""
        return [t.verdict for t in self.told if t.verdict is not None and isinstance(t.event, ToolProposed)]

    def spoken(self) -> list[Verdict]:
        """Everything that was said to the agent, denials included."""
        return [t.verdict for t in self.told if t.verdict is not None and t.verdict.action >= Action.INJECT]


def tell(
    event: Event,
    store: Store,
    policy: Policy | None = None,
    moment: Moment | None = None,
    place: ScenarioPlace | None = None,
    rules: tuple[LoadedRule, ...] | None = None,
) -> Verdict | None:
    """What is answered to one event, at the moment a live client would offer for it unless another is given."""
    setting = RunSetting(
        workspace=Workspace(place.root if place else ROOT),
        policy=policy or Policy(),
        rules=load_rules() if rules is None else rules,
        held=place.held if place else None,
        tree=_tree(place),
        secret_key=_KEY,
        **_workflow(place.planned if place else None),
    )
    return handle((event,), MOMENTS.get(type(event), SILENT) if moment is None else moment, store, setting)


def _workflow(planned: Planned | None) -> dict[str, Any]:
    if planned is None:
        return {}
    return {"plan_root": ROOT, "plan": planned.plan, "unit": planned.unit if planned.inside else None}


def _tree(place: ScenarioPlace | None) -> Tree:
    """An index of the repository where the scenario has one."""
    if place is None:
        return Tree()
    files = place.files
    known = files.texts if files.exists("") is False else None
    disk = RecordedDisk(files, place.root) if known is not None else None
    return Tree(files, lambda: MemorySymbols(known) if known is not None else None, place.first, disk)


def play(
    lines: Iterable[str],
    policy: Policy | None = None,
    store: Store | None = None,
    rules: tuple[LoadedRule, ...] | None = None,
) -> Played:
    """Play the lines; a call that is denied is not carried out."""
    kept = store if store is not None else MemoryStore()
    told: list[ScenarioAnswer] = []
    lines = list(lines)
    place = _place(lines)
    for group in groups_of(line for line in lines if not line.startswith(("repo ", "contract ", "plan "))):
        denied: set[str] = set()
        for made in group:
            event = _placed(made, place, denied)
            if isinstance(event, Meanwhile):
                place.files.change(event.path, event.text)
                continue
            place.files.observe(event)
            verdict = tell(event, kept, policy, place=place, rules=rules)
            if isinstance(event, ToolProposed) and verdict is not None and verdict.action is Action.DENY:
                denied.add(event.call.id)
            told.append(ScenarioAnswer(event, verdict))
    return Played(told=told, session=kept.session(SESSION) or Session(id=SESSION))


def _placed(event: Event, place: ScenarioPlace, denied: set[str]) -> Event:
    """The event as it is at this point of the scenario."""
    if place.root != event.cwd:
        event = msgspec.structs.replace(event, cwd=place.root)
    if isinstance(event, ToolFinished) and event.call.id in denied:
        return msgspec.structs.replace(event, outcome="denied", output="")
    if isinstance(event, StopProposed) and place.planned:
        return place.planned.leaving(event)
    return _seen(event, place) if isinstance(event, TreeChecked) else event


def _repository(lines: Iterable[str]) -> Iterator[tuple[str, str]]:
    for line in lines:
        if line.startswith("repo "):
            path, _, content = line.removeprefix("repo ").partition("|")
            yield path.strip(), content.strip(" ")


def _place(lines: list[str]) -> ScenarioPlace:
    given = dict(_repository(lines))
    written = "\n".join(line.removeprefix("plan ") for line in lines if line.startswith("plan "))
    workflow = planned(tomllib.loads(written), ROOT) if written else None
    spell = Workspace(workflow.workspace if workflow else ROOT).spell
    known = given or ({} if any(line.startswith("check") for line in lines) else None)
    files, first = RecordedFiles(spell, known), RecordedFiles(spell, given)
    return ScenarioPlace(files=files, first=first, held=_held(lines), planned=workflow)


def _held(lines: Iterable[str]) -> Held | None:
    """The contract the lines write down."""
    written = [line.removeprefix("contract ") for line in lines if line.startswith("contract ")]
    if not written:
        return None
    table = tomllib.loads("\n".join(written))
    contract, problems = contract_of(table, "the task")
    return Held(root=ROOT, contract=sourced(contract, "started"), table=table, problems=problems)


def _seen(event: TreeChecked, place: ScenarioPlace) -> TreeChecked:
    """What a check sees at this point of the scenario."""
    change = compared(place.first.texts, place.files.texts)
    change = msgspec.structs.replace(change, unseen=event.change.unseen)
    runs = tuple(msgspec.structs.replace(run, tree=change.digest) for run in event.acceptance)
    return msgspec.structs.replace(event, change=change, acceptance=runs)
