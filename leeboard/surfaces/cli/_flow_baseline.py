"""`leeboard flow baseline-reset`: a baseline that was lost is taken anew from what a person was shown."""

from __future__ import annotations

from typing import Any

import click

from leeboard.errors import ConfigError
from leeboard.io import clock
from leeboard.io.plan.folder import Folder
from leeboard.io.plan.truth.acks import LOST
from leeboard.io.plan.truth.reset import ResetPreview, reset_accept, reset_preview
from leeboard.model.truth import INTENT_SCOPE
from leeboard.surfaces.cli._flow_place import Flow
from leeboard.surfaces.cli._person import require_person
from leeboard.surfaces.cli._screen import json_option, print_json, screen, words

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
    what is there, and against what it can still be compared; --accept takes exactly that, once. Only people may do it.
    """
    flow = Flow(slug)
    folder = Folder(flow.home)
    scopes = (INTENT_SCOPE, *(view.spec.name for view in flow.engine.look(flow.slug).stages))
    shown = [reset_preview(folder, flow.slug, scope) for scope in scopes]
    lost = [each for each in shown if each.standing in LOST]
    if not accepted:
        _show(flow.slug, lost, as_json=as_json)
        return
    require_person("flow baseline-reset --accept")
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


def _show(slug: str, lost: list[ResetPreview], *, as_json: bool) -> None:
    for each in lost:
        if as_json:
            print_json(_object(slug, each))
        else:
            _print(slug, each)
    if not lost and not as_json:
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


def _print(slug: str, each: ResetPreview) -> None:
    out = screen()
    out.print(words((f"{_called(each)}: {each.standing}", "bold"), f"  {each.reason}"))
    against = "there is nothing to compare with" if each.compared_with == "nothing" else f"against {each.compared_with}"
    out.print(words(f"  {each.files} files; {against}, {len(each.differs)} differ"))
    for one in each.differs[:SHOWN]:
        out.print(words(f"    {one.kind}  {one.path}"))
    if len(each.differs) > SHOWN:
        out.print(words(f"    and {len(each.differs) - SHOWN} more (--json lists all)"))
    if each.waits:
        out.print(words(("  it was lost again and again: find out who does it", "yellow")))
        out.print(words(f"  it can be reset after {each.waits} more ticks: each `leeboard flow next` counts as one"))
        return
    out.print(words(f"  leeboard flow baseline-reset {slug} --accept {each.diff_hash[:SHORTEST]} --reason '...'"))


def _called(each: ResetPreview) -> str:
    return f"stage {each.scope}" if each.scope else "the intent's knowledge"
