"""What may be done to a finding. An agent settles nothing by its word, and never closes what a person filed."""

from __future__ import annotations

from typing import Any, get_args

import msgspec
from msgspec import to_builtins

from leeboard.model.plan import Plan
from leeboard.model.text import digest
from leeboard.model.unit import ENDED, HUMAN_ORIGINS, SETTLED, Feedback, FeedbackStatus, Resolution
from leeboard.plan.effect import NewFeedback, PlanStep, Refusal, WriteFeedback
from leeboard.plan.machine.look import looking, named, reopened
from leeboard.plan.machine.policy import CHANGED_PLAN
from leeboard.plan.machine.refusal import closed, feedback_of, refuse, unknown_stage

ORIGINS = (*HUMAN_ORIGINS, "adversarial-review", "studio-review", "agent")
LONGEST_TITLE = 120
LONGEST_BODY, LONGEST_REPLY = 200_000, 20_000


class FeedbackDraft(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be filed; `stage` empty: for the intent as a whole."""

    title: str
    body: str
    stage: str = ""
    origin: str = "agent"
    author: str = ""
    source_ref: str = ""
    resolution: Resolution = ""


def feedback_new(plan: Plan, finding: FeedbackDraft, now: str, *, by_person: bool = False) -> PlanStep | Refusal:
    """File it. What an agent files is triaged by being filed; a person's item waits for triage.

    A completed intent is active again by it, which only a person may do.
    """
    if refusal := closed(plan) or _completed(plan, by_person=by_person) or _unfit(plan, finding):
        return refusal
    fields: dict[str, Any] = {"source_ref": finding.source_ref} if finding.source_ref else {}
    if finding.resolution:
        fields |= {"resolution": finding.resolution, **({"resolution_by": "user"} if by_person else {})}
    if finding.resolution or finding.origin not in HUMAN_ORIGINS:
        fields["triaged_at"] = now
    words = repr((finding.stage, finding.origin, finding.title, finding.body, finding.source_ref))
    filed = NewFeedback(
        stage=finding.stage,
        title=finding.title.strip(),
        body=finding.body,
        origin=finding.origin,
        author=finding.author or ("user" if finding.origin in HUMAN_ORIGINS else "agent"),
        key=f"filed/{digest(words)}",
        fields=fields,
    )
    return PlanStep(do=(*reopened(plan), filed))


def _completed(plan: Plan, *, by_person: bool) -> Refusal | None:
    if by_person or plan.intent.status != "completed":
        return None
    step = "Tell the user: `leeboard flow feedback add TITLE`, run by them, takes it up again."
    return refuse("intent_completed", f"{plan.intent.slug} is completed: nobody would settle it.", step)


def _unfit(plan: Plan, finding: FeedbackDraft) -> Refusal | None:
    title = finding.title.strip()
    if not title or len(title) > LONGEST_TITLE or "\n" in title:
        step = f"Give one line of at most {LONGEST_TITLE} characters."
        return refuse("invalid_title", "The title does not name the finding in a line.", step, max=LONGEST_TITLE)
    if finding.source_ref.startswith("ruling/"):
        why = "What begins with ruling/ stands for a person's decision, which the engine files by itself."
        return refuse("source_ref_reserved", why, "Leave source_ref out, or name what the finding is about.")
    if len(finding.body) > LONGEST_BODY:
        return _too_long("body", LONGEST_BODY)
    if finding.origin not in ORIGINS:
        why = f"There is no origin {finding.origin}."
        return refuse("origin_unknown", why, f"Choose one of {named(ORIGINS, len(ORIGINS))}.", origins=list(ORIGINS))
    reached = [view.spec.name for view in looking(plan, "").reached]
    if finding.stage and finding.stage not in reached:
        return _unreached(plan, finding.stage, reached)
    return _unfixable(plan, finding.stage, finding.resolution)


def _unfixable(plan: Plan, stage: str, resolution: Resolution) -> Refusal | None:
    """A stage without fix hats has nobody who could fix something in place: that is said when the way is chosen."""
    here = plan.active or (plan.stages[-1] if plan.stages else None)
    views = [view for view in (plan.stage(stage), here) if view is not None]
    if resolution != "inline_fix" or not views or any(view.spec.fix_hats for view in views):
        return None
    why = f"Stage {views[0].spec.name} has no fix hats, so nobody can fix it in place."
    step = "Choose stage_revisit, or question where it only asks; what does not hold is rejected with a reason."
    return refuse("no_fix_hats", why, step, resolutions=["stage_revisit", "question"])


def _too_long(what: str, most: int) -> Refusal:
    step = f"Keep it to {most} characters, and the rest in a file of the stage."
    return refuse(f"{what}_too_long", f"The {what} is longer than a finding may be.", step, max=most)


def _unreached(plan: Plan, stage: str, reached: list[str]) -> Refusal:
    if plan.stage(stage) is None:
        return unknown_stage(plan, stage)
    step = f"Name one of {named(reached)}, or none for the intent as a whole."
    return refuse("stage_not_reached", f"{stage} was not reached yet.", step, stages=reached)


class FeedbackChange(msgspec.Struct, frozen=True, kw_only=True):
    """How a finding stands from now on, how it is to be settled, what is answered; empty: as before."""

    status: FeedbackStatus | None = None
    resolution: Resolution = ""
    reply: str = ""
    closed_by: str = ""


def feedback_update(
    plan: Plan, stage: str, feedback_id: str, change: FeedbackChange, now: str, *, by_person: bool = False
) -> PlanStep | Refusal:
    item = _changeable(plan, stage, feedback_id, by_person=by_person)
    if isinstance(item, Refusal):
        return item
    if len(change.reply) > LONGEST_REPLY:
        return _too_long("reply", LONGEST_REPLY)
    if refusal := _forbidden(plan, item, change, by_person=by_person):
        return refusal
    fields = _said(item, change, now, by_person=by_person)
    if status := change.status or _implied(item, change, by_person=by_person):
        fields["status"] = status
    if change.closed_by:
        fields["closed_by"] = change.closed_by
    if not fields:
        return refuse("nothing_to_change", "No change is named.", "Give a status, a resolution or a reply.")
    return _written(plan, item, fields, by_person=by_person)


def _said(item: Feedback, change: FeedbackChange, now: str, *, by_person: bool) -> dict[str, Any]:
    """What is answered, and how it is to be settled from now on."""
    fields: dict[str, Any] = {}
    if change.reply.strip():
        said = {"author": "user" if by_person else "agent", "at": now, "text": change.reply}
        fields["replies"] = [*(dict(each) for each in item.replies), said]
    if change.resolution:
        by = "user" if by_person else item.resolution_by
        fields |= {"resolution": change.resolution, "triaged_at": item.triaged_at or now, "resolution_by": by}
        if change.resolution != item.resolution:
            fields |= {"status": "pending", "hat": "", "bolt": 0}
    elif by_person and change.reply.strip() and _triaged_by_agent(item):
        fields |= {"resolution": "", "triaged_at": "", "status": "pending", "hat": "", "bolt": 0}
    return fields


def _triaged_by_agent(item: Feedback) -> bool:
    """Whether an agent said how a person's finding is to be settled: with their next word it is to be said anew."""
    return item.is_human and item.is_open and bool(item.resolution) and item.resolution_by != "user"


def _written(plan: Plan, item: Feedback, fields: dict[str, Any], *, by_person: bool) -> PlanStep | Refusal:
    """What is open from now on is work, also in an intent that was completed."""
    is_open = fields.get("status", item.status) not in SETTLED
    if is_open and (refusal := _completed(plan, by_person=by_person)):
        return refusal
    written = WriteFeedback(stage=item.stage, feedback=item.id, fields=fields)
    return PlanStep(do=(*(reopened(plan) if is_open else ()), written))


def _implied(item: Feedback, change: FeedbackChange, *, by_person: bool) -> FeedbackStatus | None:
    """Who answers another's question has answered it; a person who speaks after an agent's answer wants another one."""
    if not change.reply.strip():
        return None
    if by_person and item.status == "answered":
        return "pending" if item.replies and item.replies[-1].get("author") != "user" else None
    if by_person and item.is_human and not _asks(item):
        return None  # their own request, in more words
    is_question = (change.resolution or item.resolution) == "question"
    return "answered" if is_question and item.status not in ENDED else None


def _forbidden(plan: Plan, item: Feedback, change: FeedbackChange, *, by_person: bool) -> Refusal | None:
    wanted = change.status
    if wanted == "fixing" or (wanted is not None and wanted not in get_args(FeedbackStatus)):
        step = "The engine begins a fix by itself: call haiku_run_next."
        return refuse("lifecycle_violation", f"{wanted} is nothing that can be set.", step)
    if refusal := _wrong_way(plan, item, change.resolution, by_person=by_person):
        return refusal
    if by_person or wanted in {None, "pending"}:
        return None
    if wanted in ENDED and item.is_human:
        return _persons_own(item)
    if wanted == "rejected":
        return refuse("reason_missing", f"Nothing says why {item.id} does not hold.", "Call haiku_feedback_reject.")
    return None if _is_shown(plan, item, change) else _unproven(item)


def _wrong_way(plan: Plan, item: Feedback, chosen: Resolution, *, by_person: bool) -> Refusal | None:
    """Whether it can not be settled so, or a person said how else; that they chose a way nobody can go binds nobody."""
    if refusal := _unfixable(plan, item.stage, chosen):
        return refusal
    if by_person or not item.is_human or chosen in {"", item.resolution}:
        return None
    if chosen == "question" and not _asks(item):
        return _no_question(item)
    if item.resolution_by != "user" or _unfixable(plan, item.stage, item.resolution):
        return None
    why = f"{item.id} is a person's, and they said how it is to be settled: {item.resolution}."
    return refuse("human_resolution", why, "Settle it so, or ask them to change it.")


def _asks(item: Feedback) -> bool:
    """Whether a person's finding asks for an answer and no more, by their own word."""
    return item.origin == "user-question" or (item.resolution == "question" and item.resolution_by == "user")


def _no_question(item: Feedback) -> Refusal:
    why = f"{item.id} is what a person asked for: an answer alone does not settle it."
    step = "Choose inline_fix or stage_revisit; only a person makes a question of it, with `leeboard flow feedback`."
    return refuse("human_item", why, step)


def _is_shown(plan: Plan, item: Feedback, change: FeedbackChange) -> bool:
    """Whether what an agent says of a finding can be seen."""
    match change.status:
        case "closed":
            return not item.is_open
        case "answered":
            asked = (change.resolution or item.resolution) == "question" and (not item.is_human or _asks(item))
            return asked and bool(change.reply.strip() or item.replies)
        case _:
            return _revises_plan(plan, item)


def _revises_plan(plan: Plan, item: Feedback) -> bool:
    """A plan is looked at again by the one who asked for its change, so the agent may say it is revised."""
    view = plan.stage(item.stage)
    planned = view is not None and view.state.phase == "elaborate" and item.source_ref.startswith("ruling/")
    return planned or item.source_ref.startswith(f"{CHANGED_PLAN}/")


def _persons_own(item: Feedback) -> Refusal:
    step = "Settle it; the person closes it with `leeboard flow feedback`."
    return refuse("human_item", f"{item.id} was filed by a person, and only a person closes it.", step)


def _unproven(item: Feedback) -> Refusal:
    step = "Fix hats, a unit that `closes` it, or the answer to a question settle it: call haiku_run_next."
    return refuse("not_settled", f"Nothing shows that {item.id} is settled.", step, status=item.status)


def _changeable(plan: Plan, stage: str, feedback_id: str, *, by_person: bool) -> Feedback | Refusal:
    if refusal := closed(plan):
        return refusal
    item = feedback_of(plan, stage, feedback_id)
    if isinstance(item, Refusal):
        return item
    if item.problem:
        return refuse("page_unreadable", f"{item.id} can not be read: {item.problem}.", "Put its frontmatter right.")
    if item.status in ENDED and not by_person:
        step = "File a new finding with haiku_feedback."
        return refuse("feedback_ended", f"{item.id} is {item.status}.", step, status=item.status)
    return item


def feedback_reject(
    plan: Plan, stage: str, feedback_id: str, reason: str, now: str, *, by_person: bool = False
) -> PlanStep | Refusal:
    """It does not hold. An agent may say so of an agent's finding."""
    item = _changeable(plan, stage, feedback_id, by_person=by_person)
    if isinstance(item, Refusal):
        return item
    if item.is_human and not by_person:
        return _persons_own(item)
    if not reason.strip():
        return refuse("reason_missing", f"Nothing says why {item.id} does not hold.", "Give the reason.")
    said = {"author": "user" if by_person else "agent", "at": now, "text": reason}
    fields = {"status": "rejected", "replies": [*(dict(each) for each in item.replies), said]}
    return PlanStep(do=(WriteFeedback(stage=item.stage, feedback=item.id, fields=fields),))


class FeedbackGoal(msgspec.Struct, frozen=True, kw_only=True):
    """Where a finding belongs; empty: to the intent as a whole."""

    stage: str
    resolution: Resolution = ""


def feedback_move(
    plan: Plan, stage: str, feedback_id: str, to: FeedbackGoal, now: str, *, by_person: bool = False
) -> PlanStep | Refusal:
    """Put it to the stage it belongs to; to its own: it belongs there. It is filed anew before the old one ends."""
    item = _changeable(plan, stage, feedback_id, by_person=by_person)
    if isinstance(item, Refusal):
        return item
    to_stage, resolution = to.stage, to.resolution
    chosen = resolution or item.resolution
    if refusal := _unmovable(plan, item, to, by_person=by_person) or _unfixable(plan, to_stage, chosen):
        return refusal
    if to_stage == item.stage:
        fields = {"triaged_at": item.triaged_at or now, "resolution": chosen}
        return PlanStep(do=(WriteFeedback(stage=stage, feedback=item.id, fields=fields),))
    filed = NewFeedback(
        stage=to_stage,
        title=item.title,
        body=item.body,
        origin=item.origin,
        author=item.author,
        key=f"moved/{item.stage}/{item.id}",
        fields={
            "triaged_at": now,
            "resolution": chosen,
            "resolution_by": "user" if by_person and resolution else item.resolution_by,
            "source_ref": item.source_ref,
            "replies": to_builtins(item.replies),
        },
    )
    ended = {"status": "closed", "closed_by": f"moved to {to_stage or 'the intent'}"}
    return PlanStep(do=(filed, WriteFeedback(stage=item.stage, feedback=item.id, fields=ended)))


def _unmovable(plan: Plan, item: Feedback, to: FeedbackGoal, *, by_person: bool) -> Refusal | None:
    if not by_person and item.is_human and to.stage != item.stage:
        step = f"Tell the user: `leeboard flow feedback move {item.id} STAGE`, run by them, does it."
        return refuse("human_item", f"{item.id} was filed by a person, and only a person moves it.", step)
    reached = [view.spec.name for view in looking(plan, "").reached]
    if to.stage and to.stage not in reached:
        return _unreached(plan, to.stage, reached)
    return _wrong_way(plan, item, to.resolution, by_person=by_person)


def may_write_feedback(plan: Plan, stage: str, feedback_id: str, *, removes: bool = False) -> Refusal | None:
    """Whether an agent may replace a finding's body or, once it has ended, remove it."""
    if refusal := closed(plan):
        return refusal
    item = feedback_of(plan, stage, feedback_id)
    if isinstance(item, Refusal):
        return item
    if item.is_human:
        return _persons_own(item)
    if removes and item.status not in ENDED:
        step = "Reject it with a reason, or settle it first."
        return refuse("lifecycle_violation", f"{item.id} is {item.status}.", step, status=item.status)
    return None
