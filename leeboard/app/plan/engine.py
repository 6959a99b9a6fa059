"""The engine of a workflow: look, decide, do, look again, until there is a clue for somebody.

Nothing that was seen counts in the next call unless it still looks the same. A tick holds the intent's lock while it
looks and works, and gives it up while quality gates run; killed at any moment, the next one goes on from what the files
and git say.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from posixpath import isdir, join
from typing import Any

import msgspec
from msgspec.structs import replace

from leeboard.errors import ConfigError, StateError
from leeboard.io import clock
from leeboard.io.git.place import branch_at
from leeboard.io.places import project_root
from leeboard.model.plan import Clue, Intent, Plan
from leeboard.model.studio import Studio
from leeboard.plan.disk import gates, layout, worktrees
from leeboard.plan.disk.folder import PlanFolder, hide_transient, hold, hold_gates, intent_homes, steady
from leeboard.plan.disk.intent_trees import home_for_work
from leeboard.plan.disk.lost_intents import lost_intents, way_back
from leeboard.plan.disk.perform import Performance, PlanWriter, create_intent, recover
from leeboard.plan.disk.read import SealedPlan, look_at, read_intent, read_tick
from leeboard.plan.disk.repository import Repository
from leeboard.plan.disk.studios import load_studio
from leeboard.plan.disk.trusted import (
    is_awake,
    refuse_asleep,
    refuse_sleeping_gates,
    refuse_sleeping_pages,
    take_written_here,
)
from leeboard.plan.disk.truth.action_log import highest_tick
from leeboard.plan.disk.truth.gather import gather
from leeboard.plan.disk.untouched import untouched, work_names
from leeboard.plan.effect import EnsureBranch, PlanStep, Refusal, RunGates, WriteIntent, WriteStage
from leeboard.plan.files.files import safe_id
from leeboard.plan.machine.policy import chosen_fields, guards

MOST_ROUNDS = 50
MOST_GATE_ROUNDS = 3
"""How often gates are run in one tick before somebody has to look why no result holds."""

Advance = Callable[[Plan, str], PlanStep]
Change = Callable[[Plan, str], PlanStep | Refusal]


def _now() -> str:
    return clock.iso(clock.now())


class Engine:
    """Drives the plans of the project around `root`. Made for one call, it stands in the work tree of that intent which
    it was asked about last.
    """

    def __init__(self, root: str, clock: Callable[[], str] = _now, advance: Advance | None = None) -> None:
        self.root = root
        self.home = layout.home_of(root)
        """The work tree that the intent lies in: the primary one, or its own."""
        self.top = layout.top_of(self.home)
        """The primary work tree of the project."""
        self._folder = PlanFolder(self.home)
        self._clock = clock
        self._advance = advance
        self._left_out: dict[tuple[str, str], tuple[str, ...]] = {}
        """Intent and unit to what a merge left out, until it is said."""
        take_written_here(self._folder)

    def slugs(self, *, archived: bool = False) -> tuple[str, ...]:
        """Intents of the project, in whichever of its work trees; archived ones when they are asked for."""
        named = [(name, home) for name, home in sorted(intent_homes(self.top).items()) if safe_id(name, "slug")]
        found = {name: read_intent(PlanFolder(home), name) for name, home in named}
        return tuple(name for name, intent in found.items() if intent and (archived or not intent.archived))

    def resolve(self, slug: str = "", *, brings: bool = False) -> str:
        """The intent that is meant: named, of the branch that is checked out, or the only active one. ConfigError.

        `brings`: for who is about to work on it. One that lies on its branch alone, or where another one is at work, is
        given a work tree of its own; nothing that is checked out is touched.
        """
        named = slug or self._of_branch()
        if named:
            if self._stands_at(named, brings=brings) is None:
                there = f"Those there are: {self._listed(self.slugs())}."
                raise ConfigError(f"There is no intent {named!r} here. {there}{way_back(self.top, named)}")
            return named
        found = [name for name in self.slugs() if self._is_active(name)]
        if len(found) == 1:
            self._stands_at(found[0], brings=brings)
            return found[0]
        if found:
            raise ConfigError(f"Several intents are active here: {self._listed(tuple(found))}; name one.")
        gone = [each.text for each in lost_intents(self.top) if each.command]
        step = f"But {'; '.join(gone)}" if gone else "Make one with haiku_intent_create"
        raise ConfigError(f"No intent is active here. {step}.")

    def create(self, title: str, description: str, slug: str = "", studio: str = "", mode: str = "continuous") -> str:
        """A new intent; its slug. ConfigError where the title is none, or the name is taken. Who lets its stages
        through is noted at once: a gate that goes before the first step is missed too.
        """
        body = f"{description.strip()}\n" if description.strip() else ""
        chosen = load_studio(self.home, studio) if studio else None
        noted = guards(chosen.stages) if chosen else ()
        intent = Intent(slug=slug, title=title, studio=studio, mode=mode, created_at=self._clock(), body=body)
        self._stand(self.top)
        made = create_intent(self._folder, replace(intent, guards=noted))
        self._stands_at(made, brings=True)
        return made

    def _stands_at(self, slug: str, *, brings: bool) -> Intent | None:
        """The intent of that name; from now on it is the one that is meant. None where there is no such intent."""
        if not safe_id(slug, "slug"):
            return None
        self._stand(layout.intent_home(self.top, slug))
        if brings:
            self._stand(home_for_work(self.top, slug) or self.top)
        return read_intent(self._folder, slug)

    def _stand(self, home: str) -> None:
        if home != self.home:
            self.home, self._folder = home, PlanFolder(home)

    def keep_choice(self, slug: str, studio: Studio) -> None:
        """A person made the intent with this studio: no agent takes another one for it."""
        self._stands_at(slug, brings=False)
        with hold(self._folder, slug):
            seen = look_at(self._folder, slug)
            chosen = WriteIntent(fields=chosen_fields(studio))
            PlanWriter(self._folder, seen.plan, seen.seal).perform((chosen,), self._clock())

    def look(self, slug: str, *, truth: bool = False) -> Plan:
        """Without the lock. What looks changed by hand may be a write that is under way: then it looks again.

        `truth`: tracked files too, as a tick does; nothing of the plan is changed by it. Of a plan that sleeps nobody
        writes anything, and looking leaves no trace.
        """
        self._stands_at(slug, brings=False)
        plan = look_at(self._folder, slug).plan
        if (plan.sealed and not truth) or self.is_asleep(slug):
            return plan
        with hold(self._folder, slug):
            return look_over(self._folder, slug, truth=truth, full=True).plan

    def tick(self, slug: str) -> Clue:
        """The one next action."""
        self._refuse_untouched(slug)
        hide_transient(self.home)
        self._fetch_reviewed(slug)
        answer = self._until_clue(slug, self._advance or _machine(), clock.now(), truth=True)
        if isinstance(answer, Clue):
            return self._with_place(answer)
        raise self._unsettled(slug)

    def _with_place(self, clue: Clue) -> Clue:
        """An agent that runs in the primary tree looks for the work there."""
        if self.home == self.top:
            return clue
        said = f"The work is in {self.home}: files of the project are read and written there, not in {self.top}."
        return _warned(clue, (said,))

    def _fetch_reviewed(self, slug: str) -> None:
        """Whether work that is reviewed elsewhere was merged is the remote's to say: nothing here is taken for it."""
        last = self._folder.read(f"{layout.intent_folder(slug)}/.last_action.json") or b""
        if b"external_review" not in last:
            return
        intent = read_intent(self._folder, slug)
        fetch_base(self.home, intent.base if intent else "")

    def _refuse_untouched(self, slug: str) -> None:
        """Where nothing was ever written here, a refusal for want of trust comes before the first trace."""
        intent = self.refuse_asleep(slug)
        if intent is not None and not isdir(join(self.top, layout.HOME, "locks")):
            refuse_sleeping_pages(self._folder, intent)

    def move(self, slug: str, change: Change, *, truth: bool = False) -> Clue | Refusal:
        """Change the plan, then say what is next. Where the change needs gates to be run, it is asked again.

        `truth`: the change looks at the tracked files.
        """
        self._stands_at(slug, brings=False)
        answer = self._until_clue(slug, change, truth=truth)
        return self.tick(slug) if answer is None else answer

    def reseal(self, slug: str) -> None:
        """Take the plan as it is: for a person who looked at what was changed by hand."""
        self._stands_at(slug, brings=False)
        with hold(self._folder, slug):
            seen = look_at(self._folder, slug)
            seen.seal.take(seen.values)
            if not look_at(self._folder, slug).plan.sealed:  # gates that are defined anew
                fields: dict[str, Any] = {"guards": list(guards(view.spec for view in seen.plan.stages))}
                if seen.plan.intent.studio_chosen:
                    fields["studio_chosen"] = seen.plan.intent.studio
                noted = WriteIntent(fields=fields)
                PlanWriter(self._folder, seen.plan, seen.seal).perform((noted,), self._clock())

    def take_settings(self, slug: str) -> None:
        """Those that guard the work, as they are: for a person who looked at them."""
        self._stands_at(slug, brings=False)
        with hold(self._folder, slug):
            seen = look_at(self._folder, slug)
            noted = WriteIntent(fields={"guarding": list(seen.plan.guarding)})
            if seen.plan.sealed:
                PlanWriter(self._folder, seen.plan, seen.seal).perform((noted,), self._clock())

    def _until_clue(self, slug: str, decide: Change, begun: float = 0.0, *, truth: bool) -> Clue | Refusal | None:
        """For a tick that has `begun`; else it is a change, made once. None: it says nothing itself."""
        run: Counter[RunGates] = Counter()
        for number in range(MOST_ROUNDS):
            asked, answer = self._rounds(slug, decide, begun, counts=bool(begun) and not number, truth=truth)
            if asked is None:
                return answer
            run[asked] += 1
            if run[asked] > MOST_GATE_ROUNDS:
                raise StateError(
                    f"The quality gates of {asked.unit or asked.stage} change files that git keeps, so that no result"
                    " holds. Commit what they change, or let them change nothing, then call again."
                )
            self._run_gates(slug, asked)
        raise self._unsettled(slug)

    def _rounds(
        self, slug: str, decide: Change, begun: float, *, counts: bool, truth: bool
    ) -> tuple[RunGates | None, Clue | Refusal | None]:
        """Look and work under the lock, until there is an answer or gates to be run without it.

        Tracked files are looked at until there is nothing to say of them: what comes after is other work.
        """
        if not counts:  # a tick has just been through this
            self.refuse_asleep(slug)
        with hold(self._folder, slug) as lock:
            if counts:
                self._count(slug)
            recover(self._folder, slug, lock)
            notes: tuple[str, ...] = ()
            watched = truth
            for _ in range(MOST_ROUNDS):
                seen = self._with_handed_over(slug, look_over(self._folder, slug, truth=truth, work=not begun))
                refuse_sleeping_gates(self._folder, seen.plan)
                notes = seen.plan.truth.notes if seen.plan.truth else notes
                now = self._clock()
                step = decide(seen.plan, now)
                if isinstance(step, Refusal):
                    return None, step
                if watched and not truth and _ends(step):  # whoever changed a file meanwhile is heard before
                    truth = True
                    continue
                asked = self._perform(seen, step, lock, now) if step.do else None
                if asked is not None:
                    return asked, None
                if not begun:
                    return None, step.clue
                if step.clue is not None:
                    told = _with_notes(self._answered(seen, step.clue, now, begun), notes)
                    return None, self._with_left_out(slug, told)
                switched = any(isinstance(effect, EnsureBranch) for effect in step.do)
                truth = truth and (switched or not _passed(seen.plan, now))
        raise self._unsettled(slug)

    def _with_handed_over(self, slug: str, seen: SealedPlan) -> SealedPlan:
        """What a teammate's engine wrote and git brought here is sealed; and what claims too much is told. Locked."""
        if seen.plan.sealed and not seen.seal.is_new:
            return seen
        from leeboard.plan.disk.handover import is_handed_over, unproven  # noqa: PLC0415 - a plan is rarely handed over

        if seen.plan.sealed:
            claimed = tuple(unproven(self._folder, seen.plan.intent, seen.plan.stages))
            plan = msgspec.structs.replace(seen.plan, sealed=not claimed, tampered=claimed)
            return msgspec.structs.replace(seen, plan=plan)
        if not is_handed_over(self._folder, seen):
            return seen
        seen.seal.take(seen.values)
        return look_over(self._folder, slug, truth=seen.plan.truth is not None)

    def refuse_asleep(self, slug: str) -> Intent | None:
        """The intent that is meant, if there is one. UntrustedError where it came from elsewhere, and nobody trusted it
        here.
        """
        intent = self._stands_at(slug, brings=False)
        if intent is not None:
            refuse_asleep(self._folder, intent)
        return intent

    def is_asleep(self, slug: str) -> bool:
        intent = self._stands_at(slug, brings=False)
        return intent is not None and not is_awake(self.home, intent)

    def _perform(self, seen: SealedPlan, step: PlanStep, lock: int, now: str) -> RunGates | None:
        performance = Performance(self._folder, seen, lock)
        asked = performance.perform(step.do, now)
        self._left_out |= {(seen.plan.intent.slug, unit): names for unit, names in performance.left_out.items()}
        return asked

    def _with_left_out(self, slug: str, clue: Clue) -> Clue:
        """Said once, with whatever comes next; the commit of the merge says it for good."""
        from leeboard.plan.machine.look import named  # noqa: PLC0415 - as above

        found = {key[1]: self._left_out.pop(key) for key in [*self._left_out] if key[0] == slug}
        said = [
            f"{unit} was merged without its changes of {named(names)}: only a person changes that. Tell the user, who"
            " may take them over."
            for unit, names in found.items()
        ]
        return _warned(clue, said) if said else clue

    def _run_gates(self, slug: str, asked: RunGates) -> None:
        """Whoever comes second finds what the first one kept."""
        place = layout.place_of(self.home)
        tree = layout.worktree(self.home, slug, asked.unit) if asked.unit and place else self.home
        if place and asked.unit and not worktrees.is_worktree(Repository(place), tree):
            tree = self.home
        with hold_gates(self._folder, slug):
            known = gates.known_runs(self._folder, slug, asked.stage, {asked.unit: tree}, git=place is not None)
            done = {(run.command, run.dir) for run in known if run.unit == asked.unit}
            owed = [gate for gate in asked.commands if (gate.command, gate.dir) not in done]
            if owed:
                limit = gates.time_limit(self._folder)
                runs = gates.run_gates(owed, tree, slug, git=place is not None, unit=asked.unit, seconds=limit)
                with hold(self._folder, slug):
                    gates.keep_runs(self._folder, slug, asked.stage, runs)

    def _answered(self, seen: SealedPlan, clue: Clue, now: str, begun: float) -> Clue:
        from leeboard.plan.machine.table import counted  # noqa: PLC0415 - with the machine, which a look does without

        told, kept = counted(seen.plan, clue, now, (begun, clock.now()))
        _keep(self._folder, seen.plan.intent.slug, ".last_action.json", msgspec.to_builtins(kept))
        return told

    def _count(self, slug: str) -> None:
        """One tick more, before anything else. Under the lock."""
        with steady(self._folder) as folder:
            tick = max(read_tick(folder, slug), highest_tick(folder, slug)) + 1
            _keep(folder, slug, "intent-tick.json", {"tick": tick})

    def _of_branch(self) -> str:
        """The work tree that asks goes first, then the primary one."""
        for tree in dict.fromkeys((project_root(self.root), layout.home_of(self.root), self.top)):
            place = layout.place_of(tree)
            slug = layout.slug_of_branch(branch_at(place).removeprefix("refs/heads/")) if place else ""
            if slug and read_intent(PlanFolder(layout.intent_home(self.top, slug)), slug) is not None:
                return slug
        return ""

    def _is_active(self, slug: str) -> bool:
        intent = read_intent(PlanFolder(layout.intent_home(self.top, slug)), slug)
        return intent is not None and intent.status == "active" and not intent.archived

    def _listed(self, names: tuple[str, ...]) -> str:
        return ", ".join(names) or "none"

    def _unsettled(self, slug: str) -> StateError:
        return StateError(
            f"The plan of {slug} did not settle in {MOST_ROUNDS} rounds. `leeboard flow status` shows where it stands."
        )


def _keep(folder: PlanFolder, slug: str, name: str, fields: dict[str, Any]) -> None:
    """Not flushed: after a loss of power, how often was asked and answered may go back to what it was before.

    What a tick changed in the plan is flushed by itself, and is looked at anew.
    """
    folder.note(f"{layout.intent_folder(slug)}/{name}", msgspec.json.encode(fields) + b"\n")


def _with_notes(clue: Clue, notes: tuple[str, ...]) -> Clue:
    """What of the tracked files could not be looked at is said with whatever comes next."""
    if not notes or "notes" in clue.payload:
        return clue
    return _warned(clue, notes)


def _warned(clue: Clue, texts: Iterable[str]) -> Clue:
    said = [*clue.payload.get("warnings", ()), *texts]
    return msgspec.structs.replace(clue, payload={**clue.payload, "warnings": said})


def _ends(step: PlanStep) -> bool:
    """Whether a stage or the intent is completed by it: nobody looks at its files after that."""
    written = (effect for effect in step.do if isinstance(effect, (WriteStage, WriteIntent)))
    return any(effect.fields.get("status") == "completed" for effect in written)


def _machine() -> Advance:
    from leeboard.plan.machine.table import advance  # noqa: PLC0415 - a look does without the machine

    return advance


def _passed(plan: Plan, now: str) -> bool:
    """Whether the gate of tracked files has nothing to say or to do."""
    from leeboard.plan.machine.look import looking  # noqa: PLC0415 - as above
    from leeboard.plan.machine.table import BEFORE_TICK  # noqa: PLC0415 - as above

    look = looking(plan, now)
    return all(row.when(look) is None for row in BEFORE_TICK)


# A look at an intent together with its tracked files, where they are asked for.


def look_over(folder: PlanFolder, slug: str, *, truth: bool, work: bool = True, full: bool = False) -> SealedPlan:
    """As much as the next step hangs on, or in `full`.

    `truth`: tracked files too, unless somebody changed the plan by hand. Without `work` nobody asks what was left
    untouched: only a move that calls something done does.
    """
    with steady(folder) as held:
        seen = look_at(held, slug, full=full, work=work)
        plan = seen.plan
        if work and plan.active is not None:
            place = layout.place_of(folder.home)
            left = untouched(plan, plan.active, folder.home, place)
            plan = msgspec.structs.replace(plan, untouched=left, work=work_names(plan, plan.active, folder.home, place))
        if truth and plan.sealed:
            plan = msgspec.structs.replace(plan, truth=gather(held, plan))
        return seen if plan is seen.plan else msgspec.structs.replace(seen, plan=plan)


def fetch_base(home: str, base: str) -> bool:
    """What the remote says of the branch that the work is merged into; False where there is none, or nobody answers."""
    from leeboard.io.git.remote import fetch, find_remote, head_of  # noqa: PLC0415 - most work is reviewed here

    remote = find_remote(home)
    if remote is None:
        return False
    wanted = dict.fromkeys(filter(None, (base, head_of(home, remote))))
    return all(not fetch(home, remote, branch) for branch in wanted)
