"""A decision of a stage, written into its log: what was chosen from what, by whom, and why.

It is a record and no evidence: that the user spoke is shown by what the user said, never by an agent's word.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from leeboard.model.effect import Refusal, Step, WriteStage
from leeboard.model.plan import Plan, StageView
from leeboard.workflow.refusal import refuse, standing

LOG = "decision_log"
_AGAIN = "Call haiku_decision_record again."


def decision_recorded(plan: Plan, arguments: Mapping[str, Any], now: str) -> Step | Refusal:
    """Into the log of the active stage."""
    stage = standing(plan)
    if isinstance(stage, Refusal):
        return stage
    named = arguments.get("stage", stage.spec.name)
    if named != stage.spec.name:
        return refuse("wrong_stage", f"Decisions are recorded for the active stage, which is {stage.spec.name}.")
    if refusal := _unsound(arguments):
        return refusal
    entry = _entry(arguments, now)
    fields: dict[str, Any] = {LOG: [*_log(stage), entry]}
    if arguments.get("no_decisions"):
        fields["elaboration_no_decisions"] = True
    return Step(do=(WriteStage(stage=stage.spec.name, fields=fields),))


def _log(stage: StageView) -> list[Any]:
    found = stage.state.extra.get(LOG)
    return list(found) if isinstance(found, list) else []


def _entry(arguments: Mapping[str, Any], now: str) -> dict[str, Any]:
    source = arguments.get("source", "agent")
    told = {"source": source, "rationale": arguments["rationale"].strip(), "recorded_at": now}
    if arguments.get("no_decisions"):
        return {"kind": "no_decisions", **told}
    options = [option.strip() for option in arguments["options"]]
    return {
        "decision": arguments["decision"].strip(),
        "options": options,
        "choice": arguments["choice"].strip(),
        **told,
    }


def _unsound(arguments: Mapping[str, Any]) -> Refusal | None:
    if not arguments.get("rationale", "").strip():
        return refuse("rationale_required", "Nothing says why.", f"Give a rationale. {_AGAIN}")
    if arguments.get("no_decisions"):
        return None
    if not arguments.get("decision", "").strip():
        step = f"Name it, or set no_decisions. {_AGAIN}"
        return refuse("decision_required", "Nothing says what was decided.", step)
    options = [option.strip() for option in arguments.get("options", ()) if option.strip()]
    if len({*options}) < 2:
        return refuse("options_too_few", "A decision has two options at least.", f"Name them. {_AGAIN}")
    if arguments.get("choice", "").strip() not in options:
        step = f"Choose one of {', '.join(options)}. {_AGAIN}"
        return refuse("choice_not_in_options", "What was chosen is none of the options.", step)
    return None
