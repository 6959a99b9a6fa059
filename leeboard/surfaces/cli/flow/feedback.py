"""`leeboard flow feedback`: findings as a person files, answers and ends them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import click
from msgspec import to_builtins

from leeboard.app.hook_origin import agent_above
from leeboard.app.person.gate import Change
from leeboard.app.views.plan import view_finding
from leeboard.errors import ConfigError
from leeboard.model.plan import Plan
from leeboard.model.unit import ENDED, Feedback, Resolution
from leeboard.plan.effect import PlanStep, Refusal
from leeboard.plan.machine import moves
from leeboard.plan.machine.held import HeldHat, stale_fix, unassessed
from leeboard.plan.machine.look import looking
from leeboard.plan.machine.proof import sent_back
from leeboard.surfaces.cli.flow.place import CurrentFlow, intent_option, tell_refusal
from leeboard.surfaces.cli.flow.units import pass_rows
from leeboard.surfaces.cli.person import is_person, require_person
from leeboard.surfaces.cli.screen import fields, json_option, paragraphs, print_json, screen, table, words

if TYPE_CHECKING:
    from leeboard.surfaces.cli.terminal import Text

WHOLE = "intent"
_STAGE = click.option("--stage", default="", metavar="NAME", help="Of this stage; `intent`: of the intent as a whole.")
_AS = click.option("--as", "resolution", type=click.Choice(["question", "inline_fix", "stage_revisit"]), default=None)


@click.group(epilog="Example:  leeboard flow feedback add 'The error text names no file' --as inline_fix")
def feedback() -> None:
    """Findings about the work: add, list, show, triage, move, reply, fix, close, reject.

    A finding keeps a gate shut until it is settled. One that a person filed is closed by a person alone: `close` and
    `reject` refuse inside an agent.
    """


@feedback.command("list", epilog="Example:  leeboard flow feedback list --all")
@click.option("--all", "ended", is_flag=True, help="Those that are closed or rejected too.")
@_STAGE
@intent_option
@json_option
def list_(stage: str, slug: str, *, ended: bool, as_json: bool) -> None:
    """What was found, the open ones first."""
    filed = _filed(CurrentFlow(slug).look(), stage)
    found = [item for item in filed if ended or item.status not in ENDED]
    found.sort(key=lambda item: not item.is_open)
    if as_json:
        for item in found:
            print_json(to_builtins(view_finding(item)))
    elif found:
        rows = [(item.id, item.stage or WHOLE, item.status, _way(item), item.title) for item in found]
        table(("id", "stage", "status", "as", "title"), rows, screen())
    else:
        left_out = f"; {len(filed)} closed or rejected: see --all" if filed else ""
        screen().print(words(f"no findings{left_out}"))


@feedback.command(epilog="Example:  leeboard flow feedback show FB-01")
@click.argument("finding", metavar="ID")
@_STAGE
@intent_option
@json_option
def show(finding: str, stage: str, slug: str, *, as_json: bool) -> None:
    """A finding with its body, what was answered, and how its fix went."""
    item = _item(CurrentFlow(slug).look(), finding, stage)
    if as_json:
        work = {"hat": item.hat, "bolt": item.bolt, "rejected_for": sent_back(item.passes)}
        told = {"body": item.body, "replies": to_builtins(item.replies), "passes": to_builtins(item.passes)}
        print_json({**to_builtins(view_finding(item)), **work, **told})
        return
    console = screen()
    worn = f", {item.hat}, bolt {item.bolt}" if item.status == "fixing" and item.hat else ""
    rows: list[tuple[str, Text | str]] = [("id", f"{item.id} of {item.stage or 'the intent'}"), ("title", item.title)]
    rows.append(("status", f"{item.status}{worn}"))
    rows += [("as", _way(item) or "not triaged"), ("from", _from(item))]
    rows += [("closed by" if item.status in ENDED else "settled by", item.closed_by)] if item.closed_by else []
    rows += pass_rows(item.passes)
    fields([*rows, *((f"{each['author']} said", each["text"]) for each in item.replies)], console)
    if item.body.strip():
        console.print()
        console.print(paragraphs(item.body.strip()))


@feedback.command(epilog="Example:  leeboard flow feedback add 'Why two caches?' --as question")
@click.argument("title")
@click.option("--body", default="", metavar="TEXT", help="What is wrong, where, and what would be right.")
@_AS
@_STAGE
@intent_option
@json_option
def add(title: str, body: str, resolution: Resolution | None, stage: str, slug: str, *, as_json: bool) -> int:
    """File a finding for the active stage, or for the one that is named.

    A person's finding takes a completed intent up again.
    """
    flow = CurrentFlow(slug)
    is_agent = bool(agent_above())
    before = flow.look()
    finding = moves.FeedbackDraft(
        title=title,
        body=body or title,
        stage=_filed_for(before, stage),
        origin="agent" if is_agent else "user-question" if resolution == "question" else "user-chat",
        author="agent" if is_agent else "user",
        resolution=resolution or "",
    )
    refusal = flow.note(lambda plan, now: moves.feedback_new(plan, finding, now, by_person=not is_agent))
    if refusal is not None:
        return tell_refusal(refusal, as_json=as_json)
    after = flow.look()
    same = [item for item in _filed(after, finding.stage or WHOLE) if item.title == title.strip()]
    return _told(same[-1], "filed", reopened=_reopened(before, after), as_json=as_json)


@feedback.command(epilog="Example:  leeboard flow feedback triage FB-01 --as inline_fix")
@click.argument("finding", metavar="ID")
@_AS
@click.option("--status", type=click.Choice(["addressed"]), help="The plan was revised as it asks for.")
@_STAGE
@intent_option
@json_option
def triage(finding: str, stage: str, slug: str, *, as_json: bool, **given: Any) -> int:
    """Say how a finding is to be settled, or that the plan was revised as it asks for."""
    if (given["resolution"] is None) == (given["status"] is None):
        raise ConfigError("give one of --as and --status")
    change = moves.FeedbackChange(resolution=given["resolution"] or "", status=given["status"])
    return _update(CurrentFlow(slug), (finding, stage), change, as_json=as_json)


@feedback.command(epilog="Example:  leeboard flow feedback move FB-01 design")
@click.argument("finding", metavar="ID")
@click.argument("to", metavar="STAGE")
@_AS
@_STAGE
@intent_option
@json_option
def move(finding: str, to: str, stage: str, slug: str, *, as_json: bool, **given: Any) -> int:
    """Put a finding to the stage it belongs to; `intent`: to the intent as a whole. Only people move a person's."""
    flow, by_person = CurrentFlow(slug), is_person()
    goal = moves.FeedbackGoal(stage="" if to == WHOLE else to, resolution=given["resolution"] or "")

    def moved(plan: Plan, now: str) -> PlanStep | Refusal:
        item = _item(plan, finding, stage)
        return moves.feedback_move(plan, item.stage, item.id, goal, now, by_person=by_person)

    return _change(flow, (finding, stage), moved, as_json=as_json)


@feedback.command(epilog="Example:  leeboard flow feedback reply FB-01 'One is for reading, one for writing.'")
@click.argument("finding", metavar="ID")
@click.argument("text")
@_STAGE
@intent_option
@json_option
def reply(finding: str, text: str, stage: str, slug: str, *, as_json: bool) -> int:
    """Answer a finding. A question is answered by it; a person's word after an agent's answer opens it again."""
    return _update(CurrentFlow(slug), (finding, stage), moves.FeedbackChange(reply=text), as_json=as_json)


@feedback.command(epilog="Example:  leeboard flow feedback fix FB-01 --done")
@click.argument("finding", metavar="ID")
@click.option("--done", is_flag=True, help="The hat's work on the fix is done.")
@click.option("--because", default="", metavar="WHY", help="With --done: why nothing had to change.")
@click.option("--hat", default="", metavar="NAME", help="The hat it is about: refused where it is with another one.")
@click.option(
    "--again", metavar="WHY", help="The hat before fell short: back to it, one bolt on; the first one begins again."
)
@_STAGE
@intent_option
@json_option
def fix(finding: str, again: str | None, stage: str, slug: str, **given: Any) -> int:
    """Move the hats of a fix, where the next action is `review_fix`."""
    if given["done"] == (again is not None):
        raise ConfigError("give one of --done and --again")
    if given["because"] and not given["done"]:
        raise ConfigError("--because goes with --done: it says why nothing had to change")
    held = HeldHat(hat=given["hat"], looks=is_person())

    def moved(plan: Plan, now: str) -> PlanStep | Refusal:
        item = _item(plan, finding, stage)
        if refusal := unassessed(plan) or stale_fix(plan, item.stage, item.id, held):
            return refusal
        if again is not None:
            return moves.feedback_reject_hat(plan, item.stage, item.id, now, again)
        return moves.feedback_advance_hat(plan, item.stage, item.id, now, given["because"])

    return _change(CurrentFlow(slug), (finding, stage), moved, as_json=given["as_json"], truth=True)


@feedback.command(epilog="Example:  leeboard flow feedback close FB-01")
@click.argument("finding", metavar="ID")
@_STAGE
@intent_option
@json_option
def close(finding: str, stage: str, slug: str, *, as_json: bool) -> int:
    """End a finding: it is settled. Only people may do this."""
    require_person("flow feedback close")
    change = moves.FeedbackChange(status="closed", closed_by="user")
    return _update(CurrentFlow(slug), (finding, stage), change, as_json=as_json)


@feedback.command(epilog="Example:  leeboard flow feedback reject FB-02 --reason 'That is how it shall be.'")
@click.argument("finding", metavar="ID")
@click.option("--reason", required=True, metavar="TEXT", help="Why it does not hold.")
@_STAGE
@intent_option
@json_option
def reject(finding: str, reason: str, stage: str, slug: str, *, as_json: bool) -> int:
    """End a finding: it does not hold. Only people may do this."""
    require_person("flow feedback reject")

    def rejected(plan: Plan, now: str) -> PlanStep | Refusal:
        item = _item(plan, finding, stage)
        return moves.feedback_reject(plan, item.stage, item.id, reason, now, by_person=True)

    return _change(CurrentFlow(slug), (finding, stage), rejected, as_json=as_json)


def _update(flow: CurrentFlow, named: tuple[str, str], change: moves.FeedbackChange, *, as_json: bool) -> int:
    by_person = is_person()

    def updated(plan: Plan, now: str) -> PlanStep | Refusal:
        item = _item(plan, *named)
        return moves.feedback_update(plan, item.stage, item.id, change, now, by_person=by_person)

    return _change(flow, named, updated, as_json=as_json)


def _change(flow: CurrentFlow, named: tuple[str, str], change: Change, *, as_json: bool, truth: bool = False) -> int:
    before = flow.look()
    was = _item(before, *named).status
    refusal = flow.note(change, truth=truth)
    if refusal is not None:
        return tell_refusal(refusal, as_json=as_json)
    after = flow.look()
    return _told(_item(after, *named), "now", was=was, reopened=_reopened(before, after), as_json=as_json)


def _reopened(before: Plan, after: Plan) -> str:
    """The intent that was completed and is no longer; empty: it is as it was."""
    was, now = before.intent.status, after.intent.status
    return after.intent.slug if was == "completed" and now != was else ""


def _told(item: Feedback, done: str, *, was: str = "", reopened: str, as_json: bool) -> int:
    if as_json:
        print_json(to_builtins(view_finding(item)) | ({"reopened": reopened} if reopened else {}))
        return 0
    where = item.stage or "the intent"
    state = f"{done} {item.status}"
    if was and item.is_open and item.resolution:
        state += f", to be settled as {item.resolution}"
    if was in ENDED and was != item.status:
        state += f", and no longer {was}"
    screen().print(words((item.id, "bold"), f" of {where}: {state}", (f"  {item.title}", "dim")))
    if reopened:
        screen().print(words((reopened, "bold"), " was completed, and is active again; `leeboard flow next` goes on"))
    return 0


def _filed_for(plan: Plan, stage: str) -> str:
    """The stage a new finding belongs to; empty: the intent as a whole."""
    if stage == WHOLE or (not stage and plan.active is None):
        return ""
    return stage or (plan.active.spec.name if plan.active else "")


def _filed(plan: Plan, stage: str) -> list[Feedback]:
    """The active stage first, then those before it, then the intent's own. ConfigError for a stage that is none."""
    if stage == WHOLE:
        return list(plan.feedback)
    if stage:
        view = plan.stage(stage)
        if view is None:
            raise ConfigError(
                f"there is no stage {stage!r}; there are {_names(each.spec.name for each in plan.stages)}"
            )
        return list(view.feedback)
    return [*(item for view in reversed(looking(plan, "").reached) for item in view.feedback), *plan.feedback]


def _item(plan: Plan, finding: str, stage: str) -> Feedback:
    found = _filed(plan, stage)
    item = next((each for each in found if each.id == finding.upper()), None)
    if item is None:
        raise ConfigError(f"there is no finding {finding!r}; there are {_names(map(_placed, found))}")
    return item


def _placed(item: Feedback) -> str:
    """Ids count by stage, so that an id alone is no name."""
    return f"{item.id} of {item.stage or 'the intent'}"


def _from(item: Feedback) -> str:
    """Who filed it, and how. A person who decides at a gate looked at the work, and is named as git knows them."""
    asked = ", who asked for changes" if item.source_ref.startswith("ruling/") else ""
    return f"{item.author}{asked} ({item.origin})"


def _way(item: Feedback) -> str:
    """How it is settled. What nobody chose a way for, and is being fixed, is fixed where the work stands."""
    return item.resolution or ("inline_fix" if item.status == "fixing" else "")


def _names(names: Iterable[str]) -> str:
    return ", ".join(names) or "none"
