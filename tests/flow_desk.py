"""A project with a workflow, a person who runs `leeboard flow` in it, and an agent beside them. All in this process."""

from __future__ import annotations

import atexit
import io
import shutil
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from functools import cache
from pathlib import Path
from subprocess import CompletedProcess
from tempfile import mkdtemp
from typing import Any

import pytest

from leeboard.app.hook_origin import AGENT_MARKS
from leeboard.app.plan.engine import Engine
from leeboard.model.plan import Plan
from leeboard.surfaces.cli.main import COMMANDS, run
from tests.git_repository import ENVIRONMENT
from tests.mcp_agent import Agent, make_project
from tests.surfaces.cli.conftest import Ran
from tests.trusting import in_trust

SLUG = "thing"


@cache
def _kept() -> str:
    folder = mkdtemp(prefix="leeboard-flow-desk-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


class FlowDesk(Agent):
    """Called it is the agent; `flow` is the person."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch) -> None:
        for mark in AGENT_MARKS:
            patch.delenv(mark, raising=False)
        own = {"LEEBOARD_STATE_DIR": str(folder / "state"), "LEEBOARD_GATE_SECONDS": "0", "COLUMNS": "100"}
        for name, value in (ENVIRONMENT | own).items():
            patch.setenv(name, value)
        patch.setitem(COMMANDS, "flow", "A workflow that lives on disk.")
        in_trust(patch)
        self.repository = make_project(folder / "project")
        super().__init__(self.repository.path)
        patch.chdir(self.root)
        self._folder = folder
        self._patch = patch

    def flow(self, *words: str) -> Ran:
        out, err = io.StringIO(), io.StringIO()
        with redirect_stdout(out), redirect_stderr(err):
            code = run(["flow", *words])
        assert "Traceback" not in err.getvalue()
        return Ran(CompletedProcess(words, code, out.getvalue().encode(), err.getvalue().encode()))

    def ok(self, *words: str) -> str:
        ran = self.flow(*words)
        assert ran.code == 0, ran.err + ran.out
        return ran.out

    def told(self, *words: str) -> dict[str, Any]:
        """The one object that is printed for programs."""
        ran = self.flow(*words, "--json")
        (found,) = ran.objects
        return found

    def denied(self, *words: str, code: int = 1) -> str:
        """What is said of a refusal; nothing is printed beside it."""
        ran = self.flow(*words)
        assert (ran.code, ran.out) == (code, ""), ran.out
        assert ran.err.startswith("leeboard: ")
        return ran.err

    def as_agent(self) -> None:
        """From now on an agent runs the commands."""
        self._patch.setenv("CLAUDECODE", "1")

    def as_person(self) -> None:
        """A person runs them again."""
        self._patch.delenv("CLAUDECODE")

    @property
    def plan_now(self) -> Plan:
        return Engine(str(self.root)).look(SLUG)

    def through_shape(self) -> None:
        """`build` has just begun."""
        self._reach("shape", super().through_shape)

    def at_plan_gate(self) -> None:
        """Before the plan of `build`, with two units."""
        self._reach("plan", self._plan_build)

    def at_stage_gate(self) -> None:
        """Before the gate of `build`, with everything done."""
        self._reach("stage", self._build)

    def at_stage_gate_without_git(self) -> None:
        """The same, all done in place."""
        Agent.through_shape(self)
        self.until("elaborate")
        self.plan("left.txt", "right.txt")
        self.until("gate_review")
        self._approve_and_build()

    def _reach(self, point: str, go: Callable[[], None]) -> None:
        """What it takes to come to a point of the work is done once for all tests."""
        kept = Path(_kept()) / point
        if not kept.exists():
            go()
            shutil.copytree(self._folder, kept, symlinks=True)
            return
        for part in ("project", "state"):
            shutil.rmtree(self._folder / part, ignore_errors=True)
            shutil.copytree(kept / part, self._folder / part, symlinks=True)
        self._patch.chdir(self.root)
        Engine(str(self.root)).reseal(SLUG)  # it lies at another place now
        Engine(str(self.root)).reseal(SLUG)  # a seal holds for the place it was made at

    def _plan_build(self) -> None:
        self.through_shape()
        self.until("elaborate")
        self.plan("left.txt", "right.txt")
        self.until("gate_review")

    def _build(self) -> None:
        self.at_plan_gate()
        self._approve_and_build()

    def _approve_and_build(self) -> None:
        self.ok("review", "--approve")
        self.until("start_units")
        self.work("unit-01-left", "left.txt", hats=2)
        self.work("unit-02-right", "right.txt", hats=2)
        self.until("review")
        assert not self("review_report", agent="critic", verdict="pass", report="Nothing.").is_error
        self.until("gate_review")
