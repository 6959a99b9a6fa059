"""A workflow on disk made by hand, with a real repository around it: what the hooks are tried on."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.git_repository import GitRepository
from tests.hook_process import HookProcess, hook_payload
from tests.trusting import trust_all

SLUG, STAGE, FORM, MAIL = "login", "build", "unit-01-form", "unit-02-mail"
ALONE: dict[str, str | None] = {"LEEBOARD_RESIDENT": "0", "LEEBOARD_INDEX": "0", "LEEBOARD_KEEP": "0"}
INTENT = """\
---
title: Log in with a link
studio: shop
mode: continuous
status: active
active_stage: build
stages: [build, release]
started_at: 2026-01-01T00:00:00Z
---
People log in by a link in a mail.
"""
UNIT = """\
---
title: {title}
type: feature
depends_on: []
inputs: [src/login.py]
outputs: [src/]
quality_gates:
  - name: tests
    command: {gate}
status: active
hat: {hat}
bolt: 1
started_at: 2026-01-01T00:00:00Z
---
Make it work.

- [ ] it works
"""
STAGE_PAGE = """\
---
name: build
hats: [planner, builder, reviewer]
review: ask
unit_types: [feature, fix]
---
Build it.
"""


class PlanTree:
    """The intent `login` at its stage `build` with two units at work, and hooks run as real processes in it."""

    def __init__(self, folder: Path, phase: str = "execute", gate: str = "'true'", hat: str = "builder") -> None:
        self.process = HookProcess(folder=str(folder))
        self.git = GitRepository(folder / "repo")
        self.top = self.git.path
        self.calls = 0
        self.git.write("src/login.py", "one\n")
        self.git.write(f".haiku/intents/{SLUG}/intent.md", INTENT)
        self.git.write(".haiku/studios/shop/STUDIO.md", "---\nname: Shop\nstages: [build, release]\n---\n")
        self.git.write(".haiku/studios/shop/stages/build/STAGE.md", STAGE_PAGE)
        self.git.write(".haiku/studios/shop/stages/build/hats/builder.md", "Write the code, test first.\n")
        self.git.write(".gitignore", ".haiku/worktrees/\n")
        for unit, title in ((FORM, "The form"), (MAIL, "The mail")):
            self.unit_file(unit).parent.mkdir(parents=True, exist_ok=True)
            self.unit_file(unit).write_text(UNIT.format(title=title, gate=gate, hat=hat))
        self.phase(phase)
        self.git.commit("the plan")
        trust_all(self.top, self.process.state_dir)
        for unit in (FORM, MAIL):
            self.git.run("worktree", "add", "-q", "-b", f"haiku/{SLUG}/{unit}", str(self.tree(unit)))

    def unit_file(self, unit: str) -> Path:
        return self.top / f".haiku/intents/{SLUG}/stages/{STAGE}/units/{unit}.md"

    def tree(self, unit: str) -> Path:
        return self.top / f".haiku/worktrees/{SLUG}/{unit}"

    def phase(self, phase: str) -> None:
        state = {"stage": STAGE, "status": "active", "phase": phase, "started_at": "2026-01-01T00:00:00Z"}
        self.git.write(f".haiku/intents/{SLUG}/stages/{STAGE}/state.json", json.dumps(state))

    def state_files(self) -> dict[str, bytes]:
        """All that says where the workflow stands."""
        found = [*self.top.glob(".haiku/intents/*/intent.md"), *self.top.glob(".haiku/intents/*/stages/*/state.json")]
        found += self.top.glob(".haiku/intents/*/stages/*/units/*.md")
        return {str(path): path.read_bytes() for path in found}

    def hook(self, name: str, cwd: Path | None = None, **fields: Any) -> dict[str, Any]:
        """What one hook process answers."""
        trust_all(self.top, self.process.state_dir)
        done = self.process.run(hook_payload(name, **{"cwd": str(cwd or self.top), **fields}), ALONE)
        assert (done.returncode, done.stderr) == (0, b"")
        assert b'"allow"' not in done.stdout, "nothing is ever permitted by us"
        answer = json.loads(done.stdout) if done.stdout else {}
        assert isinstance(answer, dict)
        specific = answer.get("hookSpecificOutput", answer)
        assert isinstance(specific, dict)
        return specific

    def call(self, tool: str, given: dict[str, object], cwd: Path | None = None, **fields: Any) -> dict[str, Any]:
        """What is answered before a call runs."""
        self.calls += 1
        call = {"tool_name": tool, "tool_input": given, "tool_use_id": f"toolu_{self.calls}", **fields}
        return self.hook("PreToolUse", cwd, **call)

    def edit(self, path: Path | str, old: str = "one", new: str = "two", **fields: Any) -> dict[str, Any]:
        given: dict[str, object] = {"file_path": str(self.top / path), "old_string": old, "new_string": new}
        return self.call("Edit", given, **fields)

    def write(self, path: Path | str, content: str, **fields: Any) -> dict[str, Any]:
        return self.call("Write", {"file_path": str(self.top / path), "content": content}, **fields)

    def shell(self, command: str, **fields: Any) -> dict[str, Any]:
        return self.call("Bash", {"command": command}, **fields)

    def wrote(self, path: Path, cwd: Path | None = None, **fields: Any) -> dict[str, Any]:
        """A file written for real, as the client tells of it before and after."""
        given: dict[str, object] = {"file_path": str(path), "content": "made\n"}
        self.call("Write", given, cwd, **fields)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("made\n")
        call = {"tool_name": "Write", "tool_input": given, "tool_use_id": f"toolu_{self.calls}", "tool_response": {}}
        return self.hook("PostToolUse", cwd, **call, **fields)


def is_denied(answer: dict[str, Any]) -> bool:
    return answer.get("permissionDecision") == "deny"
