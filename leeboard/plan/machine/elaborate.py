"""elaborate: the work is split into units, with the person, and the split has to hold before anything is built."""

from __future__ import annotations

from typing import Any

from leeboard.model.plan import TURNS_NEEDED
from leeboard.model.unit import Unit
from leeboard.plan.effect import WriteStage
from leeboard.plan.files.files import unit_number
from leeboard.plan.machine.cautions import stale, without_criteria, without_outputs
from leeboard.plan.machine.findings import claim, claimable, is_revisit, item_payload
from leeboard.plan.machine.hats import cycle, unresolved
from leeboard.plan.machine.look import PlanLook, RowMatch, named, places_payload, places_told, promised, promised_text


def turns_moved(look: PlanLook) -> RowMatch | None:
    """`elaboration_turns` follows the evidence, and only the evidence."""
    if look.stage.state.elaboration_turns == look.plan.user_turns:
        return None
    fields = {"elaboration_turns": look.plan.user_turns}
    return RowMatch(do=(WriteStage(stage=look.stage.spec.name, fields=fields),))


def choice_open(look: PlanLook) -> RowMatch | None:
    asked = look.stage.state.question
    if asked is None:
        return None
    options = [str(each) for each in asked.get("options", ())]
    text = (
        f"The user was asked to choose: {asked.get('decision', '')} ({', '.join(options)}). They answer on the page "
        "(`leeboard open`) or with `leeboard flow say`."
    )
    return RowMatch(text=text, payload={"question": asked.get("decision", ""), "options": options})


def lacks_turns(look: PlanLook) -> bool:
    return look.stage.spec.elaboration == "collaborative" and look.plan.user_turns < TURNS_NEEDED


def units_to_discuss(look: PlanLook) -> RowMatch | None:
    return to_split(look) if not look.stage.units and lacks_turns(look) else None


def units_to_write(look: PlanLook) -> RowMatch | None:
    return to_split(look) if not look.stage.units else None


def to_split(look: PlanLook) -> RowMatch:
    """Tells the agent to split a stage into units, and what a unit file has to say."""
    how = "Talk it through with the user, then split" if lacks_turns(look) else "Split"
    text = (
        f"{how} the work of stage {look.stage.spec.name} into unit files (unit-NN-name.md) with title, "
        f"{'type, ' if look.stage.spec.unit_types else ''}depends_on, inputs, outputs, quality_gates and `- [ ]` "
        f"criteria.{promised_text(look)}"
        f"{f' {_how_they_count(look)}' if lacks_turns(look) else ''}"
    )
    return RowMatch(text=text, payload=elaborate_payload(look))


def _how_they_count(look: PlanLook) -> str:
    return (
        "The user's own prompts count where Leeboard's hooks run; else they answer with `leeboard flow say TEXT` "
        f"({look.plan.user_turns} of {TURNS_NEEDED} so far)."
    )


def stale_answered(look: PlanLook) -> RowMatch | None:
    """Told in this visit, and asked for what comes next: that is an answer."""
    state, last = look.stage.state, look.plan.last
    began = state.iterations[-1].started_at if state.iterations else state.started_at
    if not _stale_untold(look) or last is None or last.name != "elaborate" or last.at < began:
        return None
    return RowMatch(do=(WriteStage(stage=look.stage.spec.name, fields={"stale_told": state.visits}),))


def stale_to_tell(look: PlanLook) -> RowMatch | None:
    """Once in each visit, before the old units pass for a plan of what changed."""
    if not _stale_untold(look):
        return None
    text = (
        f"{stale(look.stage)} Its units stay as they are. Look at what changed in the earlier stage, and write units "
        "for what has to follow from it here; where nothing has to, the plan goes on as it is."
    )
    return RowMatch(text=text, payload=elaborate_payload(look))


def _stale_untold(look: PlanLook) -> bool:
    return bool(look.stage.state.stale_reason) and look.stage.state.stale_told != look.stage.state.visits


def elaborate_payload(look: PlanLook) -> dict[str, Any]:
    stage, spec = look.stage, look.stage.spec
    payload: dict[str, Any] = {
        "elaboration": spec.elaboration,
        "stage_metadata": {"description": spec.description, "body": spec.body},
        "guidance": spec.phase_notes.get("elaborate", ""),
        "turns": look.plan.user_turns,
        "required": TURNS_NEEDED if spec.elaboration == "collaborative" else 0,
        "unit_types": list(spec.unit_types),
        "discovery": [
            {"name": each.name, "location": each.place(look.plan.intent.slug)} for each in stage.missing_discovery
        ],
        "required_outputs": promised(look),
        "iteration": stage.state.visits,
        "completed_units": [unit.id for unit in stage.units if unit.status == "completed"],
        "pending_feedback": [item_payload(item) for item in look.open_feedback],
    }
    if stage.state.stale_reason:
        payload["stale_reason"] = stage.state.stale_reason
    if said := [text for text in (without_criteria(stage), without_outputs(stage)) if text]:
        payload["warnings"] = said
    return payload


def turns_missing(look: PlanLook) -> RowMatch | None:
    if not lacks_turns(look):
        return None
    text = (
        f"Too few turns with the user: ask what is still open about stage {look.stage.spec.name} and let them answer. "
        f"{_how_they_count(look)}"
    )
    return RowMatch(text=text, payload={"turns": look.plan.user_turns, "required": TURNS_NEEDED})


def dependency_missing(look: PlanLook) -> RowMatch | None:
    missing = unresolved(look.stage.units)
    if not missing:
        return None
    told = [f"{unit} wants {wanted}" for unit, wanted in missing]
    text = f"No such unit in this stage: {named(told)}. Write the unit, or correct depends_on."
    return RowMatch(text=text, payload={"unresolvedDeps": [{"unit": unit, "dep": dep} for unit, dep in missing]})


def dependencies_circle(look: PlanLook) -> RowMatch | None:
    circle = cycle(look.stage.units)
    if not circle:
        return None
    text = f"Units wait for each other: {' -> '.join(circle)}. Take one of the depends_on away."
    return RowMatch(text=text, payload={"cycle": list(circle)})


def names_wrong(look: PlanLook) -> RowMatch | None:
    violations = [each for view in look.reached for each in _name_violations([unit.id for unit in view.units])]
    violations += _taken(look)
    if not violations:
        return None
    told = [f"{each['file']}: {each['issue']}" for each in violations]
    text = f"Rename these unit files to unit-NN-short-name.md, each number once: {named(told)}."
    return RowMatch(text=text, payload={"violations": violations})


def _name_violations(ids: list[str]) -> list[dict[str, str]]:
    found: list[dict[str, str]] = []
    numbers: dict[int, str] = {}
    for unit in sorted(ids):
        number = unit_number(unit)
        if number is None:
            found.append({"file": f"{unit}.md", "issue": "is not named unit-NN-short-name.md"})
            continue
        if number in numbers:
            found.append({"file": f"{unit}.md", "issue": f"has the number of {numbers[number]}"})
        numbers.setdefault(number, unit)
    return found


def _taken(look: PlanLook) -> list[dict[str, str]]:
    """Branches and work trees are named after units, so a name is given once in an intent."""
    others = {unit.id for view in look.plan.stages if view.spec != look.stage.spec for unit in view.units}
    mine = [unit.id for unit in look.stage.units if unit.status == "pending" and unit.id in others]
    return [{"file": f"{unit}.md", "issue": "has the name of a unit of another stage"} for unit in mine]


def types_wrong(look: PlanLook) -> RowMatch | None:
    allowed = look.stage.spec.unit_types
    wrong = [unit for unit in look.stage.units if allowed and unit.type not in allowed and _is_judged(unit)]
    told = [f"{unit.id} is of type {unit.type}" if unit.type else f"{unit.id} names no type" for unit in wrong]
    idle = _idle_gates(look)
    if not wrong and not idle:
        return None
    text = f"{named(told)}; stage {look.stage.spec.name} takes {named(allowed)}. Correct the type." if wrong else ""
    if idle:
        gates = [f"{gate['gate']} of {gate['of']} ({gate['command']})" for gate in idle]
        text += f" Quality gates that can not fail show nothing: {named(gates)}. Let their exit status tell."
    violations = [{"unit": unit.id, "type": unit.type} for unit in wrong]
    payload = {"violations": violations, "allowed_types": list(allowed), "idle_gates": idle}
    return RowMatch(text=text.strip(), payload=payload)


def _is_judged(unit: Unit) -> bool:
    """What was begun under other rules goes on, unless it says what is wrong."""
    return bool(unit.type) or unit.status == "pending"


def _idle_gates(look: PlanLook) -> list[dict[str, str]]:
    from leeboard.shell.outcome import can_fail  # noqa: PLC0415 - loads the grammar, and most plans have no new gates

    if look.stage.state.phase != "elaborate":
        return []
    of = [("the intent", gate) for gate in look.plan.intent.quality_gates]
    of += [(unit.id, gate) for unit in look.stage.units if unit.status == "pending" for gate in unit.quality_gates]
    return [{"of": name, "gate": gate.name, "command": gate.command} for name, gate in of if not can_fail(gate.command)]


def inputs_missing(look: PlanLook) -> RowMatch | None:
    """A unit has to say what it reads, and that has to be there, or be made by a unit it depends on."""
    silent = [unit.id for unit in look.stage.units if unit.status != "completed" and not unit.inputs]
    absent = look.stage.missing_inputs
    if not silent and not absent:
        return None
    told = [f"{unit} names no inputs" for unit in silent] + [f"{unit} reads {path}" for unit, path in absent]
    text = (
        f"Inputs that are not there: {named(told)}. Name files that exist, or outputs of a unit that it depends on; "
        "intent.md is an input too."
    )
    payload = {
        "missing_units": sorted({*silent, *(unit for unit, _ in absent)}),
        "missing": [{"unit": unit, "input": path} for unit, path in absent],
    }
    return RowMatch(text=text, payload=payload)


def discovery_missing(look: PlanLook) -> RowMatch | None:
    missing = look.stage.missing_discovery
    if not missing:
        return None
    text = f"The stage has to find out and write down first: {named(places_told(look, missing))}."
    return RowMatch(text=text, payload=places_payload(look, missing))


def feedback_unclaimed(look: PlanLook) -> RowMatch | None:
    """What the stage was revisited for needs a unit that settles it."""
    claimed = {name for unit in look.stage.units if unit.status != "completed" for name in unit.closes}
    filed = claimable(look)
    owed = [claim(item) for item in filed if is_revisit(item) and claim(item) not in claimed]
    unknown = sorted(claimed - {claim(item) for item in filed})
    if owed:
        text = f"No unit settles {named(owed)}. Write one, or add to one nobody has begun, with `closes: [{owed[0]}]`."
    elif unknown:
        text = f"Units close findings that are not there: {named(unknown)}. Correct their `closes`."
    else:
        return None
    return RowMatch(text=text, payload={**elaborate_payload(look), "validation_error": text})
