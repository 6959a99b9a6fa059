"""Random lives of tracked files against a simple model: nothing is missed, nothing told twice, every marker ends."""

from __future__ import annotations

import copy
from typing import Any

import msgspec
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule
from msgspec.structs import replace

from leeboard.model.plan import Iteration
from leeboard.model.truth import ABSENT
from leeboard.plan.effect import PlanStep
from leeboard.plan.machine.drift_checks import stage_of
from leeboard.plan.machine.drift_classify import RepeatedCall
from leeboard.plan.machine.findings import revisit_asked
from leeboard.plan.machine.look import MOST_AGENT_REVISITS, agent_revisits, looking
from leeboard.plan.machine.stage_moves import revisit
from tests.plan.plan_world import NOW
from tests.plan.truth_world import EARLIER, NEEDS, REQUIREMENTS, TruthWorld, asked, filing, sha

PATHS = (NEEDS, REQUIREMENTS, EARLIER, "stages/ship/knowledge/plan.md", "stages/build/artifacts/out.md")
paths = st.sampled_from(PATHS)
contents = st.sampled_from("abcd")
states = st.sampled_from(["a", "b", "c", "d", ABSENT])


Shown = tuple[str, str]
"""What an assessment says of a path: its digest, and the one that was lost."""


class Life(msgspec.Struct):
    """What the model knows of one path."""

    vouched: str = ABSENT
    handled: str | None = None
    """The digest a marker was made for."""
    clean: str | None = None
    """Where the agent's own writes have led from what is known, whoever put it there since; None: nowhere."""
    reached: set[str] = msgspec.field(default_factory=set)
    """What was vouched for or known, and all that the agent's writes made since, whatever they wrote over."""
    over: list[str] = msgspec.field(default_factory=list)
    """What else a tool wrote over since."""
    touched: bool = False
    """Whether the agent wrote it since it was shown."""
    by_tool: bool = False
    """Whether its last change was a `human_write`."""
    tangled: bool = False
    """Whether the log since it was vouched for tells of others too."""

    def is_known(self, digest: str) -> bool:
        return digest in {self.vouched, self.handled, self.clean}

    def buried(self, digest: str, shown: Shown | None) -> str:
        """What was lost of somebody's change: `digest` itself where it was put back."""
        lost = [each for each in self.over if each != digest]
        if self.over:
            return lost[-1] if lost else digest
        is_taken_back = shown is not None and digest == self.vouched and self.touched
        return (shown[1] or shown[0]) if shown and is_taken_back else ""

    def write(self, before: str, after: str, *, by_agent: bool) -> None:
        """By a tool that looked what lies there."""
        if before != after and before not in {self.vouched, *self.reached}:
            self.over.append(before)
        if by_agent:
            self.reached.add(after)

    def know(self, digest: str) -> None:
        self.reached, self.over = {digest}, []

    def vouch(self, digest: str) -> None:
        self.vouched, self.handled, self.clean, self.tangled = digest, None, None, False
        self.know(digest)


class DriftMachine(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.world = TruthWorld()
        self.lives = {path: Life() for path in PATHS}
        self.open: dict[str, Shown] = {}
        """What the last tick asked about."""
        self.tick_id = ""
        for path in PATHS[:3]:
            self.world.edit(path, "a")
            self.lives[path] = Life(vouched=sha("a"))
        assert self.world.gate() is None, "an existing tree is recorded, not reported"

    def at(self, path: str) -> str:
        return self.world.disk.get(path, ABSENT)

    def seen(self, path: str) -> Shown:
        """As an assessment would show it now."""
        digest = self.at(path)
        buried = self.lives[path].buried(digest, self.open.get(path))
        return digest, buried if buried != digest else ""

    # -- files change

    @rule(path=paths, content=states)
    def somebody_edits(self, path: str, content: str) -> None:
        if self.at(path) != sha(content):
            self.world.edit(path, content)
            self.lives[path].by_tool = False

    @rule(path=paths, other=paths)
    def somebody_renames(self, path: str, other: str) -> None:
        if path != other and self.at(path) != ABSENT:
            content = self.at(path)[0]
            self.somebody_edits(other, content)
            self.somebody_edits(path, ABSENT)

    @rule(path=paths, content=states)
    def the_agent_writes(self, path: str, content: str) -> None:
        self._agent(path, content, looked=True)

    @rule(path=paths, content=contents)
    def a_hook_that_could_not_look_stamps(self, path: str, content: str) -> None:
        """Where nobody else was at work: what lies beneath is not known then."""
        life = self.lives[path]
        if life.is_known(self.at(path)) and not life.tangled and path not in self.open:
            self._agent(path, content, looked=False)

    def _agent(self, path: str, content: str, *, looked: bool) -> None:
        life, before = self.lives[path], self.at(path)
        if before == sha(content):
            return
        self.world.write(path, content, looked=looked)
        life.by_tool = False
        is_clean = life.is_known(before)
        life.write(before if looked else life.vouched, sha(content), by_agent=True)
        life.touched = life.touched or path in self.open
        life.clean, life.tangled = (sha(content) if is_clean else None), life.tangled or not is_clean

    @rule(path=paths, other=paths)
    def the_agent_renames(self, path: str, other: str) -> None:
        if path != other and self.at(path) != ABSENT:
            self._agent(other, self.at(path)[0], looked=True)
            self._agent(path, ABSENT, looked=True)

    @rule(path=paths, content=contents)
    def a_person_has_it_written(self, path: str, content: str) -> None:
        life = self.lives[path]
        life.write(self.at(path), sha(content), by_agent=False)
        self.world.write(path, content, "human_write")
        life.clean, life.by_tool, life.tangled = None, True, True

    # -- the engine looks

    @rule(killed_after=st.none() | st.integers(0, 5))
    def tick(self, killed_after: int | None = None) -> None:
        """Killed anywhere, the next one comes to the same."""
        expected = {path: self.seen(path) for path in PATHS if self._expects(path)}
        if killed_after is not None:
            self.world.gate(killed_after)
        clue = self.world.gate()
        found = clue.payload["findings"] if clue else []
        told = {each["path"]: (each["after_sha256"] or ABSENT, each["lost_sha256"] or "") for each in found}
        assert told == expected
        for each in found:
            life = self.lives[each["path"]]
            assert not life.by_tool or each["author_class"] == "human-via-mcp", each
            assert each["written_over"] or not each["lost_sha256"], each
        tick_id = clue.payload["tick_id"] if clue else ""
        assert (tick_id == self.tick_id) == (told == self.open), "the id stays while nothing changes"
        over = {each["path"] for each in found if each["written_over"]}
        for path, life in self.lives.items():  # an assessment that is asked for anew begins with what it shows
            life.touched = path in over if tick_id != self.tick_id else life.touched
        self.open, self.tick_id = told, tick_id
        for path in PATHS:
            assert self.world.vouched(path) == self.lives[path].vouched

    @precondition(lambda self: self.open)
    @rule()
    def a_look_that_reaches_nothing(self) -> None:
        """What was shown stays open, whatever became of the files meanwhile."""
        seen = self.world.look().truth
        self.world.truth = replace(seen, divergences=(), unseen=tuple(self.open))
        clue = self.world.gate()
        self.world.truth = None
        found = clue.payload["findings"] if clue else []
        assert {
            each["path"]: (each["after_sha256"] or ABSENT, each["lost_sha256"] or "") for each in found
        } == self.open
        assert clue is not None
        assert clue.payload["tick_id"] == self.tick_id

    def _expects(self, path: str) -> bool:
        """Whether it is told; what is settled silently is settled in the model."""
        life, digest = self.lives[path], self.at(path)
        if stage_of(path) not in self.world.scopes():
            return False
        if life.buried(digest, self.open.get(path)):
            life.handled = None
            return True
        if digest == life.vouched:
            life.handled = None
        elif digest == life.handled:
            fate = self._fate(path)
            if fate == "ended":
                life.vouch(digest)
            if fate == "lost":
                life.handled = None
            return fate == "lost"
        elif digest == life.clean and path not in self.open:
            life.vouch(digest)
        else:
            life.handled = None
            return True
        return False

    def _fate(self, path: str) -> str:
        marker = [each for each in self.world.markers if each.path == path and each.is_open][-1]
        if marker.outcome == "surface-as-feedback":
            item = self.world.feedback[marker.feedback_stage or ""][str(marker.linked_feedback_id)]
            return "ended" if item.status in {"closed", "rejected"} else "holds"
        state = self.world.states[str(marker.linked_revisit_target_stage)]
        if state.visits > marker.visit:
            return "ended" if state.status == "completed" else "holds"
        asking = [item for items in self.world.feedback.values() for item in items.values()]
        return "holds" if any(item.source_ref == marker.revisit_ref and item.is_open for item in asking) else "lost"

    # -- the agent decides

    @precondition(lambda self: not self.open)
    @rule(data=st.data(), path=paths, content=states)
    def somebody_edits_and_it_is_classified(self, data: st.DataObject, path: str, content: str) -> None:
        self.somebody_edits(path, content)
        self.tick()
        if self.open:
            self.classify(data)

    @precondition(lambda self: self.open)
    @rule(data=st.data())
    def classify(self, data: st.DataObject) -> None:
        reached = self.world.scopes()[1:]
        outcome = st.sampled_from(["ignore", "inline-fix", "surface-as-feedback", "trigger-revisit"])
        chosen = {path: data.draw(outcome, label=path) for path in self.open}
        targets = {path: data.draw(st.sampled_from(reached)) for path in self.open}
        given = [
            asked(path, kind, linked_revisit_target_stage=targets[path] if kind == "trigger-revisit" else None)
            for path, kind in chosen.items()
        ]
        creates = tuple(filing(path) for path, kind in chosen.items() if kind == "surface-as-feedback")
        moved = [path for path, shown in self.open.items() if self.seen(path) != shown]
        call: dict[str, Any] = {"tick_id": self.tick_id, "feedback_creates": creates}
        found = self.world.decided(*given, **call)
        if moved or self._is_worn({path: targets[path] for path, kind in chosen.items() if kind == "trigger-revisit"}):
            assert getattr(found, "code", "") == ("finding_changed" if moved else "iteration_limit")
            return
        assert isinstance(found, PlanStep), found
        self._done(found, data.draw(st.none() | st.integers(0, len(found.do)), label="killed after"))
        again = self.world.classify(*given, **call)
        assert isinstance(again, RepeatedCall), again
        assert again.clue.payload == found.clue.payload if found.clue else False
        for path, kind in chosen.items():
            life = self.lives[path]
            if kind in {"ignore", "inline-fix"}:
                life.vouch(self.open[path][0])
            else:
                life.handled, life.clean, life.tangled = self.open[path][0], None, True
                life.know(self.open[path][0])
        self.open, self.tick_id = {}, ""

    def _is_worn(self, targets: dict[str, str]) -> bool:
        """Whether agents had the stage revisited too often already."""
        wanted = next((view for view in self.world.look().stages if view.spec.name in targets.values()), None)
        return wanted is not None and agent_revisits(wanted) >= MOST_AGENT_REVISITS

    def _done(self, step: PlanStep, killed_after: int | None) -> None:
        """Killed anywhere and replayed from the journal, it is as if it was done once."""
        if killed_after is None:
            self.world.perform(step.do)
            return
        once = copy.deepcopy(self.world)
        once.perform(step.do)
        self.world.perform(step.do, killed_after)
        self.world.perform(step.do)
        assert self.world.kept() == once.kept()

    # -- what was begun goes on

    @rule(data=st.data(), end=st.sampled_from(["closed", "rejected"]))
    def feedback_ends(self, data: st.DataObject, end: Any) -> None:
        items = [item for held in self.world.feedback.values() for item in held.values() if item.is_open]
        if items:
            item = data.draw(st.sampled_from(items))
            self.world.feedback[item.stage][item.id] = replace(item, status=end)

    @rule(data=st.data())
    def a_person_asks_to_go_back(self, data: st.DataObject) -> None:
        stage = data.draw(st.sampled_from(self.world.scopes()[1:]))
        self.world.do(revisit(self.world.look(), NOW, stage, "Once more", by_person=True))
        items = self.world.feedback[stage].values()
        assert any(item.is_human and item.is_open for item in items), "whatever became of an earlier word"

    @precondition(lambda self: not self.open)
    @rule(killed_after=st.none() | st.integers(0, 5))
    def the_engine_goes_back(self, killed_after: int | None) -> None:
        """As a tick does it when no changed file is in its way; a visit serves all that ask for it."""
        found = revisit_asked(looking(self.world.look(), NOW))
        if found is not None:
            self.world.perform(found.do, killed_after)

    @precondition(lambda self: not self.open)
    @rule(stage=st.sampled_from(["design", "build"]), trigger=st.sampled_from(["feedback", "user-revisit"]))
    def a_revisit_begins(self, stage: str, trigger: Any = "feedback") -> None:
        state = self.world.states[stage]
        visit = Iteration(index=state.visits + 1, trigger=trigger)
        changed = {"visits": visit.index, "iterations": (*state.iterations, visit)}
        self.world.states[stage] = replace(state, status="active", gate_outcome="", **changed)

    @precondition(lambda self: not self.open)
    @rule(stage=st.sampled_from(["design", "build"]))
    def a_stage_is_completed(self, stage: str) -> None:
        state = self.world.states[stage]
        self.world.states[stage] = replace(state, status="completed", gate_outcome="advanced", completed_at=NOW)

    @invariant()
    def one_marker_governs_a_path(self) -> None:
        marked = [marker.path for marker in self.world.markers if marker.is_open]
        assert len(marked) == len(set(marked))

    def teardown(self) -> None:
        """However it came to it: when findings are closed and stages completed, nothing is left pending."""
        for killed_after in (1, 2):
            for held in self.world.feedback.values():
                held.update({name: replace(item, status="closed") for name, item in held.items()})
            for stage in self.world.states:
                self.a_revisit_begins(stage)
                self.a_stage_is_completed(stage)
            self.tick(killed_after)
            if self.open:
                assert isinstance(self.world.classify(asked("*")), PlanStep)
                for path, (digest, _) in self.open.items():
                    self.lives[path].vouch(digest)
                self.open, self.tick_id = {}, ""
        assert not [marker for marker in self.world.markers if marker.is_open]
        assert self.world.gate() is None


DriftMachine.TestCase.settings = settings(max_examples=60, stateful_step_count=40, deadline=None)
TestDriftMachine = DriftMachine.TestCase
