"""Before any phase: is there an intent to work on, may its files be believed, is the right branch at hand."""

from __future__ import annotations

from typing import Any

from leeboard.model.plan import Iteration, Plan
from leeboard.model.studio import Studio
from leeboard.plan.effect import EnsureBranch, Refusal, WriteIntent, WriteStage
from leeboard.plan.machine.elaborate import to_split
from leeboard.plan.machine.look import PlanLook, RowMatch, begun, committed, looking, named
from leeboard.plan.machine.proof import stage_commands, warnings


def is_archived(look: PlanLook) -> RowMatch | None:
    if not look.plan.intent.archived:
        return None
    text = f"{look.plan.intent.slug} is archived. haiku_intent_unarchive takes it out again."
    return RowMatch(text=text, payload={"error": "intent_archived"})


def files_unreadable(look: PlanLook) -> RowMatch | None:
    said = (*look.plan.problems, *(look.stage.problems or (look.stage.state.problem,)))
    problems = tuple(dict.fromkeys(filter(None, said)))
    if not problems:
        return None
    text = f"The plan can not be read: {named(problems)}. Put the named files right, or run `leeboard flow repair`."
    return RowMatch(text=text, payload={"error": "plan_unreadable", "problems": list(problems)})


def seal_broken(look: PlanLook) -> RowMatch | None:
    if look.plan.sealed:
        return None
    what = named(look.plan.tampered) or "fields of the engine"
    text = f"Changed by somebody else than the engine: {what}. A person looks at it with `leeboard flow repair`."
    return RowMatch(text=text, payload={"error": "tampered", "fields": list(look.plan.tampered)})


def intent_done(look: PlanLook) -> RowMatch | None:
    if look.plan.intent.status != "completed":
        return None
    text = (
        f"{look.plan.intent.slug} is completed.{_way_home(look)} A person takes it up again with "
        "`leeboard flow feedback add TITLE` or `leeboard flow revisit STAGE --reason WHY`."
    )
    return RowMatch(text=text, payload=_whereabouts(look))


def _whereabouts(look: PlanLook) -> dict[str, Any]:
    """Where the work is, and what brings it to the branch it began at: nobody but its owner does that."""
    if not look.plan.git.available:
        return {}
    base = look.plan.intent.base
    found: dict[str, Any] = {"branch": hub_of(look)}
    return {**found, "base": base, "merge_with": f"git switch {base} && git merge {hub_of(look)}"} if base else found


def _way_home(look: PlanLook) -> str:
    found = _whereabouts(look)
    if not found:
        return ""
    way = f"`{found['merge_with']}` brings it to {found['base']}" if "base" in found else "merge it where it belongs"
    return f" Its work is on the branch {found['branch']}: {way}."


def studio_unchosen(look: PlanLook) -> RowMatch | None:
    if look.plan.intent.studio:
        return None
    names = [studio.slug for studio in look.plan.studios]
    text = f"Ask which studio fits the work ({named(names)}), then call haiku_select_studio."
    return RowMatch(text=text, payload={"available_studios": [studio_choice(studio) for studio in look.plan.studios]})


def studio_choice(studio: Studio) -> dict[str, Any]:
    return {
        "name": studio.name,
        "slug": studio.slug,
        "aliases": list(studio.aliases),
        "description": studio.description,
        "category": studio.category,
    }


def studio_unusable(look: PlanLook) -> RowMatch | None:
    """Unknown, without stages, or the stage has nobody to work in it."""
    intent = look.plan.intent
    if look.plan.studio is None:
        why = f"there is no studio {intent.studio}"
    elif not look.plan.stages:
        why = f"the studio {intent.studio} has no stages for this intent"
    elif look.stage.spec.name and not look.stage.spec.hats:
        why = f"stage {look.stage.spec.name} names no hats in its STAGE.md"
    else:
        return None
    text = f"The work can not go on: {why}. Put it right below .haiku/studios/."
    return RowMatch(text=text, payload={"error": "studio_unusable", "reason": why})


def stages_done(look: PlanLook) -> RowMatch | None:
    """Every stage went through its gate: a plan without stages never gets here."""
    if look.plan.active is not None:
        return None
    fields = {"status": "completed", "completed_at": look.now, "active_stage": "", "phase": ""}
    text = f"All stages of {look.plan.intent.slug} are completed. Tell the user what was reached.{_way_home(look)}"
    last = look.plan.stages[-1]
    payload = {
        "stages": [view.spec.name for view in look.plan.stages],
        "warnings": warnings(stage_commands(look.plan, last), last),
        **_whereabouts(look),
    }
    return RowMatch(
        text=text,
        payload=payload,
        do=(WriteIntent(fields=fields), committed(look.plan, "complete")),
    )


def pages_unreadable(look: PlanLook) -> RowMatch | None:
    """Units of the stage and findings: what they say can neither be followed nor changed."""
    broken = {unit.id: unit.problem for unit in look.stage.units if unit.problem}
    broken |= {item.file or item.id: item.problem for item in look.feedback if item.problem}
    if not broken:
        return None
    told = [f"{name}: {problem}" for name, problem in broken.items()]
    text = f"These files can not be read: {named(told)}. Put their frontmatter right."
    return RowMatch(text=text, payload={"error": "page_unreadable", "files": broken})


def unreadable(plan: Plan) -> Refusal | None:
    """What nobody can read, nobody can decide on."""
    look = looking(plan, "")
    found = files_unreadable(look) or pages_unreadable(look)
    return None if found is None else Refusal(code=found.payload["error"], message=found.text, details=found.payload)


def hub_of(look: PlanLook) -> str:
    return look.plan.git.hub or f"haiku/{look.plan.intent.slug}/main"


def git_busy(look: PlanLook) -> RowMatch | None:
    """Neither a commit nor a switch is safe in the middle of it."""
    under_way = look.plan.git.under_way
    if not under_way:
        return None
    text = f"The primary work tree is in the middle of {under_way}. Ask the user where it is theirs."
    return RowMatch(text=text, payload={"error": "git_busy", "under_way": under_way})


def git_unrest(plan: Plan) -> str:
    """Why git is not ready for work on an intent, and what makes it so; empty: it is, or nothing is to be done."""
    git = plan.git
    if not git.available or plan.intent.archived or plan.intent.status == "completed":
        return ""
    if git.under_way:
        return f"the primary work tree is in the middle of {git.under_way}"
    if git.branch:
        return ""
    has_begun = any(view.state.phase for view in plan.stages)
    way = f"`git switch {git.hub}`" if has_begun else "`git switch BRANCH`, or `git switch -c NAME`"
    return f"git is on no branch (HEAD is detached): {way} goes to one"


def branch_blocked(look: PlanLook) -> RowMatch | None:
    git = look.plan.git
    if not git.available or git.branch == hub_of(look) or not git.dirty:
        return None
    here = git.branch or "a detached HEAD"
    text = (
        f"The work belongs on {hub_of(look)}, and {here} has changes that are not committed: {named(git.dirty)}. "
        "Ask the user whether they belong to the work; commit or stash them."
    )
    payload = {"current_branch": git.branch, "target_branch": hub_of(look), "dirty_files": list(git.dirty)}
    return RowMatch(text=text, payload=payload)


def branch_other(look: PlanLook) -> RowMatch | None:
    if not look.plan.git.available or look.plan.git.branch == hub_of(look):
        return None
    return RowMatch(do=(EnsureBranch(base=look.plan.intent.base, follows=look.plan.intent.follows),))


def stage_unstarted(look: PlanLook) -> RowMatch | None:
    """A stage that was never begun, or that an earlier one made stale: a new visit begins."""
    stage = look.stage
    if stage.state.status != "pending" and stage.state.phase:
        return None
    spec = stage.spec
    stale = stage.state.stale_reason
    trigger: Any = "external-changes" if stage.state.visits else "initial"
    visit = Iteration(index=stage.state.visits + 1, started_at=look.now, trigger=trigger, reason=stale)
    fields = begun(stage.state, visit)
    intent: dict[str, Any] = {"active_stage": spec.name}
    if not look.plan.intent.started_at:
        intent["started_at"] = look.now
    payload: dict[str, Any] = {
        "hats": [hat.name for hat in spec.hats],
        "phase": "elaborate",
        "stage_metadata": {"description": spec.description, "body": spec.body},
        "inputs": [dict(each) for each in spec.inputs],
    }
    if stale:
        payload["stale_reason"] = stale
    if look.is_first and look.plan.intent.follows:
        payload["follows"] = look.plan.intent.follows
    text = f"Stage {spec.name} begins. Read what it is about; its first phase is elaborate."
    if spec.elaboration == "autonomous" and not stage.units:  # nothing has to be talked through first
        asked = to_split(look)
        text, payload = f"{text} {asked.text}", {**asked.payload, **payload, "iteration": visit.index}
    return RowMatch(
        text=text,
        payload=payload,
        do=(
            WriteIntent(fields=intent),
            WriteStage(stage=spec.name, fields=fields),
            committed(look.plan, f"begin stage {spec.name}"),
        ),
    )
