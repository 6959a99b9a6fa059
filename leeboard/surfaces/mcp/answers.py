"""What a tool answers: JSON for programs, and where something is to be done, words for the agent below it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from leeboard.model.plan import Clue
from leeboard.model.text import lazy
from leeboard.surfaces.mcp.protocol import answer

ASK_AGAIN = "haiku_run_next"
"""The way out of every refusal: it says what may be done now."""
_TOOL = lazy(r"\bhaiku_[a-z_]{2,40}\b")


def tool_in(words: str, otherwise: str = ASK_AGAIN) -> str:
    """The tool that a next step names: programs are given no sentence."""
    return next(iter(_TOOL.findall(words)), otherwise)


def told(facts: Mapping[str, Any]) -> dict[str, Any]:
    """Something that was asked for."""
    return answer(_json(facts))


def asked_to(action: Mapping[str, Any], instruction: str, *, is_error: bool = False) -> dict[str, Any]:
    """The one thing to do now."""
    return answer(f"{_json(action)}\n---\n{instruction}", is_error=is_error)


def refused(code: str, message: str, following: str = ASK_AGAIN, **details: Any) -> dict[str, Any]:
    """Why not, and what instead."""
    return answer(_json({"code": code, "message": message, "next": following, **details}), is_error=True)


def _json(value: Mapping[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1)


# A clue in words for the agent: what it says, how that is done with these tools, and what to do afterwards.


_SPLIT = (
    "Write each unit with haiku_unit_write: frontmatter (title, depends_on, inputs, outputs, quality_gates), then what "
    "is to be done and `- [ ]` criteria that can be checked. Discovery files are written as usual files."
)
_CORRECT = (
    "Correct the units with haiku_unit_write or haiku_unit_set; haiku_unit_list shows how they depend on each other."
)
_WORK = (
    "Read the unit with haiku_unit_read. Work in its worktree only, follow the hat's mandate, tick criteria off with "
    "haiku_unit_set (field criteria) as they are met, commit there. Several units: one sub-agent each, side by side."
)
_FIX = "Read it with haiku_feedback_read. Change only what settles it, and commit."
_MERGE = "Resolve the marked conflicts in the unit's worktree so that both sides keep what they meant; commit there."
_PERSON = "Only the person decides; there is no tool for it. Say that `leeboard flow review` shows and decides it."
HOW: dict[str, str] = {
    "select_studio": "haiku_studio_get shows what a studio consists of.",
    "select_mode": "Ask the user, then call haiku_select_mode.",
    "select_stage": "Ask the user, then call haiku_select_stage.",
    "start_stage": "haiku_knowledge_list names what is known already.",
    "elaborate": _SPLIT,
    "elaboration_insufficient": "Ask one question, end your turn, wait for the answer. Repeating the call is no turn.",
    "unresolved_dependencies": _CORRECT,
    "dag_cycle_detected": _CORRECT,
    "unit_naming_invalid": "Write it anew under a right name with haiku_unit_write, haiku_unit_delete the old one.",
    "spec_validation_failed": _CORRECT,
    "unit_inputs_missing": _CORRECT,
    "discovery_missing": "Find it out, and write the named files.",
    "start_unit": _WORK,
    "start_units": _WORK,
    "continue_unit": _WORK,
    "continue_units": _WORK,
    "outputs_missing": "Bring forth the named files; they are part of what the stage promised.",
    "fix_quality_gates": "Run the failing commands yourself until they pass; do not weaken them. Commit the fix.",
    "review": (
        "Start one sub-agent for each review agent that is named, with its mandate and the diff of the stage. Each "
        "files what it finds with haiku_feedback, and its report is recorded with haiku_review_report."
    ),
    "review_fix": _FIX,
    "feedback_triage": "haiku_feedback_read shows each. A finding of a person is taken seriously as it stands.",
    "feedback_dispatch": "haiku_feedback_read shows each.",
    "feedback_revisit": "haiku_feedback_read shows each.",
    "changes_requested": "haiku_feedback_list shows what the person wrote.",
    "revise_unit_specs": f"haiku_feedback_list shows what the person wrote. {_CORRECT}",
    "gate_review": f"{_PERSON} Change nothing while you wait.",
    "intent_review": f"{_PERSON} Change nothing while you wait.",
    "external_review_requested": (
        "Open the review where the project does (a pull or merge request from the intent's branch), then call "
        "haiku_run_next with its external_review_url."
    ),
    "awaiting_external_review": "Nothing can be done here until the review was merged or answered elsewhere.",
    "manual_change_assessment": (
        "Read each diff, and the file where there is none and it is not gone. One classification for each finding, all "
        "in one call of haiku_classify_drift with this tick_id; `*` as path speaks for all that are not named. Do not "
        "undo, overwrite or claim a change of somebody else."
    ),
    "commit_wip": "Commit or stash only what the user agrees to.",
    "resolve_merge_conflicts": _MERGE,
    "merge_conflict": _MERGE,
    "escalate": "Tell the user what was tried and what they can decide; end your turn.",
    "loop_halted": "Tell the user what repeats and why; end your turn. Do not go round it.",
    "blocked": "Tell the user what blocks the work; end your turn.",
    "complete": "Tell the user in a few sentences what was reached.",
    "intent_complete": "Tell the user in a few sentences what was reached.",
}
"""By action: how it is done with the tools at hand. Actions whose message says it all are not here."""
_ENDS = frozenset({"complete", "intent_complete", "escalate", "loop_halted", "blocked"})
_PENDING = "No decision yet. Call haiku_run_next again: it waits for the person and answers when they have decided."
_AT_GATES = frozenset({"gate_review", "intent_review", "awaiting_external_review"})
_AGAIN = "call haiku_run_next again"


def instruction(clue: Clue) -> str:
    """A few lines. Nothing of a stage that has not begun."""
    told = (clue.message, HOW.get(clue.action, ""), *_notes(clue), _closing(clue))
    return "\n".join(part for part in told if part)


def is_gate(clue: Clue) -> bool:
    """Whether somebody else has to decide, so that the call may wait for it."""
    return clue.action in _AT_GATES and not clue.is_error


def _notes(clue: Clue) -> tuple[str, ...]:
    also = tuple(f"Also: {each['message']}" for each in clue.payload.get("also", ()))
    found = clue.payload.get("warnings")
    return (*also, *(f"Note: {word}" for word in found)) if isinstance(found, list) else also


def _closing(clue: Clue) -> str:
    if is_gate(clue):
        return _PENDING
    if clue.action in _ENDS or _AGAIN in clue.message:
        return ""
    return f"When the user has answered, {_AGAIN}." if clue.waits else f"Then {_AGAIN}."
