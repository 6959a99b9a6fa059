"""What the hooks do where a workflow lives on disk: they bear witness, brief and hold back, and decide nothing.

Called by the edge, and only where there is a `.haiku/intents`. No phase and no state file is ever written here: a turn
of the user and the files of a unit are put on record, everything else is words.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from posixpath import isfile, join
from time import sleep
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from leeboard.analysis.analyse import touches_of
from leeboard.app.handle import SILENT, RunSetting, handle
from leeboard.clients import client_named
from leeboard.clients.call import HookCall
from leeboard.clients.human_words import BUILT_IN_COMMANDS
from leeboard.io import clock, system
from leeboard.io.detached import fork, leave
from leeboard.io.file import open_regular
from leeboard.judge.briefing import MARK, THRESHOLDS, brief_plan, brief_unit, notice_context
from leeboard.model.event import Event, FilesChanged, PromptGiven, ToolFinished, ToolProposed
from leeboard.model.lookup import Store
from leeboard.model.plan import Plan
from leeboard.model.studio import GateCommand
from leeboard.model.text import digest
from leeboard.model.unit import GateRun, StopProposed, Unit, WorkedOn
from leeboard.model.workspace import from_top, plan_path, worktree_of
from leeboard.plan.disk.folder import PlanFolder, hold_gates
from leeboard.plan.disk.gates import keep_runs, known_runs, run_gates, time_limit
from leeboard.plan.disk.glance import glance
from leeboard.plan.disk.layout import worktree
from leeboard.plan.disk.records import UserTurn, Writer, record_outputs, record_turn, words_kept, written

if TYPE_CHECKING:
    from leeboard.app.plan.stamps import Stamps


TAIL_BYTES = 256 << 10
_GATED_HATS = ("builder", "implementer", "refactorer")
_WRITES = ("edit", "write", "bash")
_ONLY_LOOKING = ("explore", "plan", "statusline-setup", "claude-code-guide", "output-style-setup")
"""Sub-agents that wear no hat."""
_REWRITES = "plan:rewrites"


class PlanHooks:
    """One hook call, where a workflow lives on disk."""

    def __init__(self, call: HookCall, setting: RunSetting, store: Store) -> None:
        self._call = call
        self._setting = setting
        self._store = store
        self._plan = setting.plan
        self._home = setting.plan_root

    def bound(self) -> RunSetting:
        """The setting with the unit of a sub-agent that is in no unit's tree: the one it wrote for and has not done."""
        setting = replace(self._setting, plan=self._defined()) if self._writes_unit() else self._setting
        if not self._call.agent or setting.unit is not None:
            return setting
        owed = [worked.unit for worked in self.worked_on() if not worked.is_recorded]
        return replace(setting, unit=owed[0]) if len(owed) == 1 else setting

    def _writes_unit(self) -> bool:
        """Then its stage has to be known with the types it takes."""
        calls = [one.call for one in self._call.events if isinstance(one, ToolProposed) and one.call.action in _WRITES]
        return any("/units/" in text for call in calls for text in (*call.paths, call.command))

    def witness(self) -> None:
        """Put on record that a person spoke."""
        spoke = next((event for event in self._call.events if isinstance(event, PromptGiven)), None)
        if spoke is None or self._plan is None or self._call.agent:
            return

        if not says_something(spoke, self._call.prompt):
            return
        stage = self._plan.active
        turn = turn_name(spoke, lambda name: self._store.answered(self._call.session, f"turn:{name}") is not None)
        if not spoke.key:
            self._once(f"turn:{turn}")
        kept = UserTurn(
            id=turn,
            at=clock.iso(spoke.time),
            source="prompt",
            stage=stage.spec.name if stage else "",
            text=words_kept(spoke.text or spoke.command),
        )
        record_turn(self._home, self._plan.intent.slug, kept)

    def foresee(self) -> None:
        """Before a call: keep what lies where it may write."""
        proposed = next((event for event in self._call.events if isinstance(event, ToolProposed)), None)
        if proposed is not None and self._plan is not None and proposed.call.action in _WRITES:
            self._stamps(self._plan).remember(proposed)

    def stamp(self) -> None:
        """After it: put on record which tracked files it wrote."""
        finished = next((event for event in self._call.events if isinstance(event, ToolFinished)), None)
        if finished is not None and self._plan is not None and finished.call.action in _WRITES:
            self._stamps(self._plan).stamp(finished, self._store.session(self._call.session))

    def _stamps(self, plan: Plan) -> Stamps:
        from leeboard.app.plan.stamps import Stamps  # noqa: PLC0415 - only where something may be written

        return Stamps(self._home, plan.intent.slug, self._setting.workspace, self._call.session)

    def track(self, changes: tuple[FilesChanged, ...]) -> None:
        """Put on record what a call wrote for a unit."""
        plan = self._plan
        if plan is None or plan.active is None or self._call.kind not in {"after_call", "call_failed"}:
            return
        found: dict[str, list[str]] = {}
        for path in self._changed(changes):
            unit, inner = self._unit_of(path, plan)
            if unit and isfile(self._spelled(path, inner)):
                found.setdefault(unit.id, []).append(inner)
        if not found:
            return
        writer = Writer(
            session=self._call.session, agent=self._call.agent, at=clock.iso(clock.now()), exchange=self._exchange()
        )
        for unit_id, paths in found.items():
            unit = plan.active.unit(unit_id)
            if unit is not None:
                record_outputs(self._home, plan.intent.slug, unit, paths, writer)

    def _spelled(self, path: str, inner: str) -> str:
        """Where a file lies that is counted from the plan's own tree: the trees of units may be beside that."""
        slug, unit = worktree_of(path)
        return join(worktree(self._home, slug, unit), inner) if slug else join(self._home, path)

    def _exchange(self) -> int:
        """How often the person has spoken in this session."""
        session = self._store.session(self._call.session)
        return session.exchange if session else 0

    def _changed(self, changes: tuple[FilesChanged, ...]) -> Iterator[str]:
        """Counted from the primary tree."""
        root = self._setting.workspace.root
        for event in self._call.events:
            if isinstance(event, ToolFinished) and event.call.action in {"edit", "write", "bash"}:
                touches, _ = touches_of(event.call, self._setting.workspace, event.cwd)
                yield from (from_top(touch.path, root, self._home) for touch in touches if touch.kind == "write")
        for change in changes:
            yield from (from_top(path, root, self._home) for path in change.paths)

    def _unit_of(self, path: str, plan: Plan) -> tuple[Unit | None, str]:
        """For which unit a file was written, and what it is called in the tree of that unit."""
        stage = plan.active
        if stage is None or not path:
            return None, ""
        slug, unit_id = worktree_of(path)
        if slug:
            inner = path.split("/", 4)[4] if path.count("/") >= 4 else ""
            unit = stage.unit(unit_id) if slug == plan.intent.slug and inner else None
            return (unit if unit and unit.status == "active" else None), inner
        place = plan_path(path)
        at_work = [unit for unit in stage.units if unit.status == "active"]
        in_place = not place and not path.startswith(".haiku/") and not plan.git.worktrees
        of_stage = place and (place.kind, place.slug, place.stage) == ("material", plan.intent.slug, stage.spec.name)
        if in_place or of_stage:
            return self._setting.unit or (at_work[0] if len(at_work) == 1 else None), path
        return None, ""

    def stopping(self) -> StopProposed | None:
        """What decides whether the agent may end; None where it worked on nothing."""
        worked_on = tuple(self.worked_on())
        if not worked_on or not self._call.events:
            return None

        first = self._call.events[0]
        return StopProposed(
            session=self._call.session,
            agent=self._call.agent,
            cwd=self._call.cwd,
            time=first.time,
            already_blocked=self._call.kept_going,
            text=self._call.last_message,
            worked_on=worked_on,
            gate_runs=tuple(run for gated in self.gated() for run in gates_at_stop(gated)),
        )

    def worked_on(self) -> Iterator[WorkedOn]:
        """The units this agent wrote for; where it is the one the person talks to, since they spoke last."""
        plan = self._plan
        stage = plan.active if plan else None
        for unit in stage.units if plan and stage else ():
            lines = (
                written(self._home, plan.intent.slug, unit.stage, unit.id) if plan and unit.status == "active" else ()
            )
            own = [one for one in lines if (one.session, one.agent) == (self._call.session, self._call.agent)]
            if own and (self._call.agent or own[-1].exchange == self._exchange()):
                yield WorkedOn(unit=unit, hat=own[-1].hat, bolt=own[-1].bolt, passes=own[-1].passes)

    def gated(self) -> Iterator[Gated]:
        """The gates that have to hold when this agent ends. One that was kept going for them is let go."""
        plan = self._plan
        if plan is None or self._call.kept_going:
            return

        for worked in self.worked_on():
            unit = worked.unit
            commands = tuple(
                {(one.command, one.dir): one for one in (*plan.intent.quality_gates, *unit.quality_gates)}.values()
            )
            if commands and _has_to_pass(self._defined(), worked.hat):
                place = plan.git.worktrees.get(unit.id, self._home)
                git = plan.git.available
                yield Gated(home=self._home, slug=plan.intent.slug, unit=unit, place=place, commands=commands, git=git)

    def _defined(self) -> Plan | None:
        """The plan read together with the definition of its studio, which most hooks do without."""
        found = glance(self._setting.workspace.root, self._call.cwd, defined=True)
        return found.plan

    def briefing(self) -> str:
        """What the agent has to be told at this moment, though nothing is wrong."""
        plan, unit, kind = self._plan, self._setting.unit, self._call.kind
        if plan is None:
            return ""
        if kind == "start":
            return brief_plan(plan, unit)
        if kind == "agent_start":
            agent = self._call.agent_type.lower()
            told = self._store.answered(self._call.session, _REWRITES) is not None
            return brief_unit(self._defined() or plan, unit) if unit and not told and agent not in _ONLY_LOOKING else ""
        if kind in {"batch_end", "after_call", "prompt"} and not self._call.agent:
            return self._context_notice(plan)
        return ""

    def _context_notice(self, plan: Plan) -> str:
        path = self._call.transcript
        left = client_named(self._call.client).context_left(_tail(path)) if path else None
        if left is None:
            return ""
        crossed = [percent for percent in THRESHOLDS if left * 100 <= percent]
        fresh = [percent for percent in crossed if self._once(f"context:{percent}")]
        return notice_context(left, plan) if fresh else ""

    def rewritten(self) -> str:
        """What a sub-agent is started with, with its unit and hat before its task; empty: as it is."""
        task = self._call.task
        if self._plan is None or task is None or self._call.kind != "before_call":
            return ""
        if MARK in task.prompt or task.agent_type.lower() in _ONLY_LOOKING:
            return ""
        unit = self._meant(task.prompt, self._plan)
        if unit is None:
            return ""
        self._once(_REWRITES)
        return f"{brief_unit(self._defined() or self._plan, unit)}\n\n{task.prompt}"

    def _meant(self, prompt: str, plan: Plan) -> Unit | None:
        """The unit a sub-agent is started for: the one that is named, else that of who starts it."""
        stage = plan.active
        at_work = [unit for unit in stage.units if unit.status == "active"] if stage else []
        named = [unit for unit in at_work if unit.id in prompt]
        return named[0] if len(named) == 1 else self._setting.unit if not named else None

    def _once(self, key: str) -> bool:
        """Whether it is the first time in this session."""
        if self._store.answered(self._call.session, key) is not None:
            return False
        told = Event(session=self._call.session, key=key, cwd=self._call.cwd, time=clock.now())
        handle((told,), SILENT, self._store, self._setting)
        return True


def _has_to_pass(plan: Plan | None, hat: str) -> bool:
    """By the stage's own word where any of its hats has one."""
    stage = plan.active if plan else None
    hats = stage.spec.hats if stage else ()
    if any(one.run_quality_gates for one in hats):
        return any(one.name == hat and one.run_quality_gates for one in hats)
    return hat in _GATED_HATS


def _tail(path: str) -> bytes:
    """Whole lines from the end of a file; nothing where it is not there yet."""
    try:
        file = open_regular(path, follow=True)
    except OSError:
        return b""
    try:
        start = max(0, os.fstat(file).st_size - TAIL_BYTES)
        data = system.read_at(file, TAIL_BYTES, start)
    except OSError:
        return b""
    finally:
        os.close(file)
    return data.partition(b"\n")[2] if start else data


# Which prompts are turns of a person in a workflow, and by which name each is kept.


MOMENT = 2
"""Seconds within which the same words are one prompt that came in twice."""


def says_something(spoke: PromptGiven, prompt: str) -> bool:
    """Whether it is more than a nod or steering the client. A picture is; so is a command of the project's own."""
    from leeboard.speech.prompt import is_nod  # noqa: PLC0415 - only where a person spoke

    first, *rest = spoke.text.split(maxsplit=2) or [""]
    steers = first.startswith("/") and first[1:] in BUILT_IN_COMMANDS and len(rest) < 2
    own_command = bool(spoke.command) and spoke.command.lstrip("/") not in BUILT_IN_COMMANDS
    return (bool(spoke.text) and not steers and not is_nod(spoke.text)) or own_command or "[Image" in prompt


def turn_name(spoke: PromptGiven, is_kept: Callable[[str], bool]) -> str:
    """The prompt's own id; where it has none, the same for the same words a moment ago. `is_kept` knows that one."""
    if spoke.key:
        return spoke.key.removeprefix("prompt:")
    words = digest(f"{spoke.command} {spoke.text}")
    moment = int(spoke.time // MOMENT)
    before, now = (f"{spoke.session}:{words}:{one}" for one in (moment - 1, moment))
    return before if is_kept(before) else now


# Quality gates at the moment an agent ends: run once for a tree, by a process that outlives the hook.
#
# The hook waits as long as a client lets it. What takes longer runs to its end in the background and is on record by
# the next time; nobody runs it a second time over the same tree.


SECONDS = 100.0
"""Less than a client gives its stop hooks."""
_STEP = 0.05


class Gated(msgspec.Struct, frozen=True, kw_only=True):
    """The gates of one unit, and the tree they are for."""

    home: str
    slug: str
    unit: Unit
    place: str
    commands: tuple[GateCommand, ...]
    git: bool

    def known(self) -> tuple[GateRun, ...]:
        """What was run over the tree as it is now."""
        kept = known_runs(PlanFolder(self.home), self.slug, self.unit.stage, {self.unit.id: self.place}, git=self.git)
        wanted = {(gate.command, gate.dir) for gate in self.commands}
        return tuple(run for run in kept if (run.command, run.dir) in wanted)

    def run(self) -> None:
        """Whoever waited for the lock finds the results of the one before."""
        folder = PlanFolder(self.home)
        with hold_gates(folder, self.slug):
            done = {(run.command, run.dir) for run in self.known() if not run.missing}
            left = [gate for gate in self.commands if (gate.command, gate.dir) not in done]
            if left:
                limit = time_limit(folder)
                runs = run_gates(left, self.place, self.slug, git=self.git, unit=self.unit.id, seconds=limit)
                keep_runs(folder, self.slug, self.unit.stage, runs)


def gates_at_stop(gated: Gated, seconds: float = SECONDS) -> tuple[GateRun, ...]:
    """How the gates ended; only those that were done in time."""
    known = gated.known()
    if len({(run.command, run.dir) for run in known if not run.missing}) < len(gated.commands):
        _wait(_detached(gated.run), clock.monotonic() + seconds)
        known = gated.known()
    return known


def _detached(work: Callable[[], None]) -> int:
    """A child of its own session, deaf and mute: the client waits until nobody holds the hook's output any more."""

    def deaf() -> None:
        leave()
        work()

    return fork(deaf)


def _wait(child: int, deadline: float) -> None:
    while child and clock.monotonic() < deadline:
        ended, _status = os.waitpid(child, os.WNOHANG)
        if ended:
            return
        sleep(_STEP)
