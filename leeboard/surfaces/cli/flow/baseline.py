"""`leeboard flow baseline-reset`: a baseline that was lost is taken anew from what a person was shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from leeboard.errors import ConfigError
from leeboard.io import clock
from leeboard.model.truth import INTENT_SCOPE, Divergence
from leeboard.plan.disk.folder import PlanFolder
from leeboard.plan.disk.layout import intent_folder
from leeboard.plan.disk.truth.record import LOST
from leeboard.plan.disk.truth.reset import ResetPreview, reset_accept, reset_preview
from leeboard.plan.disk.truth.surface import LONGEST, kept, text_of, unified
from leeboard.surfaces.cli.flow.drift import MOST_LINES, STYLES
from leeboard.surfaces.cli.flow.place import CurrentFlow
from leeboard.surfaces.cli.person import require_person
from leeboard.surfaces.cli.screen import json_option, print_json, screen, words
from leeboard.text.words import counted

if TYPE_CHECKING:
    from rich.console import Console

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
        _show(folder, flow.slug, lost, as_json=as_json)
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


def _show(folder: PlanFolder, slug: str, lost: list[ResetPreview], *, as_json: bool) -> None:
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
