"""The engine of a workflow: look, decide, do, look again, until there is a clue for somebody.

Nothing is kept between two calls. A tick holds the intent's lock while it looks and works, and gives it up while
quality gates run; killed at any moment, the next one goes on from what the files and git say.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import msgspec

from leeboard.errors import ConfigError, StateError
from leeboard.io import clock
from leeboard.io.git_place import branch_at
from leeboard.io.places import project_root
from leeboard.io.plan import gates, layout, worktrees
from leeboard.io.plan._create import create_intent
from leeboard.io.plan._folder import Folder
from leeboard.io.plan._perform import Performance, recover
from leeboard.io.plan._repository import Repository
from leeboard.io.plan.lock import hold, hold_gates
from leeboard.io.plan.read import Seen, look_at, read_intent, read_tick
from leeboard.model.effect import Refusal, RunGates, Step
from leeboard.model.plan import Clue, Intent, Plan
from leeboard.wire.plan_files import safe_id

MOST_ROUNDS = 50
MOST_GATE_ROUNDS = 3
"""How often gates are run in one tick before somebody has to look why no result holds."""

Advance = Callable[[Plan, str], Step]
Change = Callable[[Plan, str], Step | Refusal]


def _now() -> str:
    return clock.iso(clock.now())


class Engine:
    """Of the plan that the work tree around `root` belongs to."""

    def __init__(self, root: str, clock: Callable[[], str] = _now, advance: Advance | None = None) -> None:
        self.root = root
        self.home = layout.home_of(root)
        self._folder = Folder(self.home)
        self._clock = clock
        self._advance = advance

    def slugs(self, *, archived: bool = False) -> tuple[str, ...]:
        """Intents that lie here; archived ones when they are asked for."""
        names = [name for name in self._folder.names("intents") if safe_id(name, "slug")]
        found = {name: read_intent(self._folder, name) for name in names}
        return tuple(name for name, intent in found.items() if intent and (archived or not intent.archived))

    def resolve(self, slug: str = "") -> str:
        """The intent that is meant: named, of the branch that is checked out, or the only active one. ConfigError."""
        named = slug or self._of_branch()
        if named:
            if read_intent(self._folder, named) is None:
                raise ConfigError(f"There is no intent {named!r} here. Those there are: {self._listed(self.slugs())}.")
            return named
        found = [name for name in self.slugs() if self._is_active(name)]
        if len(found) != 1:
            what = "Several intents are active" if found else "No intent is active"
            step = "name one" if found else "make one with haiku_intent_create"
            raise ConfigError(f"{what} here: {self._listed(tuple(found))}; {step}.")
        return found[0]

    def create(self, title: str, description: str, slug: str = "", studio: str = "", mode: str = "continuous") -> str:
        """A new intent; its slug. ConfigError where the title is none, or the name is taken."""
        body = f"{description.strip()}\n" if description.strip() else ""
        intent = Intent(slug=slug, title=title, studio=studio, mode=mode, created_at=self._clock(), body=body)
        return create_intent(self._folder, intent)

    def look(self, slug: str) -> Plan:
        """Without the lock. What looks changed by hand may be a write that is under way: then it looks again."""
        plan = look_at(self._folder, slug).plan
        if plan.sealed:
            return plan
        with hold(self._folder, slug):
            return look_at(self._folder, slug).plan

    def tick(self, slug: str) -> Clue:
        """The one next action."""
        self._count(slug)
        answer = self._until_clue(slug, self._advance or _machine())
        if isinstance(answer, Clue):
            return answer
        raise self._unsettled(slug)

    def move(self, slug: str, change: Change) -> Clue | Refusal:
        """Change the plan, then say what is next. Where the change needs gates to be run, it is asked again."""
        answer = self._until_clue(slug, change, once=True)
        return self.tick(slug) if answer is None else answer

    def reseal(self, slug: str) -> None:
        """Take the plan as it is: for a person who looked at what was changed by hand."""
        with hold(self._folder, slug):
            seen = look_at(self._folder, slug)
            seen.seal.take(seen.values)

    def _until_clue(self, slug: str, decide: Change, *, once: bool = False) -> Clue | Refusal | None:
        """None: a change that was made `once` and says nothing itself."""
        run: Counter[RunGates] = Counter()
        for _ in range(MOST_ROUNDS):
            asked, answer = self._rounds(slug, decide, once=once)
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

    def _rounds(self, slug: str, decide: Change, *, once: bool) -> tuple[RunGates | None, Clue | Refusal | None]:
        """Look and work under the lock, until there is an answer or gates to be run without it."""
        with hold(self._folder, slug) as lock:
            recover(self._folder, slug, lock)
            for _ in range(MOST_ROUNDS):
                seen = look_at(self._folder, slug, full=False)
                now = self._clock()
                step = decide(seen.plan, now)
                if isinstance(step, Refusal):
                    return None, step
                asked = Performance(self._folder, seen, lock).perform(step.do, now)
                if asked is not None:
                    return asked, None
                if step.clue is not None:
                    return None, self._answered(seen, step.clue, now)
                if once:
                    return None, None
        raise self._unsettled(slug)

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
                runs = gates.run_gates(owed, tree, git=place is not None, unit=asked.unit)
                with hold(self._folder, slug):
                    gates.keep_runs(self._folder, slug, asked.stage, runs)

    def _answered(self, seen: Seen, clue: Clue, now: str) -> Clue:
        from leeboard.workflow.progress import counted  # noqa: PLC0415 - with the machine, which a look does without

        told, kept = counted(seen.plan, clue, now)
        self._keep(seen.plan.intent.slug, ".last_action.json", msgspec.to_builtins(kept))
        return told

    def _count(self, slug: str) -> None:
        """One tick more, on the disk before anything else."""
        with hold(self._folder, slug):
            self._keep(slug, "intent-tick.json", {"tick": read_tick(self._folder, slug) + 1})

    def _keep(self, slug: str, name: str, fields: dict[str, Any]) -> None:
        self._folder.write(f"{layout.intent_folder(slug)}/{name}", msgspec.json.encode(fields) + b"\n")

    def _of_branch(self) -> str:
        """The work tree that asks goes first, then the primary one."""
        for top in dict.fromkeys((project_root(self.root), self.home)):
            place = layout.place_of(top)
            slug = layout.slug_of_branch(branch_at(place).removeprefix("refs/heads/")) if place else ""
            if slug and read_intent(self._folder, slug) is not None:
                return slug
        return ""

    def _is_active(self, slug: str) -> bool:
        intent = read_intent(self._folder, slug)
        return intent is not None and intent.status == "active" and not intent.archived

    def _listed(self, names: tuple[str, ...]) -> str:
        return ", ".join(names) or "none"

    def _unsettled(self, slug: str) -> StateError:
        return StateError(
            f"The plan of {slug} did not settle in {MOST_ROUNDS} rounds. `leeboard flow status` shows where it stands."
        )


def _machine() -> Advance:
    from leeboard.workflow.advance import advance  # noqa: PLC0415 - a look does without the machine

    return advance
