"""gate: the `review` policy of the stage decides who lets it pass; so does the plan of a stage before it is built."""

from __future__ import annotations

from typing import Any

from msgspec import to_builtins
from msgspec.structs import replace

from leeboard.model.plan import Approved, Iteration
from leeboard.plan.effect import Effect, WriteFeedback, WriteIntent, WriteStage
from leeboard.plan.machine.authored import approved, changed
from leeboard.plan.machine.cautions import cautions, stale
from leeboard.plan.machine.findings import item_payload
from leeboard.plan.machine.look import PlanLook, RowMatch, begun, committed, named
from leeboard.plan.machine.policy import (
    CHANGED_CONTEXTS,
    NOBODY,
    changes_filed,
    changes_item,
    changes_key,
    context,
    gate_kinds,
    is_discrete,
    kinds,
    last_ruling,
    noted_guard,
    offered,
    ruled,
    spec_context,
    unended,
)
from leeboard.plan.machine.proof import failed, owed, stage_commands, unchanged, unproven, warnings
from leeboard.plan.machine.review import reviewers_owed
from leeboard.text.words import counted


def changes_unfiled(look: PlanLook) -> RowMatch | None:
    """What a person asked for becomes a finding first: it outlives everything else."""
    filed = changes_filed(look)
    return RowMatch(do=(filed,)) if filed else None


def specs_to_revise(look: PlanLook, about: tuple[str, ...] = ()) -> RowMatch | None:
    item = changes_item(look, about)
    if item is None or not item.is_open:
        return None
    pending = [unit.id for unit in look.stage.units if unit.status == "pending"]
    asked = " ".join((item.body or item.title).split()).rstrip(".")
    text = (
        f"The user asks for changes of the plan ({item.id}): {asked}. Revise the units, then call "
        "haiku_feedback_update with status addressed; the user looks again."
    )
    payload = {"feedback": item.body, "feedback_ids": [item.id], "unstarted_units": pending}
    return RowMatch(text=text, payload=payload)


def spec_passed(look: PlanLook) -> bool:
    return kinds(look.stage, look.plan.git) == ("auto",) or ruled(look, "approved")


def intent_passed(look: PlanLook) -> RowMatch | None:
    """The first plan of the intent."""
    if not spec_passed(look) or spec_context(look) != "intent_review":
        return None
    text = "The plan is approved: the work may begin."
    payload = {"from_phase": "elaborate", "to_phase": "execute"}
    do = (WriteIntent(fields={"intent_reviewed": True}),)
    return RowMatch(text=text, payload=payload, do=do, fields=_as_it_is(look))


def plan_passed(look: PlanLook) -> RowMatch | None:
    return RowMatch(fields=_as_it_is(look)) if spec_passed(look) else None


def _as_it_is(look: PlanLook) -> dict[str, Any]:
    """From now on the work is held to this plan."""
    return {"approved": to_builtins(approved(look.plan, look.stage))}


def plan_waits(look: PlanLook) -> RowMatch | None:
    text = (
        f"The plan of stage {look.stage.spec.name} ({counted(len(look.stage.units), 'unit')}) waits for the user: they "
        "approve it or ask for changes with `leeboard flow review`."
    )
    if why := stale(look.stage):
        text = f"{why} {text}"
    payload: dict[str, Any] = {
        "gate_type": "ask",
        "gate_context": spec_context(look),
        "next_phase": "execute",
        "decisions": list(offered(look)),
    }
    if said := cautions(look.stage):
        payload["warnings"] = said
    return RowMatch(text=text, payload=payload)


def changes_asked(look: PlanLook) -> RowMatch | None:
    """Filed first; then the review begins anew, so that its reports and the decision are made again."""
    if not changes_key(look):
        return None
    filed, state = changes_filed(look), look.stage.state
    visit = Iteration(index=state.visits + 1, started_at=look.now, trigger="user-revisit", reason="changes requested")
    return RowMatch(do=(filed,) if filed else (), fields=begun(state, visit, "review"))


def feedback_open(look: PlanLook) -> RowMatch | None:
    return RowMatch() if look.open_feedback else None


def proof_lost(look: PlanLook) -> RowMatch | None:
    """The tree moved on after the review: what was shown of it no longer holds."""
    commands = stage_commands(look.plan, look.stage)
    lost = owed(commands, look.stage) or failed(commands, look.stage) or look.stage.missing_outputs
    return RowMatch() if lost or reviewers_owed(look) else None


def passed_by(look: PlanLook) -> str:
    """What lets the stage through: empty where nothing does."""
    found = gate_kinds(look)
    if found == ("auto",):
        return "auto"
    if ruled(look, "approved"):
        return "approved"
    sent = "await" in found or ruled(look, "external_review")
    return "merged" if look.plan.git.external_merged and sent and {"external", "await"} & {*found} else ""


def stage_passed(look: PlanLook) -> RowMatch | None:
    if not passed_by(look) or not look.next_stage:
        return None
    text = f"Stage {look.stage.spec.name} is completed; {look.next_stage} follows."
    payload = {"next_stage": look.next_stage, "gate_outcome": "advanced", **_told(look)}
    return RowMatch(text=text, payload=payload, do=_completed(look))


def last_stage_passed(look: PlanLook) -> RowMatch | None:
    return RowMatch(do=_completed(look)) if passed_by(look) else None


def _completed(look: PlanLook) -> tuple[Effect, ...]:
    stage = look.stage
    visits = [
        each if each.completed_at else replace(each, completed_at=look.now, result="advanced")
        for each in stage.state.iterations
    ]
    fields = {
        "status": "completed",
        "completed_at": look.now,
        "gate_outcome": "advanced",
        "stale_reason": "",
        "stale_marked_at": "",
        "iterations": [to_builtins(each) for each in visits],
    }
    return (
        *_closed(look),
        WriteStage(stage=stage.spec.name, fields=fields),
        WriteIntent(fields={"active_stage": look.next_stage}),
        committed(look.plan, f"complete stage {stage.spec.name}"),
    )


def _closed(look: PlanLook) -> list[WriteFeedback]:
    """A person who approves has seen what was settled: that ends it."""
    found = last_ruling(look)
    if found is None or found[1].decision != "approved":
        return []
    fields = {"status": "closed", "closed_by": found[1].by or "user"}
    settled = [item for item in look.feedback if item.status == "addressed"]
    return [WriteFeedback(stage=item.stage, feedback=item.id, fields=fields) for item in settled]


def external_asked(look: PlanLook) -> RowMatch | None:
    if not ruled(look, "external_review") or look.stage.state.gate_outcome == "blocked":
        return None
    where = look.stage.state.external_review_url
    text = f"Stage {look.stage.spec.name} is being reviewed at {where}: there is nothing to open."
    if not where:
        text = (
            f"The user wants stage {look.stage.spec.name} reviewed elsewhere: push {look.plan.git.hub}, open the "
            "review, and pass its address as external_review_url to haiku_run_next."
        )
    do = (WriteStage(stage=look.stage.spec.name, fields={"gate_outcome": "blocked"}),)
    return RowMatch(text=text, payload=_external(look), do=do)


def external_awaited(look: PlanLook) -> RowMatch | None:
    if not ruled(look, "external_review"):
        return None
    where = look.stage.state.external_review_url or "the review that was opened for it"
    text = (
        f"Stage {look.stage.spec.name} goes on when {where} is merged, or when a person rules on it. Leeboard fetches "
        "the branch it is merged into whenever this is asked, and once a minute while the call waits."
    )
    return RowMatch(text=text, payload=_external(look))


def _external(look: PlanLook) -> dict[str, Any]:
    payload: dict[str, Any] = {"decisions": list(offered(look)), "branch": look.plan.git.hub}
    if url := look.stage.state.external_review_url:
        payload["external_review_url"] = url
    return payload


def decision_waits(look: PlanLook) -> RowMatch | None:
    found = gate_kinds(look)
    text = (
        f"Stage {look.stage.spec.name} is at its gate ({', '.join(found)}). With `leeboard flow review` a person "
        f"decides: {named(list(offered(look)))}.{_why_asked(look)}"
    )
    unworked = unchanged(look.plan, look.stage)
    if names := list(dict.fromkeys(each.get("unit") or each["feedback_id"] for each in unworked)):
        text += f" Let through with a reason and no change: {named(names)}."
    payload = {
        "gate_type": ",".join(found),
        "gate_context": "stage_gate",
        "next_stage": look.next_stage or None,
        "decisions": list(offered(look)),
        "findings": [item_payload(item) for item in look.feedback if item.status in {"addressed", "answered"}],
        "nothing_changed": unworked,
        **_told(look),
    }
    return RowMatch(text=text, payload=payload)


def _why_asked(look: PlanLook) -> str:
    """Why a stage that would pass by itself waits for a person."""
    if kinds(look.stage, look.plan.git) == gate_kinds(look):
        return ""
    if kinds(look.stage, look.plan.git) != ("auto",):
        return ""
    found = unproven(stage_commands(look.plan, look.stage), look.stage)
    why = [f"{run.name} could not be run: {run.missing} is not installed" for run in found]
    why += [f"{item.id} is a person's, and no person has ended it" for item in unended(look)]
    if is_discrete(look.plan.intent):
        why.append("the intent goes from stage to stage by a person's word (mode discrete)")
    return f" The stage is `auto`, but {'; '.join(why)}, so a person decides."


def _told(look: PlanLook) -> dict[str, Any]:
    said = warnings(stage_commands(look.plan, look.stage), look.stage)
    return {"warnings": said} if said else {}


# What was settled stays settled: the plan of a stage since it passed, and who lets each stage through its gate.
#
# A plan that somebody changed goes back to the person where a person let it pass; put back as it was, nothing happened.
# Where nobody was asked it counts as it is, and the next clue says so.


def plan_unkept(look: PlanLook) -> RowMatch | None:
    """A tree of an earlier version: what is there is what passed, as far as nothing was kept of it."""
    was, now = look.stage.state.approved, approved(look.plan, look.stage)
    if not was.stage:
        return _kept(look, now)
    if was.guidance and was.intent:
        return None
    return _kept(look, replace(was, guidance=was.guidance or now.guidance, intent=was.intent or now.intent))


def change_approved(look: PlanLook) -> RowMatch | None:
    is_approved = changed(look.plan, look.stage) and ruled(look, "approved")
    return _kept(look, approved(look.plan, look.stage)) if is_approved else None


def _kept(look: PlanLook, passed: Approved) -> RowMatch:
    fields: dict[str, Any] = {"approved": to_builtins(passed)}
    return RowMatch(do=(WriteStage(stage=look.stage.spec.name, fields=fields),))


def change_refused(look: PlanLook) -> RowMatch | None:
    """What the person asked for instead becomes a finding first."""
    filed = changes_filed(look, CHANGED_CONTEXTS)
    return RowMatch(do=(filed,)) if filed else None


def change_to_revise(look: PlanLook) -> RowMatch | None:
    return specs_to_revise(look, CHANGED_CONTEXTS)


def change_taken(look: PlanLook) -> RowMatch | None:
    names = changed(look.plan, look.stage)
    asked = noted_guard(look.plan.intent, look.stage.spec.name) != NOBODY
    if not names or asked or kinds(look.stage, look.plan.git) != ("auto",):
        return None
    words = f"Changed since the plan passed, and from now on as it is: {named(names)}."
    return RowMatch(
        text=words,
        payload={"changed": list(names), "warnings": [words]},
        do=_kept(look, approved(look.plan, look.stage)).do,
    )


def change_waits(look: PlanLook) -> RowMatch | None:
    names = changed(look.plan, look.stage)
    if not names:
        return None
    text = (
        f"Changed since a person approved the plan: {named(names)}. Put it back as it was, or let them decide with "
        "`leeboard flow review`; until then nothing is built, proven or merged."
    )
    payload = {
        "gate_type": "ask",
        "gate_context": context(look),
        "next_phase": look.stage.state.phase,
        "changed": list(names),
        "decisions": list(offered(look)),
    }
    return RowMatch(text=text, payload=payload)
