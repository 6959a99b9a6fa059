"""Record events of the real client that its ordinary work does not bring about: `python -m tests.e2e.record_events [EVENT...]`.

Writes `tests/fixtures/hooks` for the events in SCENES. Needs LEEBOARD_E2E_CLAUDE, as `make e2e` sets it. Paths are those of
a user whose repository is /repo. Events that no scene brings about keep the payload that the client's own schema describes:
FileChanged, PermissionDenied, TeammateIdle, WorktreeRemove.
"""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

import msgspec

from tests.e2e.client import CLIENT, LIMIT, client_env
from tests.e2e.conftest import PROJECT
from tests.e2e.desk import ROOT, Desk
from tests.e2e.model_script import JSON, Script, Use, bash, use
from tests.e2e.scripted_api import serving

FIXTURES = ROOT / "tests" / "fixtures" / "hooks"
KEEPER = Path(__file__).with_name("keep_payload.py")
SERVER = Path(__file__).with_name("asking_server.py")
FILES = {"CLAUDE.md": "# Rules\n", ".claude/commands/fix-issue.md": "Fix the issue: $ARGUMENTS\n"}
NOWHERE = "http://127.0.0.1:9"
IN_TREE = {"description": "t", "prompt": "do it", "subagent_type": "general-purpose", "isolation": "worktree"}


class Scene(msgspec.Struct, frozen=True, kw_only=True):
    """One run of the client, and the events that are kept of it."""

    events: tuple[str, ...]
    said: tuple[str | JSON, ...] = ("go",)
    """What the person says, and what the program around the client asks of it."""
    uses: tuple[Use, ...] = ()
    options: tuple[str, ...] = ("--allowedTools", "Bash(*),Agent,TaskCreate,TaskUpdate,mcp__probe__ask")
    env: dict[str, str] = {}


def asked(**request: str) -> JSON:
    return {"type": "control_request", "request_id": "r", "request": request}


SERVERS = {"mcpServers": {"probe": {"command": sys.executable, "args": [str(SERVER)], "alwaysLoad": True}}}
SCENES = (
    Scene(
        events=("UserPromptExpansion", "InstructionsLoaded", "MessageDisplay"), said=("/fix-issue the add function",)
    ),
    Scene(events=("PermissionRequest",), uses=(bash("touch x"),), options=()),
    Scene(events=("CwdChanged",), uses=(bash("cd src && pwd"), bash("pwd"))),
    Scene(events=("Setup",), options=("--init",)),
    Scene(events=("PreCompact", "PostCompact"), said=("go", "/compact keep the plan")),
    Scene(
        events=("StopFailure",),
        said=("go", "again"),
        env={"ANTHROPIC_BASE_URL": NOWHERE, "CLAUDE_CODE_MAX_RETRIES": "1"},
    ),
    Scene(
        events=("TaskCreated", "TaskCompleted"),
        uses=(
            Use("TaskCreate", {"subject": "Fix add", "description": "Make add() add"}),
            Use("TaskUpdate", {"taskId": "1", "status": "completed"}),
        ),
        env={"CLAUDE_CODE_ENABLE_TODO_TOOLS": "1"},
    ),
    Scene(
        events=("PreModelSwitch", "PostModelSwitch"),
        said=("go", asked(subtype="set_model", model="claude-sonnet-4-5"), "again"),
    ),
    Scene(
        events=("DirectoryAdded",),
        said=(asked(subtype="register_repo_root", directory="src/auth"), "go"),
        uses=(bash("sleep 1"),),
    ),
    Scene(
        events=("Elicitation", "ElicitationResult", "Notification"),
        uses=(Use("mcp__probe__ask", {}),),
        options=("--mcp-config", json.dumps(SERVERS), "--allowedTools", "mcp__probe__ask"),
    ),
    Scene(events=("WorktreeCreate",), uses=(Use("Agent", {**IN_TREE, "run_in_background": False}),)),
)


def record(folder: Path, scene: Scene) -> None:
    desk, kept = Desk(folder, {**PROJECT, **FILES}), folder / "payloads.jsonl"
    line = shlex.join((sys.executable, str(KEEPER), str(kept)))
    hooks = {event: [{"hooks": [{"type": "command", "command": line}]}] for event in scene.events}
    desk.settings.write_text(json.dumps({"hooks": hooks}), encoding="utf-8")
    with serving(Script(main=tuple(use(one) for one in scene.uses))) as (_, address):
        converse(scene, desk, {**desk.env, **client_env(address), **scene.env})
    text = kept.read_text(encoding="utf-8")
    encoded = str(desk.repo).replace("/", "-").replace("_", "-")
    for found, put in ((str(desk.repo), "/repo"), (encoded, "-repo"), (str(desk.home), "/home/user")):
        text = text.replace(found, put)
    told = [json.loads(one) for one in text.splitlines()]
    for event in scene.events:
        (first, *_) = (one for one in told if one["hook_event_name"] == event)
        (FIXTURES / f"{event}.json").write_text(json.dumps(first, indent=2) + "\n", encoding="utf-8")


def converse(scene: Scene, desk: Desk, env: dict[str, str]) -> None:
    """Say all of it; what the client asks the program around it is accepted."""
    line = (CLIENT, "-p", "--verbose", "--input-format", "stream-json", "--output-format", "stream-json")
    pipe = subprocess.PIPE
    with subprocess.Popen(
        ("timeout", str(LIMIT), *line, *scene.options), cwd=desk.repo, env=env, stdin=pipe, stdout=pipe
    ) as client:
        assert client.stdin is not None
        assert client.stdout is not None
        for words in scene.said:
            is_prompt = isinstance(words, str)
            told = {"type": "user", "message": {"role": "user", "content": words}} if is_prompt else words
            client.stdin.write(json.dumps(told).encode() + b"\n")
            client.stdin.flush()
            for printed in client.stdout:
                kind = json.loads(printed).get("type")
                if kind == "control_request":
                    accepted = {"action": "accept", "content": {"branch": "main"}}
                    answer = {"subtype": "success", "request_id": json.loads(printed)["request_id"]}
                    given = {"type": "control_response", "response": {**answer, "response": accepted}}
                    client.stdin.write(json.dumps(given).encode() + b"\n")
                    client.stdin.flush()
                if kind == ("result" if is_prompt else "control_response"):
                    break
        client.stdin.close()
        client.stdout.read()


if __name__ == "__main__":
    for scene in (one for one in SCENES if not sys.argv[1:] or set(sys.argv[1:]) & set(one.events)):
        with tempfile.TemporaryDirectory() as place:
            record(Path(place), scene)
