"""A project with a small studio of its own, and an agent that calls the tools as a client would."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from leeboard.surfaces.mcp.calls import McpCall
from leeboard.surfaces.mcp.protocol import Channel, McpRequest
from leeboard.surfaces.mcp.server import Toolbox
from tests.git_repository import GitRepository

STUDIO = {
    "STUDIO.md": "---\nname: Small\nslug: small\naliases: [little]\ndescription: For tests.\nstages: [shape, build, ship]\n---\n",
    "stages/shape/STAGE.md": "---\nname: shape\nhats: [worker]\nreview: auto\nelaboration: autonomous\n---\nShape it.\n",
    "stages/shape/hats/worker.md": "Do it.\n",
    "stages/build/STAGE.md": (
        "---\nname: build\nhats: [builder, checker]\nreview: ask\nelaboration: autonomous\nunit_types: [code]\n"
        "fix_hats: [fixer]\n---\nBuild it.\n"
    ),
    "stages/build/hats/builder.md": "Build it.\n",
    "stages/build/hats/checker.md": "Check it.\n",
    "stages/build/fix-hats/fixer.md": "Fix it.\n",
    "stages/build/review-agents/critic.md": "Find fault.\n",
    "stages/ship/STAGE.md": "---\nname: ship\nhats: [shipper]\nreview: ask\n---\nShip it.\n",
    "stages/ship/hats/shipper.md": "Ship it.\n",
}
UNIT = """---
title: {title}
type: code
inputs: [intent.md]
outputs: [{output}]
---
Write {output}.

- [ ] {output} is there
"""


def make_project(folder: Path) -> GitRepository:
    made = GitRepository(folder)
    made.write("app.py", "first = 1\n")
    for path, text in STUDIO.items():
        made.write(f".haiku/studios/small/{path}", text)
    made.commit("begin")
    return made


class Answer:
    """What a tool answered: its JSON, the words below it, and whether it is an error."""

    def __init__(self, result: Mapping[str, Any]) -> None:
        program, _, self.words = result["content"][0]["text"].partition("\n---\n")
        self.json: dict[str, Any] = json.loads(program)
        self.is_error: bool = result["isError"]

    def __getitem__(self, key: str) -> Any:
        return self.json[key]


class Agent:
    """Calls tools in this process, each as if by a server that has just been started.

    It says of a hat what it was told last: which one it is, and in which bolt.
    """

    def __init__(self, root: Path | str) -> None:
        self.root = Path(root)
        self._held: dict[str, dict[str, Any]] = {}

    def __call__(self, tool: str, /, **arguments: Any) -> Answer:
        call = McpCall(Channel(-1, -1), McpRequest(1, "tools/call", {}))
        call.end(called_off=False)
        if tool.endswith(("_advance_hat", "_reject_hat", "_increment_bolt")):
            arguments = self._held.get(str(arguments.get("unit", arguments.get("feedback_id"))), {}) | arguments
        name = tool if tool.startswith("leeboard_") else f"haiku_{tool}"
        answer = Answer(Toolbox(str(self.root)).run(name, arguments, call))
        self._hold(answer.json)
        return answer

    def _hold(self, told: dict[str, Any]) -> None:
        items = told.get("items", ()) if told.get("action") == "review_fix" else told.get("units", ())
        for each in (told, *(item for item in items if isinstance(item, dict))):
            name = each.get("unit") or each.get("feedback_id")
            hat, bolt = each.get("hat") or told.get("hat"), each.get("bolt")
            if isinstance(name, str) and hat and bolt:
                self._held[name] = {"hat": hat, "bolt": bolt}

    def refused(self, tool: str, /, **arguments: Any) -> str:
        """The code of the error this call is answered with."""
        answer = self(tool, **arguments)
        assert answer.is_error, answer.json
        assert answer["message"]
        assert answer["next"]
        return str(answer["code"])

    def until(self, action: str, most: int = 12) -> Answer:
        """Ask for the next action until it is this one."""
        seen = []
        for _ in range(most):
            answer = self("run_next")
            seen.append(answer.json.get("action"))
            if answer.json.get("action") == action:
                return answer
        raise AssertionError(f"{action} did not come: {seen}")

    def begin(self, slug: str = "thing") -> None:
        assert not self(
            "intent_create", title="Make the thing", description="It is wanted.", slug=slug, studio="small"
        ).is_error

    def plan(self, *outputs: str) -> list[str]:
        """Write a unit for each output."""
        units = [f"unit-{number:02}-{Path(output).stem}" for number, output in enumerate(outputs, 1)]
        for unit, output in zip(units, outputs, strict=True):
            written = self("unit_write", unit=unit, content=UNIT.format(title=unit, output=output))
            assert not written.is_error, written.json
        return units

    def work(self, unit: str, output: str, hats: int) -> Answer:
        """Do a unit from its first hat to its last."""
        started = self("unit_start", unit=unit)
        assert not started.is_error, started.json
        tree = Path(started["worktree"] or self.root)
        (tree / output).write_text(f"{unit}\n", encoding="utf-8")
        if started["worktree"]:
            GitRepository(tree).commit(f"write {output}")
        assert not self("unit_set", unit=unit, field="criteria", value=[f"{output} is there"]).is_error
        for _ in range(hats):
            answer = self("unit_advance_hat", unit=unit)
            assert not answer.is_error, answer.json
        return answer

    def through_shape(self) -> None:
        """Past the first stage, which needs nobody."""
        self.begin()
        self.until("elaborate")
        (unit,) = self.plan("shape.txt")
        self.until("start_unit")
        self.work(unit, "shape.txt", hats=1)
        self.until("start_stage")
