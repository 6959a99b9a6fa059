"""A scripted intent, and its engine killed while it works. Run as a program.

Two stages, five units in three waves, a rejected hat, a merge conflict, a quality gate that fails first, a review agent
and two decisions of a person. Each call of the engine runs in a child of its own, with a new Engine; the parent plays
the agent, who remembers nothing: it asks for the next clue and does what that says.

`python -m tests.killed_plan MODE FOLDER SEED KILLS` prints how it ended as JSON. MODE is `whole`, `each` (killed after
the first, the second, ... write or git command of every call) or `random`.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from leeboard.app.plan.engine import Engine
from leeboard.model.plan import Clue, Plan
from leeboard.model.unit import ReviewReport
from leeboard.plan.disk import folder, repository
from leeboard.plan.disk.records import UserTurn, record_turn
from leeboard.plan.effect import PlanStep, Refusal
from leeboard.plan.machine import moves
from tests.git_repository import ENVIRONMENT, GitRepository

SLUG, NOW = "count-words", "2026-01-01T00:00:00Z"
MOST_CALLS = 400
_GATE = "[{name: fixed, command: grep -q fixed state.txt}]"
STUDIO = {
    "STUDIO.md": "---\nname: small\nslug: small\nstages: [shape, build]\n---\n",
    "stages/shape/STAGE.md": "---\nname: shape\nhats: [worker]\nreview: auto\nelaboration: collaborative\n---\n",
    "stages/shape/hats/worker.md": "Do it.\n",
    "stages/build/STAGE.md": "---\nname: build\nhats: [worker, checker]\nreview: ask\nelaboration: autonomous\n---\n",
    "stages/build/hats/worker.md": "Do it.\n",
    "stages/build/hats/checker.md": "Check it.\n",
    "stages/build/review-agents/critic.md": "Look closely.\n",
}
UNITS: dict[str, dict[str, str]] = {
    "shape": {"unit-01-notes": "depends_on: []\noutputs: [notes.md]\n"},
    "build": {
        "unit-01-left": "depends_on: []\noutputs: [left.py]\n",
        "unit-02-right": "depends_on: []\noutputs: [right.py]\n",
        "unit-03-join": f"depends_on: [unit-01-left, unit-02-right]\noutputs: [join.py]\nquality_gates: {_GATE}\n",
        "unit-04-tell": "depends_on: [unit-03-join]\noutputs: [tell.py]\n",
    },
}
UNASKED = {"start_stage", "intent_approved", "advance_stage", "intent_complete"}
"""Clues that ask for nothing but the next one."""
CHANGING = {"switch", "worktree", "add", "commit", "merge", "branch", "commit-tree"}
"""Git commands that leave something behind."""
SHARED = {"unit-01-left", "unit-02-right"}
"""They change the same line."""


class Killed(Exception):  # noqa: N818 - it is what happened, not what went wrong
    """The child did not live to answer."""


class Agent:
    """Plays the agent and the person. `call` runs one call of the engine."""

    def __init__(self, repository: GitRepository, call: Caller) -> None:
        self.repository = repository
        self._call = call
        self.actions: list[str] = []

    def run(self) -> None:
        self._until(
            lambda engine: None if SLUG in engine.slugs() else engine.create("Count words", "Do it.", SLUG, "small")
        )
        for _ in range(MOST_CALLS):
            try:
                clue: Clue = self._call(lambda engine: engine.tick(SLUG), "tick")
            except Killed:
                continue
            self.actions.append(clue.action)
            if clue.action == "complete":
                return
            if clue.action == "loop_halted":  # nothing moved because the engine died each time: once more
                clue = Clue(action=clue.payload["halted_action"], message="", payload=clue.payload["halted_payload"])
            self._act(clue)
        raise AssertionError(f"it came to no end: {self.actions[-20:]}")

    def _until(self, work: Callable[[Engine], Any]) -> None:
        while True:
            try:
                self._call(work, "create")
            except Killed:
                continue
            return

    def _act(self, clue: Clue) -> None:
        payload, stage = clue.payload, clue.payload.get("stage", "")
        match clue.action.removesuffix("s"):
            case "elaborate" | "elaboration_insufficient":
                self._plan(stage)
            case "start_unit":
                for unit in payload.get("units") or [payload["unit"]]:
                    self._start(unit)
            case "continue_unit":
                for each in payload.get("units") or [payload]:
                    self._work(each)
            case "resolve_merge_conflict":
                self._resolve(payload)
            case "fix_quality_gate":
                self._fix()
            case "review" | "gate_review" as asked:
                self._judge(asked, stage)
            case _:
                assert clue.action in UNASKED, f"{clue.action}: {clue.message}"

    def _fix(self) -> None:
        self.repository.write("state.txt", "fixed\n")
        self.repository.run("add", "state.txt")
        self.repository.run("commit", "-q", "-m", "Fix the state", "--", "state.txt")

    def _judge(self, asked: str, stage: str) -> None:
        if asked == "gate_review":
            self._move(f"decide {stage}", lambda plan, now: moves.decide(plan, "approved", "kim", now))
            return
        report = ReviewReport(agent="critic", verdict="pass")
        self._move("report", lambda plan, _now: moves.record_report(plan, report, "Nothing to say."))

    def _start(self, unit: str) -> None:
        self._move(f"start {unit}", lambda plan, now: moves.unit_start(plan, unit, now))

    def _plan(self, stage: str) -> None:
        """Talk with the user, then write all units at once: what an agent writes half is the agent's own affair."""
        for number in range(3):
            record_turn(self.repository.root, SLUG, UserTurn(id=f"turn-{number}", source="prompt", at=NOW))
        folder = self.repository.path / f".haiku/intents/{SLUG}/stages/{stage}/units"
        if folder.exists():
            return
        aside = self.repository.path / "aside"
        aside.mkdir()
        for unit, fields in UNITS[stage].items():
            text = f"---\ntitle: Do {unit}\ninputs: [app.py]\n{fields}---\n# {unit}\n\n- [x] done\n"
            (aside / f"{unit}.md").write_text(text)
        folder.parent.mkdir(parents=True, exist_ok=True)
        aside.rename(folder)

    def _work(self, payload: dict[str, Any]) -> None:
        unit, hat, tree = payload["unit"], payload["hat"], payload["worktree"]
        if hat == "checker" and unit == "unit-02-right" and payload["bolt"] == 1:
            self._move(f"reject {unit}", lambda plan, now: moves.reject_hat(plan, unit, now, "once more"))
            return
        if hat == "worker":
            place = GitRepository(tree)
            name = "notes.md" if unit == "unit-01-notes" else f"{unit.split('-')[2]}.py"
            place.write(name, f"{unit} in bolt {payload['bolt']}\n")
            if unit in SHARED:
                place.write("app.py", f"first = '{unit}'\n")
            if unit != "unit-04-tell" and place.run("status", "--porcelain"):  # that one leaves it to the engine
                place.commit(f"Write {name}")
        self._move(f"{unit} {hat} {payload['bolt']}", lambda plan, now: moves.advance_hat(plan, unit, now))

    def _resolve(self, payload: dict[str, Any]) -> None:
        place = GitRepository(payload["worktree"])
        for path in payload["conflict_paths"]:
            place.write(path, "first = 'both'\n")
        place.commit("Resolve it")

    def _move(self, name: str, change: Callable[[Plan, str], PlanStep | Refusal]) -> None:
        """A refusal is no failure: what was asked for may have happened before the engine was killed."""
        try:
            self._call(lambda engine: engine.move(SLUG, change), name)
        except Killed:
            return


class Caller:
    """Runs calls in children, and counts how many were killed."""

    files = True
    """Whether writes count as points, or git commands alone."""

    def __init__(self, root: str, mode: str, seed: int, kills: int) -> None:
        self._root = root
        self._mode = mode
        self._random = random.Random(seed)
        self._most = kills
        self._attempts: dict[str, int] = {}
        self._spared = False
        self._usual = 0.05
        self.kills = 0

    def __call__(self, work: Callable[[Engine], Any], name: str) -> Any:
        """What it answered. The same call is killed one point later each time; the tick after a killed move is not."""
        point = self._attempts.get(name, 0) + 1 if self._mode == "each" and not self._spared else 0
        end, child = self._started(work, point)
        began = time.monotonic()
        if self._mode == "random" and self.kills < self._most:
            time.sleep(self._random.uniform(0, 1.2) * self._usual)
            os.kill(child, signal.SIGKILL)
        with os.fdopen(end, "rb") as file:
            answer = file.read()
        os.waitpid(child, 0)
        if not answer:
            self.kills += 1
            self._attempts[name] = point
            self._spared = name != "tick"
            raise Killed
        self._spared = False
        self._attempts.pop(name, None)
        self._usual = 0.7 * self._usual + 0.3 * (time.monotonic() - began)
        found = json.loads(answer)
        if "error" in found:
            raise AssertionError(found["error"])
        return Clue(**found["clue"]) if found.get("clue") else None

    def _started(self, work: Callable[[Engine], Any], point: int) -> tuple[int, int]:
        end, start = os.pipe()
        child = os.fork()
        if child:
            os.close(start)
            return end, child
        try:
            if point:
                die_after(point, files=self.files)
            answer: dict[str, Any] = {"clue": _told(work(Engine(self._root, clock=lambda: NOW)))}
        except BaseException as error:  # noqa: BLE001 - told to the parent, whatever it is
            answer = {"error": repr(error)}
        os.write(start, json.dumps(answer).encode())
        os._exit(0)


def _told(answer: object) -> dict[str, Any] | None:
    if isinstance(answer, Clue):
        return {name: getattr(answer, name) for name in answer.__struct_fields__}
    return None


def die_after(count: int, *, files: bool = True) -> None:
    """Kill this process when so many writes and git commands are done; without `files`, so many git commands."""
    left: list[int] = [count]

    def counted(do: Callable[..., Any]) -> Callable[..., Any]:
        def done(*args: Any, **names: Any) -> Any:
            answer = do(*args, **names)
            left[0] -= args[1] in CHANGING if do.__name__ == "run" else files
            if not left[0]:
                os.kill(os.getpid(), signal.SIGKILL)
            return answer

        return done

    for owner, name in (
        (folder.PlanFolder, "write"),
        (folder.PlanFolder, "note"),
        (folder.PlanFolder, "append"),
        (folder.PlanFolder, "remove"),
        (folder.PlanFolder, "move_folder"),
        (folder, "_write_whole"),  # what is written and not moved into place yet
        (repository.Repository, "run"),
    ):
        setattr(owner, name, counted(getattr(owner, name)))


def project(folder: Path) -> GitRepository:
    repository = GitRepository(folder)
    repository.write("app.py", "first = 1\n")
    repository.write("state.txt", "broken\n")
    for path, text in STUDIO.items():
        repository.write(f".haiku/studios/small/{path}", text)
    repository.run("add", "--all")
    repository.run("commit", "-q", "-m", "begin")
    return repository


def outcome(repository: GitRepository) -> dict[str, Any]:
    """What must be the same however often it was killed. The action log numbers the ticks, of which there are more."""
    left = repository.path / ".haiku" / "worktrees"
    return {
        "files": [line for line in repository.run("ls-tree", "-r", "HEAD").splitlines() if "action-log" not in line],
        "branches": repository.run("branch", "--format=%(refname:short)").split(),
        "status": repository.run("status", "--porcelain"),
        "worktrees": len(repository.run("worktree", "list", "--porcelain").split("\n\n")),
        "trees_left": [str(path) for path in left.rglob("*")] if left.exists() else [],
        "spare": [path.name for path in (repository.path / ".haiku" / "tmp").iterdir()],
        "locks": [str(path) for path in (repository.path / ".git").rglob("*.lock")],
        "fsck": repository.run("fsck", "--no-dangling"),
    }


def main(mode: str, folder: str, seed: str, kills: str) -> None:
    os.environ.update(ENVIRONMENT)
    os.environ["LEEBOARD_STATE_DIR"] = str(Path(folder) / "state")
    caller_kills, runs, number = 0, [], int(seed)
    while True:
        place = Path(folder) / "project"
        shutil.rmtree(place, ignore_errors=True)
        shutil.rmtree(Path(folder) / "state" / "seals", ignore_errors=True)
        repository = project(place)
        caller = Caller(repository.root, mode, number, int(kills) - caller_kills)
        agent = Agent(repository, caller)
        agent.run()
        caller_kills += caller.kills
        number += 1
        subjects = repository.run("log", "--first-parent", "--format=%s", "--reverse").splitlines()
        runs.append({"outcome": outcome(repository), "actions": agent.actions, "subjects": subjects})
        if mode != "random" or caller_kills >= int(kills):
            break
    sys.stdout.write(json.dumps({"kills": caller_kills, "runs": runs}))


if __name__ == "__main__":
    main(*sys.argv[1:])
