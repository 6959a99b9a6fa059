"""Gate, classification and human write killed at any moment, and what the next tick makes of it. Run as a program.

`python -m tests.killed_drift MODE FOLDER SEED KILLS` prints how it went as JSON. MODE is `random` (killed after a random
part of the usual time), or `each` (killed after the first, the second, ... change of the disk). Each case prepares the
project, runs one call in a child that is killed, and checks what a tick finds afterwards.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

from leeboard.app.plan.engine import Engine
from leeboard.model.plan import Clue
from leeboard.model.truth import ABSENT
from leeboard.plan.disk.folder import PlanFolder
from leeboard.plan.disk.truth.agent_writes import stamp
from leeboard.plan.disk.truth.human_write import HumanWrite, human_write
from leeboard.plan.machine.drift_classify import AskedOutcome, ClassifyRequest, FeedbackCreate, RepeatedCall, classify
from tests.git_repository import ENVIRONMENT, GitRepository

SLUG, NOW = "x", "2026-01-01T00:00:00Z"
STUDIO = {
    "STUDIO.md": "---\nname: small\nslug: small\nstages: [shape, build]\n---\n",
    "stages/shape/STAGE.md": "---\nname: shape\nhats: [worker]\nreview: auto\nelaboration: autonomous\n---\n",
    "stages/shape/hats/worker.md": "Do it.\n",
    "stages/build/STAGE.md": "---\nname: build\nhats: [worker]\nreview: auto\nelaboration: autonomous\n---\n",
    "stages/build/hats/worker.md": "Do it.\n",
}
CHANGES = ("replace", "rename", "link", "unlink", "write", "fsync", "mkdir", "pwrite")
"""Calls of the system after which it may be killed."""


class Project:
    """A project of its own, without git where `git` is false: then there is nothing to commit."""

    def __init__(self, folder: Path, *, git: bool) -> None:
        self.path = folder
        folder.mkdir(parents=True)
        for path, text in STUDIO.items():
            self._write(folder / ".haiku/studios/small" / path, text)
        if git:
            repository = GitRepository(folder)
            repository.write("app.py", "first = 1\n")
            repository.commit("begin")
        self.top = folder / f".haiku/intents/{SLUG}"
        self.folder = PlanFolder(str(folder))
        self.engine.create("Count", "Do it.", SLUG, "small")
        for number in range(3):
            self.write(f"knowledge/{number}.md", f"text {number}\n")
        self.serial = 0

    @property
    def engine(self) -> Engine:
        return Engine(str(self.path), clock=lambda: NOW)

    def write(self, place: str, text: str) -> None:
        self._write(self.top / place, text)

    def _write(self, path: Path, text: str) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def fresh(self) -> str:
        """A text nobody wrote yet."""
        self.serial += 1
        return f"text of change {self.serial}\n"

    def tick(self) -> Clue:
        return self.engine.tick(SLUG)

    def agent_writes(self, place: str, text: str) -> None:
        before = self.sha(place)
        self.write(place, text)
        tick = json.loads((self.top / "intent-tick.json").read_text())["tick"]
        stamp(self.folder, SLUG, {place: before}, tick, NOW)

    def sha(self, place: str) -> str:
        path = self.top / place
        return sha256(path.read_bytes()).hexdigest() if path.exists() else ABSENT

    def baseline(self) -> dict[str, str]:
        found = json.loads((self.top / "baseline.json").read_text())
        return {path: entry["sha256"] for path, entry in found.items()}

    def on_disk(self) -> dict[str, str]:
        return {
            f"knowledge/{path.name}": self.sha(f"knowledge/{path.name}") for path in (self.top / "knowledge").iterdir()
        }

    def lines(self, name: str) -> list[dict[str, Any]]:
        path = self.top / name
        return list(_whole(path.read_text())) if path.exists() else []

    def count(self, pattern: str) -> int:
        return len(list(self.top.glob(pattern)))

    def settle(self) -> None:
        """Everything is acknowledged, and nothing is open."""
        clue = self.tick()
        if clue.action == "manual_change_assessment":
            self.classify(clue, "ignore")
            clue = self.tick()
        assert clue.action != "manual_change_assessment", clue.payload
        assert self.baseline() == self.on_disk()

    def classify(self, clue: Clue, outcome: str) -> Clue:
        paths = [found["path"] for found in clue.payload["findings"]]
        asked = tuple(AskedOutcome(path=path, outcome=outcome, rationale_excerpt="why") for path in paths)
        creates = tuple(
            FeedbackCreate(for_classification_path=path, title=f"Changed {path}", body="Look.")
            for path in paths
            if outcome == "surface-as-feedback"
        )
        request = ClassifyRequest(
            tick_id=clue.payload["tick_id"], classifications=asked, agent_rationale="why", feedback_creates=creates
        )

        def change(plan: Any, now: str) -> Any:
            found = classify(plan, request, now)
            assert not isinstance(found, RepeatedCall)
            return found

        answer = self.engine.move(SLUG, change, truth=True)
        assert isinstance(answer, Clue), answer
        return answer


Case = Callable[[Project, Callable[[Callable[[], object]], bool]], None]
"""Prepares, has a call killed (the second argument: whether it lived), and checks."""


def gate_reports(project: Project, killed: Callable[[Callable[[], object]], bool]) -> None:
    """A change nobody accounts for is asked about, under one id."""
    project.settle()
    project.write("knowledge/0.md", project.fresh())
    killed(project.tick)
    found = project.tick()
    assert found.action == "manual_change_assessment", found
    shown = [(each["path"], each["author_class"], each["after_sha256"]) for each in found.payload["findings"]]
    assert shown == [("knowledge/0.md", "human-implicit", project.sha("knowledge/0.md"))], shown
    assert project.tick().payload["tick_id"] == found.payload["tick_id"]


def gate_absorbs(project: Project, killed: Callable[[Callable[[], object]], bool]) -> None:
    """The agent's own writes are no drift."""
    project.settle()
    project.agent_writes("knowledge/1.md", project.fresh())
    project.agent_writes(f"knowledge/a{project.serial}.md", project.fresh())
    killed(project.tick)
    assert project.tick().action != "manual_change_assessment"
    assert project.baseline() == project.on_disk()


def classified(project: Project, killed: Callable[[Callable[[], object]], bool]) -> None:
    """All of it or nothing: a changed, a new and a removed file."""
    project.settle()
    gone = next(path for path in sorted(project.on_disk(), reverse=True))
    (project.top / gone).unlink()
    project.write("knowledge/2.md", project.fresh())
    project.write(f"knowledge/n{project.serial}.md", project.fresh())
    asked, made = project.tick(), project.count("stages/*/drift-assessments/DA-*.json")
    killed(lambda: project.classify(asked, "ignore"))
    after = project.tick()
    done = project.count("stages/*/drift-assessments/DA-*.json") - made
    if after.action == "manual_change_assessment":
        assert done == 0
        assert after.payload["findings"] == asked.payload["findings"]
        assert after.payload["tick_id"] == asked.payload["tick_id"]
    else:
        assert done == 1
        assert project.baseline() == project.on_disk()


def surfaced(project: Project, killed: Callable[[Callable[[], object]], bool]) -> None:
    """Feedback, marker and assessment come together."""
    project.settle()
    project.write("knowledge/2.md", project.fresh())
    before = project.baseline()
    asked = project.tick()
    if asked.action != "manual_change_assessment":
        raise AssertionError(asked)
    counts = project.count("**/feedback/*.md"), project.count("stages/*/drift-assessments/DA-*.json")
    killed(lambda: project.classify(asked, "surface-as-feedback"))
    after = project.tick()
    now = project.count("**/feedback/*.md"), project.count("stages/*/drift-assessments/DA-*.json")
    open_ones = [each for each in _markers(project) if not each["cleared_at"] and each["path"] == "knowledge/2.md"]
    if after.action == "manual_change_assessment":
        assert (now, open_ones) == (counts, []), (now, counts, open_ones)
        return
    assert now == (counts[0] + 1, counts[1] + 1), (now, counts)
    assert [each["baseline_sha_at_creation"] for each in open_ones] == [project.sha("knowledge/2.md")]
    assert project.baseline() == before, "the baseline waits for the feedback"
    project.write("knowledge/2.md", project.fresh())  # a double edit: the marker is stale


def _markers(project: Project) -> list[dict[str, Any]]:
    path = project.top / "drift-markers.json"
    found: list[dict[str, Any]] = json.loads(path.read_text())["markers"] if path.exists() else []
    return found


def _whole(text: str) -> Iterator[dict[str, Any]]:
    """A write that crosses a page may be killed between two: what was written of the line then explains nothing."""
    for line in text.splitlines():
        with contextlib.suppress(json.JSONDecodeError):
            yield json.loads(line)


def human_writes(project: Project, killed: Callable[[Callable[[], object]], bool]) -> None:
    """FD-43: old or new, never a mix; and log, audit and file tell one story."""
    project.settle()
    place = f"knowledge/{'0.md' if project.serial % 2 else f'h{project.serial}.md'}"
    before, text = project.sha(place), project.fresh()
    request = HumanWrite(path=place, content=text, claimed_author_id="po", rationale="asked for")
    entries = len([line for line in project.lines("action-log.jsonl") if line["entry_type"] == "human_write"])
    killed(lambda: human_write(project.folder, SLUG, request, NOW))
    after, sha = project.tick(), sha256(text.encode()).hexdigest()
    assert not project.count(".hwm-tmp-*")
    assert not (project.path / f".haiku/tmp/{SLUG}.hwm").exists()
    if project.sha(place) == before:
        assert after.action != "manual_change_assessment"
        return
    assert project.sha(place) == sha
    shown = [(each["path"], each["author_class"]) for each in after.payload["findings"]]
    assert shown == [(place, "human-via-mcp")], shown
    written = [line for line in project.lines("action-log.jsonl") if line["entry_type"] == "human_write"]
    audited = project.lines("write-audit.jsonl")
    assert len(written) == entries + 1
    assert [each["sha"] for each in audited if each["entry_id"] == written[-1]["entry_id"]] == [sha]


def established(project: Project, killed: Callable[[Callable[[], object]], bool]) -> None:
    """FD-13: the first tick records what is there, whole."""
    killed(project.tick)
    assert project.tick().action != "manual_change_assessment"
    assert project.baseline() == project.on_disk()


CASES: tuple[Case, ...] = (gate_reports, gate_absorbs, classified, surfaced, human_writes)


class Killer:
    def __init__(self, seed: int, mode: str) -> None:
        self._random = random.Random(seed)
        self._mode = mode
        self._usual: dict[str, float] = {}
        self.point = 0
        self.kills: Counter[str] = Counter()

    def __call__(self, name: str, call: Callable[[], object]) -> bool:
        """Whether it lived."""
        end, start = os.pipe()
        child = os.fork()
        if not child:
            self._run(call, start)
        os.close(start)
        began = time.monotonic()
        if self._mode == "random":
            time.sleep(self._random.uniform(0, 1.1) * self._usual.get(name, 0.03))
            os.kill(child, signal.SIGKILL)
        with os.fdopen(end, "rb") as file:
            answer = file.read()
        os.waitpid(child, 0)
        if not answer:
            self.kills[name] += 1
            return False
        if answer != b"done":
            raise AssertionError(answer.decode())
        self._usual[name] = 0.8 * self._usual.get(name, 0.03) + 0.2 * (time.monotonic() - began)
        return True

    def _run(self, call: Callable[[], object], start: int) -> None:
        try:
            if self._mode == "each":
                _die_after(self.point)
            call()
            answer = b"done"
        except BaseException as error:  # noqa: BLE001 - told to the parent, whatever it is
            answer = repr(error).encode()
        _WRITE(start, answer)
        os._exit(0)


_WRITE = os.write


def _die_after(count: int) -> None:
    """Kill this process when so many changes of the disk are done."""
    left = [count]

    def counted(do: Callable[..., Any]) -> Callable[..., Any]:
        def done(*args: Any, **names: Any) -> Any:
            answer = do(*args, **names)
            left[0] -= 1
            if not left[0]:
                os.kill(os.getpid(), signal.SIGKILL)
            return answer

        return done

    for name in CHANGES:
        setattr(os, name, counted(getattr(os, name)))


def at_random(folder: Path, killer: Killer, kills: int) -> None:
    project = Project(folder / "project", git=False)
    project.tick()
    while killer.kills.total() < kills:
        for case in CASES:
            case(project, lambda call, name=case.__name__: killer(name, call))  # type: ignore[misc] # bound here


def at_each(folder: Path, killer: Killer) -> None:
    """Every case is killed one point later each time, until it lives."""
    for case in (established, *CASES):
        project = Project(folder / case.__name__, git=case in {classified, surfaced})
        if case is not established:
            project.tick()
        for point in range(1, 1000, 4 if case is established else 1):
            killer.point = point
            lived: list[bool] = []
            if case is established:
                project = Project(folder / f"{case.__name__}{point}", git=False)
            case(project, lambda call, name=case.__name__, lived=lived: lived.append(killer(name, call)) or lived[-1])  # type: ignore[misc] # as above
            if lived[-1]:
                break


def main(mode: str, folder: str, seed: str, kills: str) -> None:
    os.environ.update(ENVIRONMENT)
    os.environ["LEEBOARD_STATE_DIR"] = str(Path(folder) / "state")
    killer = Killer(int(seed), mode)
    if mode == "random":
        at_random(Path(folder), killer, int(kills))
    else:
        at_each(Path(folder), killer)
    sys.stdout.write(json.dumps(killer.kills))


if __name__ == "__main__":
    main(*sys.argv[1:])
