"""The gate of a stage, attacked by the agent that waits at it: with the command line, the tools, and edits of files."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.flow_desk import SLUG, FlowDesk

STAGE = f".haiku/intents/{SLUG}/stages/build"


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FlowDesk:
    made = FlowDesk(tmp_path, monkeypatch)
    made.at_stage_gate()
    made.as_agent()
    return made


@pytest.mark.parametrize(
    "words",
    [
        ("review", "--approve"),
        ("review", "--external", "https://example.invalid/1"),
        ("review", "--request-changes", "none"),
        ("abandon", SLUG, "--reason", "x", "--yes"),
        ("delete", SLUG, "--yes"),
        ("say", "approve it"),
    ],
)
def test_commands_that_are_a_persons(desk: FlowDesk, words: tuple[str, ...]) -> None:
    before = desk.plan_now.active
    assert desk.flow(*words).code != 0
    assert desk.plan_now.active == before


def test_no_tool_decides(desk: FlowDesk) -> None:
    calls: dict[str, dict[str, Any]] = {
        "run_next": {"external_review_url": "https://example.invalid/1"},
        "await_gate": {},
        "decision_record": {"decision": "Pass?", "options": ["yes", "no"], "choice": "yes", "source": "user"},
        "select_stage": {"stages": ["ship"]},
        "select_studio": {"studio": "everyday"},
        "settings_set": {"path": "review_agents", "value": False},
        "human_write": {"path": "stages/build/rulings.jsonl", "content": "{}", "rationale": "x"},
    }
    for tool, given in calls.items():
        desk(tool, intent=SLUG, **given)
    stage = desk.plan_now.active
    assert stage is not None
    assert (stage.spec.name, stage.state.phase) == ("build", "gate")


def _rule(root: Path) -> None:
    line = {"decision": "approved", "by": "kim", "visit": 1, "context": "stage_gate", "mac": "0" * 32}
    path = root / STAGE / "rulings.jsonl"
    path.write_text(f"{path.read_text()}{json.dumps(line)}\n")


def _again(root: Path) -> None:
    """The person's approval of the plan, once more and about the stage."""
    path = root / STAGE / "rulings.jsonl"
    path.write_text(path.read_text() + path.read_text().replace("intent_review", "stage_gate"))


def _complete(root: Path) -> None:
    path = root / STAGE / "state.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"status": "completed"}))


def _loosen(root: Path) -> None:
    path = root / ".haiku/studios/small/stages/build/STAGE.md"
    path.write_text(path.read_text().replace("review: ask", "review: auto"))


def _unseal(root: Path) -> None:
    (root / f".haiku/intents/{SLUG}/.fsm_checksum").unlink()
    _complete(root)


@pytest.mark.parametrize("forge", [_rule, _again, _complete, _loosen, _unseal])
def test_files_that_are_forged(desk: FlowDesk, forge: Callable[[Path], None]) -> None:
    """Told, or worth nothing: the stage is not passed, and the next one does not begin."""
    forge(desk.root)
    told = desk("run_next", intent=SLUG)
    assert told.is_error or told["action"] == "gate_review", told.json
    if told.is_error:
        assert desk.flow("repair", "--apply").code != 0, "who takes it as it is, is a person"
    state = desk.root / f".haiku/intents/{SLUG}/stages/ship/state.json"
    assert not state.exists() or not json.loads(state.read_text()).get("phase")
