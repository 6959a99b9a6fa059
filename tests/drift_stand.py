"""An intent under way, a real MCP client beside it, and people who change files behind the agent's back."""

from __future__ import annotations

import json
import shutil
from collections.abc import Awaitable, Callable
from functools import cache
from hashlib import sha256
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import anyio
from mcp import ClientSession

from tests.git_repository import GitRepository
from tests.mcp_agent import UNIT, Answer, make_project
from tests.scripted_run import SERVER, Person, called, connected, environment

SLUG = "thing"
TICK = "run_next"
WHY = "Looked at the change and at what hangs on it."
Scene = Callable[["DriftStand"], Awaitable[None]]


def sha(data: bytes | str) -> str:
    return sha256(data.encode() if isinstance(data, str) else data).hexdigest()


@cache
def _template() -> Path:
    """Made once: git takes its time."""
    return make_project(Path(mkdtemp(prefix="leeboard-drift-")) / "project").path


class DriftStand:
    def __init__(self, folder: Path, session: ClientSession, env: dict[str, str]) -> None:
        self.root = folder
        self.top = folder / ".haiku" / "intents" / SLUG
        self._session = session
        self.person = Person(folder, env)

    async def __call__(self, tool: str, **arguments: Any) -> Answer:
        return await called(self._session, tool, arguments)

    async def done(self, tool: str, **arguments: Any) -> dict[str, Any]:
        answer = await self(tool, **arguments)
        assert not answer.is_error, (tool, answer.json)
        return answer.json

    async def refused(self, tool: str, **arguments: Any) -> str:
        answer = await self(tool, **arguments)
        assert answer.is_error, answer.json
        assert answer["message"]
        assert answer["next"]
        return str(answer["code"])

    async def tick(self) -> dict[str, Any]:
        return await self.done(TICK)

    async def begin(self) -> None:
        await self.done("intent_create", title="Make it", description="It is wanted.", slug=SLUG, studio="small")
        assert (await self.tick())["action"] == "start_stage"
        assert (await self.tick())["action"] == "elaborate"

    async def shape(self) -> dict[str, Any]:
        """From the first stage to the second, with an output that the agent put on record; what the tick there says."""
        self.put("stages/shape/artifacts/plan.md", "the plan\n")
        await self.done("record_agent_write", path="stages/shape/artifacts/plan.md")
        await self.done("unit_write", unit="unit-01-shape", content=UNIT.format(title="Shape", output="shape.txt"))
        await self.until("start_unit")
        tree = Path((await self.done("unit_start", unit="unit-01-shape"))["worktree"])
        (tree / "shape.txt").write_text("shape\n")
        GitRepository(tree).commit("write shape.txt")
        await self.done("unit_set", unit="unit-01-shape", field="criteria", value=["shape.txt is there"])
        await self.done("unit_advance_hat", unit="unit-01-shape")
        return await self.until(ASSESS, "elaborate")

    async def until(self, *actions: str) -> dict[str, Any]:
        seen = []
        for _ in range(12):
            told = await self.tick()
            seen.append(told["action"])
            if told["action"] in actions:
                return told
        raise AssertionError(seen)

    async def found(self) -> dict[str, dict[str, Any]]:
        """What the next tick asks about, by path; nothing where it goes on."""
        told = await self.tick()
        return {each["path"]: each for each in told.get("findings", ())} if told["action"] == ASSESS else {}

    async def assessed(self) -> dict[str, Any]:
        told = await self.tick()
        assert told["action"] == ASSESS, told
        return told

    async def classify(self, told: dict[str, Any], outcome: str, **more: Any) -> Answer:
        """All findings alike."""
        creates = more.pop("feedback_creates", ())
        given = [
            {"path": each["path"], "outcome": outcome, "rationale_excerpt": "It matters.", **more}
            for each in told["findings"]
        ]
        return await self(
            "classify_drift",
            tick_id=told["tick_id"],
            classifications=given,
            agent_rationale=WHY,
            feedback_creates=list(creates),
        )

    def put(self, path: str, content: bytes | str) -> None:
        """Somebody saves a file."""
        place = self.top / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content.encode() if isinstance(content, str) else content)

    def baseline(self, scope: str = "") -> dict[str, Any]:
        place = self.top / (f"stages/{scope}/baseline.json" if scope else "baseline.json")
        found: dict[str, Any] = json.loads(place.read_bytes())
        return found

    def markers(self) -> list[dict[str, Any]]:
        place = self.top / "drift-markers.json"
        found: list[dict[str, Any]] = json.loads(place.read_bytes())["markers"] if place.exists() else []
        return found

    def lines(self, name: str) -> list[dict[str, Any]]:
        place = self.top / name
        return [json.loads(line) for line in place.read_bytes().splitlines()] if place.exists() else []

    def feedback(self, stage: str) -> list[Path]:
        return sorted((self.top / "stages" / stage / "feedback").glob("*.md"))


ASSESS = "manual_change_assessment"


def play(folder: Path, scene: Scene) -> None:
    """Over the protocol's own client and a server of its own."""
    root = folder / "project"
    shutil.copytree(_template(), root, symlinks=True)
    env = environment(folder / "state", gate_seconds="0")

    failed: list[BaseException] = []

    async def whole() -> None:
        async with connected(SERVER, root, env) as session:
            try:
                await scene(DriftStand(root, session, env))
            except (AssertionError, KeyError) as error:  # what a task group raises can not be read
                failed.append(error)

    anyio.run(whole)
    if failed:
        raise failed[0]
