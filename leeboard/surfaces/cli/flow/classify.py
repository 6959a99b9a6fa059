"""What a person says of changes by somebody else: `leeboard flow classify` and `baseline-reset`."""

from __future__ import annotations

from os.path import abspath
from typing import TYPE_CHECKING, Any

import click
import msgspec

from leeboard.app.views.next_step import next_step
from leeboard.app.views.plan import open_findings
from leeboard.errors import ConfigError
from leeboard.io import clock
from leeboard.io.system import relpath
from leeboard.model.plan import Plan
from leeboard.model.truth import INTENT_SCOPE, OUTCOMES, Dispatch, Divergence, DriftFinding
from leeboard.plan.disk.folder import PlanFolder
from leeboard.plan.disk.layout import intent_folder
from leeboard.plan.disk.truth.record import LOST
from leeboard.plan.disk.truth.reset import ResetPreview, reset_accept, reset_preview
from leeboard.plan.disk.truth.surface import LONGEST, kept, text_of, unified
from leeboard.plan.effect import PlanStep, Refusal
from leeboard.plan.machine.drift_classify import (
    LONGEST_EXCERPT,
    AskedOutcome,
    ClassifyRequest,
    FeedbackCreate,
    classified,
    linked_item,
)
from leeboard.plan.machine.look import named
from leeboard.plan.machine.refusal import refuse, unknown_stage
from leeboard.surfaces.cli.flow.drift import MOST_LINES, STYLES
from leeboard.surfaces.cli.flow.place import REFUSED, CurrentFlow, intent_option, tell_clue, tell_outcome
from leeboard.surfaces.cli.person import is_person, require_person
from leeboard.surfaces.cli.screen import json_option, print_json, say, screen, words
from leeboard.text.words import counted

if TYPE_CHECKING:
    from leeboard.surfaces.cli.terminal import Console

_OTHERS = "*"


class _Word(msgspec.Struct, frozen=True, kw_only=True):
    """What was said on the command line."""

    paths: tuple[str, ...]
    outcome: str
    every: bool
    single: dict[str, str]
    why: str
    stage: str
    feedback: str
    title: str
    body: str


@click.command(epilog="Example:  leeboard flow classify --all --as ignore --why 'I wrote it, as the stage asks'")
@click.argument("paths", nargs=-1)
@click.option("--as", "outcome", type=click.Choice(OUTCOMES), help="What is to become of them.")
@click.option("--all", "every", is_flag=True, help="Of everything that is not named otherwise.")
@click.option(
    "--path", "single", multiple=True, metavar="PATH=OUTCOME", help="Another outcome for this one; repeat it."
)
@click.option("--why", default="", metavar="TEXT", help="The reason; it is kept with the decision.")
@click.option("--stage", default="", metavar="NAME", help="trigger-revisit: the stage to go through again.")
@click.option("--feedback", default="", metavar="FB-NN", help="surface-as-feedback: an open finding it belongs to.")
@click.option("--title", default="", metavar="TEXT", help="surface-as-feedback: of a finding that is filed for it.")
@click.option("--body", default="", metavar="TEXT", help="With --title: what is to be done.")
@intent_option
@json_option
def classify(slug: str, **given: Any) -> int:
    """Say what changes of somebody else mean for the work.

    Tracked files that changed, and nobody accounts for, hold everything else up until each has an outcome: `ignore` and
    `inline-fix` accept the file as it is, `surface-as-feedback` hangs it on a finding, `trigger-revisit` goes back to a
    stage. One call classifies all that `leeboard flow next` showed. Without an outcome it only shows them.

    What you file is yours, as with `leeboard flow feedback add`: only a person closes it. A change that you take in as
    `inline-fix` while a finding is being fixed counts as work on that fix.
    """
    flow, as_json = CurrentFlow(slug), given.pop("as_json")
    if not any(given.values()):
        return _show(flow, as_json=as_json)
    said = _word(given)
    if _is_unshown(flow):
        _show(flow, as_json=as_json)
        say("nothing was classified: this had not been shown yet. Look at it, then call again")
        return REFUSED
    top = PlanFolder(flow.home).spelled(intent_folder(flow.slug))
    outcome = flow.engine.move(flow.slug, lambda plan, now: _classified(plan, said, top, now), truth=True)
    return tell_outcome(outcome, as_json=as_json, home=flow.home)


def _is_unshown(flow: CurrentFlow) -> bool:
    """Whether files changed that nobody was asked about yet."""
    plan = flow.look(truth=True)
    clue = None if plan.truth is None or plan.truth.dispatch else next_step(plan, clock.iso(clock.now())).clue
    return clue is not None and "tick_id" in clue.payload


def _show(flow: CurrentFlow, *, as_json: bool) -> int:
    """What was not asked for yet is asked for with it: only what was shown can be classified."""
    plan = flow.look(truth=True)
    clue = next_step(plan, clock.iso(clock.now())).clue
    if clue is not None and "tick_id" in clue.payload:
        asked = plan.truth.dispatch if plan.truth else None
        is_known = asked is not None and asked.tick_id == clue.payload["tick_id"]
        return tell_clue(clue if is_known else flow.engine.tick(flow.slug), as_json=as_json, home=flow.home)
    if as_json:
        print_json({"intent": flow.slug, "findings": []})
    else:
        screen().print(words("nothing is to be classified"))
    return 0


def _word(given: dict[str, Any]) -> _Word:
    """ConfigError where something is missing that needs no look at the plan."""
    single = dict(_single(each) for each in given.pop("single"))
    said = _Word(single=single, **{**given, "outcome": given["outcome"] or ""})
    used = {*single.values(), said.outcome}
    if not said.why.strip():
        raise ConfigError("give the reason with --why: it is kept with the decision")
    if bool(said.outcome) != bool(said.paths or said.every):
        raise ConfigError("--as goes with paths or with --all, and these with --as")
    if "trigger-revisit" in used and not said.stage:
        raise ConfigError("trigger-revisit needs --stage: the one to go through again")
    if "surface-as-feedback" in used and bool(said.feedback) == bool(said.title):
        raise ConfigError("surface-as-feedback needs --feedback, or --title and --body: one of both")
    _refuse_unused(said, used)
    return said


def _refuse_unused(said: _Word, used: set[str]) -> None:
    """ConfigError for an option that nothing would come of."""
    needed = (
        ("--stage", said.stage, "trigger-revisit" in used, "an outcome trigger-revisit"),
        ("--feedback", said.feedback, "surface-as-feedback" in used, "an outcome surface-as-feedback"),
        ("--title", said.title, "surface-as-feedback" in used, "an outcome surface-as-feedback"),
        ("--body", said.body, bool(said.title), "--title"),
    )
    for option, given, is_used, other in needed:
        if given and not is_used:
            raise ConfigError(f"{option} goes with {other}, which is not given")


def _single(text: str) -> tuple[str, str]:
    path, mark, outcome = text.rpartition("=")
    if not mark or not path:
        raise ConfigError(f"{text!r} is not of the form PATH=OUTCOME")
    if outcome not in OUTCOMES:
        raise ConfigError(f"{outcome!r} is no outcome; there are {', '.join(OUTCOMES)}")
    return path, outcome


def _classified(plan: Plan, said: _Word, top: str, now: str) -> PlanStep | Refusal:
    dispatch = plan.truth.dispatch if plan.truth else None
    if dispatch is None:
        return refuse("tick_id_stale", "Nothing was shown that is to be classified.")
    if refusal := _nowhere(plan, dispatch, said, top):
        return refusal
    asked = _asked(dispatch, said, top)
    left = [found.path for found in dispatch.findings if found.path not in asked and _OTHERS not in asked]
    if left:
        why = f"Nothing is said of {named(left)}, and one call classifies all."
        return refuse("classifications_count_mismatch", why, "Name them too, or give --all.", paths=left)
    return classified(plan, _request(dispatch, said, asked), now)


def _nowhere(plan: Plan, dispatch: Dispatch, said: _Word, top: str) -> Refusal | None:
    """What is named and is not there: a path that no finding is about, a stage, a finding to hang it on."""
    paths = [found.path for found in dispatch.findings]
    unknown = [each for each in (*said.paths, *said.single) if _path(dispatch.findings, each, top) not in paths]
    if unknown:
        step = f"To be classified: {named(paths)}."
        return refuse("path_unknown", f"Nothing is asked about {named(unknown)}.", step, paths=unknown)
    if said.stage and plan.stage(said.stage) is None:
        return unknown_stage(plan, said.stage)
    if said.feedback and not any(linked_item(plan, path, said.feedback) for path in paths):
        known = [item.id for item in open_findings(plan)]
        step = f"Open are {named(known)}." if known else "None is open: file one with --title and --body."
        return refuse("feedback_not_found", f"There is no finding {said.feedback}.", step, feedback=known)
    return None


def _asked(dispatch: Dispatch, said: _Word, top: str) -> dict[str, str]:
    """Outcomes by path. Those that are named together and are all that is left stand together."""
    asked = {_path(dispatch.findings, each, top): said.outcome for each in said.paths}
    single = {_path(dispatch.findings, each, top): outcome for each, outcome in said.single.items()}
    every = said.every or {*asked, *single} == {found.path for found in dispatch.findings}
    if every and said.outcome:
        return {_OTHERS: said.outcome} | single
    return asked | single


def _path(findings: tuple[DriftFinding, ...], given: str, top: str) -> str:
    """As it is shown; also by its id, or as it lies."""
    for found in findings:
        if given in {found.path, found.place, found.finding_id}:
            return found.path
    return relpath(abspath(given), top)  # noqa: PTH100 - a name, which may be of a file that is gone


def _request(dispatch: Dispatch, said: _Word, asked: dict[str, str]) -> ClassifyRequest:
    excerpt = said.why.encode("utf-8", "replace")[:LONGEST_EXCERPT].decode("utf-8", "ignore")
    outcomes = (
        AskedOutcome(
            path=path,
            outcome=outcome,
            rationale_excerpt=excerpt,
            linked_feedback_id=said.feedback if outcome == "surface-as-feedback" and said.feedback else None,
            linked_revisit_target_stage=said.stage if outcome == "trigger-revisit" else None,
        )
        for path, outcome in asked.items()
    )
    surfaced = [path for path, outcome in asked.items() if outcome == "surface-as-feedback" and said.title]
    creates = (
        FeedbackCreate(for_classification_path=path, title=said.title, body=said.body or said.title)
        for path in surfaced
    )
    return ClassifyRequest(
        tick_id=dispatch.tick_id,
        classifications=tuple(outcomes),
        agent_rationale=said.why,
        feedback_creates=tuple(creates),
        person="user" if is_person() else "",
    )


# `leeboard flow baseline-reset`: a baseline that was lost is taken anew from what a person was shown.


SHOWN = 20
SHORTEST = 12
"""Digits of a hash that are enough to name what was shown."""


@click.command("baseline-reset", epilog="Example:  leeboard flow baseline-reset count-words")
@click.argument("slug", default="")
@click.option("--accept", "accepted", default="", metavar="HASH", help="Take what was shown under this hash.")
@click.option("--reason", default="", metavar="TEXT", help="With --accept: why; it is kept with the baseline.")
@json_option
def baseline_reset(slug: str, accepted: str, reason: str, *, as_json: bool) -> None:
    """Show what a lost baseline would be made of anew, and accept it.

    A baseline says what the tracked files of an intent were when they were last acknowledged. Where it is gone, can not
    be read, or was written by somebody else than the engine, nobody can tell which files changed meanwhile. This shows
    what is there, and against what it can still be compared; --accept takes exactly that, once. Nobody is asked about
    what is taken so: look at it first. Only people may do it.
    """
    if reason and not accepted:
        raise ConfigError("--reason goes with --accept: it says why that is taken")
    if accepted:
        require_person("flow baseline-reset --accept")
    flow = CurrentFlow(slug)
    folder = PlanFolder(flow.home)
    scopes = (INTENT_SCOPE, *(view.spec.name for view in flow.engine.look(flow.slug).stages))
    shown = [reset_preview(folder, flow.slug, scope) for scope in scopes]
    lost = [each for each in shown if each.standing in LOST]
    if not accepted:
        _show_lost(folder, flow.slug, lost, as_json=as_json)
        return
    if not reason.strip():
        raise ConfigError("say with --reason why the baseline may be made anew: it is kept with it")
    meant = _meant(lost, accepted)
    reset_accept(folder, flow.slug, meant.scope, meant.diff_hash, reason, clock.iso(clock.now()))
    if as_json:
        print_json({"intent": flow.slug, "scope": meant.scope, "accepted": meant.diff_hash})
    else:
        screen().print(words(f"accepted for {_called(meant)}; the next `leeboard flow next` takes it"))


def _meant(lost: list[ResetPreview], accepted: str) -> ResetPreview:
    found = [each for each in lost if len(accepted) >= SHORTEST and each.diff_hash.startswith(accepted)]
    if len(found) != 1:
        words_ = "nothing that is there now has this hash" if lost else "no baseline is lost"
        raise ConfigError(f"{words_}: look again without --accept")
    return found[0]


def _show_lost(folder: PlanFolder, slug: str, lost: list[ResetPreview], *, as_json: bool) -> None:
    for each in lost:
        if as_json:
            print_json(_object(slug, each))
        else:
            _print(folder, slug, each)
    if not lost and as_json:
        print_json({"intent": slug, "lost": 0})
    elif not lost:
        screen().print(words("every baseline is as it should be"))


def _object(slug: str, each: ResetPreview) -> dict[str, Any]:
    differs = [{"path": one.path, "change_kind": one.kind, "sha256": one.sha} for one in each.differs]
    return {
        "intent": slug,
        "scope": each.scope,
        "standing": each.standing,
        "reason": each.reason,
        "compared_with": each.compared_with,
        "differs": differs,
        "files": each.files,
        "diff_hash": each.diff_hash,
        "thrashing": bool(each.waits),
        "ticks_to_wait": each.waits,
    }


def _print(folder: PlanFolder, slug: str, each: ResetPreview) -> None:
    out = screen()
    out.print(words((f"{_called(each)}: {each.standing}", "bold"), f"  {each.reason}"))
    against = "there is nothing to compare with" if each.compared_with == "nothing" else f"against {each.compared_with}"
    how_many = "1 differs" if len(each.differs) == 1 else f"{len(each.differs)} differ"
    out.print(words(f"  {counted(each.files, 'file')}; {against}, {how_many}"))
    for one in each.differs[:SHOWN]:
        out.print(words(f"    {one.kind}  {one.path}"))
        _print_change(folder, slug, one, out)
    if len(each.differs) > SHOWN:
        out.print(words(f"    and {len(each.differs) - SHOWN} more (--json lists all)"))
    if each.waits:
        out.print(words(("  it was lost again and again: find out who does it", "yellow")))
        out.print(words(f"  it can be reset after {each.waits} more ticks: each `leeboard flow next` counts as one"))
        return
    out.print(words(("  what is accepted is not asked about again; once you have looked:", "dim")))
    out.print(words(f"  leeboard flow baseline-reset {slug} --accept {each.diff_hash[:SHORTEST]} --reason '...'"))


def _print_change(folder: PlanFolder, slug: str, one: Divergence, out: Console) -> None:
    """Against the text that was acknowledged, where it is kept; else where the file lies."""
    was = kept(folder, slug, one.scope, one.entry.sha256) if one.entry else ""
    place = f"{intent_folder(slug)}/{one.path}"
    now = text_of(folder, place, one.sha, LONGEST) if one.file else ""
    if was is None or now is None:
        out.print(words((f"      no diff is kept: look at {folder.spelled(place)}", "dim")))
        return
    lines = unified(was, now, one.path).splitlines()[2:]
    for line in lines[:MOST_LINES]:
        out.print(words((f"      {line}", STYLES.get(line[:1], ""))))
    if len(lines) > MOST_LINES:
        out.print(words((f"      {len(lines) - MOST_LINES} more lines: look at {folder.spelled(place)}", "yellow")))


def _called(each: ResetPreview) -> str:
    return f"stage {each.scope}" if each.scope else "the intent's knowledge"
