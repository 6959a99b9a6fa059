"""What an agent must know though nothing is wrong: the goal after a compaction, the limits when a sub-agent starts."""

from __future__ import annotations

from leeboard.model.event import AgentStarted, Event, SessionStarted
from leeboard.model.outcome import Step, TeamStep
from leeboard.model.plan import Plan, StageView
from leeboard.model.session import AgentState, Session
from leeboard.model.unit import Unit
from leeboard.plan.guards.words import next_call
from leeboard.text.words import cut, element

_ROOM = 1_200


def wants_past(event: Event, session: Session) -> bool:
    """Whether what was done before belongs into the words: the agent may have lost it."""
    return bool(session.goals) and isinstance(event, SessionStarted) and event.reason in {"compact", "resume"}


def brief(event: Event, session: Session, agent: AgentState, past: tuple[Step, ...] = ()) -> str:
    """The words, or nothing when the moment does not call for any."""
    if not session.goals:
        return ""
    match event:
        case SessionStarted(reason="compact" | "resume"):
            opening = "The context was shortened" if event.reason == "compact" else "The session goes on"
            return _tagged([*_goal_again(opening, session, agent), *_done(past, session.id), *told_of_team(past)])
        case AgentStarted() if limits := _said_limits(session):
            return _tagged([f"Limits the user set for this session: {limits}."])
        case _:
            return ""


def _said_limits(session: Session) -> str:
    """Those of the user and of a team's policy; what the project has written down agents read for themselves."""
    return "; ".join(constraint.told for constraint in session.contract.constraints if constraint.is_told)


def _done(past: tuple[Step, ...], session_id: str) -> list[str]:
    """The files that this session's key decisions and kept steps changed; other sessions' are not its own."""
    own = [step for step in past if step.session_id == session_id and step.action_type in {"edit", "write"}]
    changed = [path for step in own for path in step.files]
    return [cut(f"Changed so far: {', '.join(dict.fromkeys(changed))}", 240)] if changed else []


def told_of_team(past: tuple[Step, ...]) -> list[str]:
    """Who else in the team changed what: names and paths alone, since others' agents wrote the words beside them."""
    by_member: dict[str, dict[str, bool]] = {}
    for step in past:
        if isinstance(step, TeamStep) and step.action_type in {"edit", "write"}:
            changed = by_member.setdefault(step.member, {})
            changed |= {path: step.is_key_decision or changed.get(path, False) for path in step.files}
    if not by_member:
        return []
    told = "; ".join(
        f"{member} changed {', '.join(map(_decisive, paths.items()))}" for member, paths in by_member.items()
    )
    return [cut(f"In the team: {told}. `leeboard recall PATH` tells more.", 300)]


def _decisive(changed: tuple[str, bool]) -> str:
    path, decisive = changed
    return f"{path} (key decision)" if decisive else path


def _goal_again(opening: str, session: Session, agent: AgentState) -> list[str]:
    """The open correction stands before what may be long: it is what must not get lost."""
    contract = session.contract
    lines = [f"{opening}; this is what the work is about.", f"Goal: {contract.objective}"]
    if agent.corrected and agent.correction is not None:
        lines.append(cut(f"Open correction ({agent.correction.level}): {', '.join(agent.correction.paths)}.", 200))
    if session.goals[0].text != contract.objective:
        lines.append(f"First asked for: {cut(session.goals[0].text, 200)}")
    if contract.scope:
        lines.append(cut(f"Scope so far: {', '.join(contract.scope[:8])}", 240))
    if limits := _said_limits(session):
        lines.append(f"Limits the user set: {limits}")
    return lines


def _tagged(lines: list[str]) -> str:
    return element(cut("\n".join(lines), _ROOM - 30))


# What an agent must know of the workflow it is in: where it stands, its one unit and hat, how much room is left.
#
# Nothing here shows the whole map: of units only those at work, and of later stages not even the names.


ROOM = 1_500
UNIT_ROOM = 7_500
"""A sub-agent knows nothing but this and its task."""
THRESHOLDS = (35, 25)
"""Percent of the context that are left when it is time to say so."""
MARK = "<leeboard-unit>"
_MOST_UNITS = 5


def brief_plan(plan: Plan, unit: Unit | None) -> str:
    """For an agent that begins, or has lost what it knew."""
    stage = plan.active
    lines = [f'The work follows a workflow on disk: intent "{plan.intent.slug}" ({plan.intent.title or "untitled"}).']
    if stage is not None:
        lines.append(f"Stage {stage.spec.name}, phase {stage.state.phase or 'not begun'}.")
        lines += _at_work(plan, stage, unit)
        lines.append(
            f"State file: .haiku/intents/{plan.intent.slug}/stages/{stage.spec.name}/state.json (only read it)."
        )
    lines.append(f"Next: {next_call(plan)}. It gives one action; carry that out and call it again.")
    return _plan_tagged("leeboard-workflow", lines, ROOM)


def _at_work(plan: Plan, stage: StageView, unit: Unit | None) -> list[str]:
    at_work = [unit] if unit else [one for one in stage.units if one.status == "active"][:_MOST_UNITS]
    return [f"Unit {one.id}: hat {one.hat or 'none yet'}, bolt {one.bolt}{_where(plan, one)}." for one in at_work]


def _where(plan: Plan, unit: Unit) -> str:
    place = plan.git.worktrees.get(unit.id, "")
    return f", work tree {place}" if place else ""


def brief_unit(plan: Plan, unit: Unit) -> str:
    """For a sub-agent: its unit and its hat, and nothing of the others."""
    stage = plan.active
    hat = next((one for one in stage.spec.hats if one.name == unit.hat), None) if stage else None
    place = plan.git.worktrees.get(unit.id, "")
    lines = [
        f'You work on one unit of the intent "{plan.intent.slug}": {unit.id} ({unit.title or "untitled"}).',
        f"Stage {unit.stage}. Your hat: {unit.hat or 'none'}, bolt {unit.bolt}. Wear no other hat.",
    ]
    if place:
        lines.append(f"Its work tree: {place}. Read and write there, with absolute paths; nothing outside is yours.")
    if hat and hat.mandate.strip():
        lines += ["", f"What the {hat.name} does:", cut(hat.mandate.strip(), 2_500)]
    lines += _task(unit)
    lines += ["", *_ends_with(plan, unit)]
    return _plan_tagged(MARK.strip("<>"), lines, UNIT_ROOM)


def _task(unit: Unit) -> list[str]:
    lines = ["", "The unit:", cut(unit.body.strip(), 2_500)] if unit.body.strip() else []
    lines += [f"Inputs: {', '.join(unit.inputs)}"] if unit.inputs else []
    lines += [f"It has to produce: {', '.join(unit.outputs)}"] if unit.outputs else []
    lines += [f"It may change only: {', '.join(unit.touch)}"] if unit.touch else []
    for gate in unit.quality_gates:
        lines.append(f"Quality gate {gate.name}: `{gate.command}`" + (f" in {gate.dir}" if gate.dir else ""))
    return lines


def _ends_with(plan: Plan, unit: Unit) -> list[str]:
    named = f'intent "{plan.intent.slug}", unit "{unit.id}", hat "{unit.hat}" and bolt {unit.bolt}'
    passing = f"When the hat's work is done call `haiku_unit_advance_hat` with {named};"
    back = "where it has to go back call `haiku_unit_reject_hat` with the reason. Ending without either is refused."
    return [f"{passing} {back}", "Status, hat, bolt and times in the files are the engine's: never write them."]


def notice_context(left: float, plan: Plan) -> str:
    """For an agent whose context runs out; `left` between zero and one."""
    percent = round(left * 100)
    first = f"About {percent} % of the context is left."
    if percent > THRESHOLDS[-1]:
        advice = "Bring the step at hand to an end, and begin nothing large."
    else:
        advice = "Stop adding to it: commit what is done in the work tree, and hand on."
    rest = f"Nothing is lost with the context: the workflow is on disk, and {next_call(plan)} goes on from there."
    return _plan_tagged("leeboard-workflow", [first, advice, rest], ROOM)


def _plan_tagged(name: str, lines: list[str], room: int) -> str:
    body = "\n".join(lines).replace(f"</{name}", name).replace(f"<{name}", name)
    return f"<{name}>\n{cut(body, room)}\n</{name}>"
