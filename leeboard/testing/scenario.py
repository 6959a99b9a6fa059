"""Short scenarios, played through the real pipeline: what rule samples and playbook tests are written in."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from difflib import SequenceMatcher
from typing import Any
from zlib import crc32

import msgspec

from leeboard.app.handle import SILENT, RunSetting, handle, load_rules
from leeboard.app.replay import MOMENTS, RecordedFiles
from leeboard.contracts.table import contract_of, sourced
from leeboard.model.contract import Held
from leeboard.model.event import Event, ToolFinished, ToolProposed, TreeChecked
from leeboard.model.known import NoText, Stamp
from leeboard.model.lookup import Store, Tree
from leeboard.model.own_rule import OwnRule
from leeboard.model.plan import GitFacts, Intent, Phase, Plan, StageState, StageView
from leeboard.model.policy import Policy
from leeboard.model.session import Session
from leeboard.model.studio import Hat, StageSpec
from leeboard.model.text import digest
from leeboard.model.touch import ChangeKind, FileChange, Hunk, TreeChange
from leeboard.model.unit import GateRun, StopProposed, Unit, UnitStatus, WorkedOn
from leeboard.model.unsaved import NOBODY_KNOWS, Unsaved
from leeboard.model.verdict import Action, Moment, Verdict
from leeboard.model.workspace import Workspace
from leeboard.rule import LoadedRule
from leeboard.settings.own_rules.file import parse_rules
from leeboard.source.index.symbols import MemorySymbols
from leeboard.store.memory import MemoryStore
from leeboard.testing.scenario_lines import ROOT, SESSION, Meanwhile, groups_of
from leeboard.testing.unsaved_lines import told_unsaved
from leeboard.text.language import is_generated

_KEY = b"scenario"
_BEFOREHAND = ("repo ", "contract ", "plan ", "unsaved ", "protect ", "own ")
"""Lines that tell of what is there before the session."""


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
    unsaved: Unsaved = NOBODY_KNOWS
    own_rules: tuple[OwnRule, ...] = ()

    @property
    def root(self) -> str:
        """The tree the agent works in."""
        return self.planned.workspace if self.planned else ROOT


class Played(msgspec.Struct, kw_only=True):
    """What a scenario led to: the answers in their order, and the session afterwards."""

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
        own_rules=place.own_rules if place else (),
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
    return Tree(files, lambda: MemorySymbols(known) if known is not None else None, place.first, disk, place.unsaved)


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
    policy = _protecting(lines, policy or Policy())
    for group in groups_of(line for line in lines if not line.startswith(_BEFOREHAND)):
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


def _protecting(lines: Iterable[str], policy: Policy) -> Policy:
    globs = tuple(glob for line in lines if line.startswith("protect ") for glob in line.split()[1:])
    return msgspec.structs.replace(policy, protected=globs) if globs else policy


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
    unsaved, own = told_unsaved(lines), tuple(_own_rules(lines))
    return ScenarioPlace(files=files, first=first, held=_held(lines), planned=workflow, unsaved=unsaved, own_rules=own)


def _own_rules(lines: Iterable[str]) -> Iterator[OwnRule]:
    for line in lines:
        if line.startswith("own "):
            found = parse_rules(line.removeprefix("own "), "the scenario")
            if found.problems:
                raise ValueError(str(found.problems[0]))
            yield from found.rules


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


# Two states of a tree, as texts by path, compared without git.


def compared(before: Mapping[str, str], after: Mapping[str, str]) -> TreeChange:
    """What differs. A renamed file is one deleted and one added."""
    paths = sorted(path for path in {*before, *after} if before.get(path) != after.get(path))
    files = tuple(_change(path, before.get(path), after.get(path)) for path in paths)
    content = "\x1f".join(f"{path}\x1e{after.get(path)}" for path in paths)
    return TreeChange(root=ROOT, files=files, base="0" * 40, digest=digest(content, 16))


def _change(path: str, old: str | None, new: str | None) -> FileChange:
    hunks = _hunks((old or "").splitlines(), (new or "").splitlines())
    kind: ChangeKind = "added" if old is None else "deleted" if new is None else "modified"
    return FileChange(
        path=path,
        kind=kind,
        states=("untracked",) if old is None else ("unstaged",),
        added=sum(len(hunk.added) for hunk in hunks),
        deleted=sum(len(hunk.removed) for hunk in hunks),
        hunks=hunks,
        generated=is_generated(path, new or ""),
    )


def _hunks(old: list[str], new: list[str]) -> tuple[Hunk, ...]:
    found = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    return tuple(
        Hunk(first + 1, tuple(new[first:last]), tuple(old[start:end]))
        for kind, start, end, first, last in found
        if kind != "equal"
    )


# The files of a scenario as a disk on which somebody else may change them.


class RecordedDisk:
    """What is not in the recording is not there. No time passes, and there is no git."""

    def __init__(self, files: RecordedFiles, root: str) -> None:
        self._files = files
        self.root = root

    def look(self, path: str) -> Stamp | None:
        text = self._files.text(path)
        return (len(text), crc32(text.encode()), 0, 1) if text is not None else ()

    def look_again(self) -> None:
        """A recording stays as it is."""

    def settled(self, stamp: Stamp) -> bool:
        return bool(stamp)

    def text(self, path: str) -> str | None:
        return self._files.text(path)

    def no_text(self, path: str) -> NoText | None:  # noqa: ARG002 - a recording has texts alone
        return None

    def ignored_of(self, paths: tuple[str, ...]) -> frozenset[str]:
        return frozenset(path for path in paths if self._files.ignored(path))

    def committed(self, paths: tuple[str, ...], since: float) -> Mapping[str, str]:  # noqa: ARG002 - as the protocol has it
        return {}

    def head_moved(self, since: float) -> bool:  # noqa: ARG002 - as the protocol has it
        return False


# A small workflow: the intent `login` with the stage `build` and two units, the first one at work.


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
