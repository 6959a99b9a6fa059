"""`leeboard flow repair`: what is wrong with the workflow here, and put right what can be."""

from __future__ import annotations

import click
import msgspec

from leeboard.app.views.guard import DoctorCheck, check_view
from leeboard.errors import ConfigError, LeeboardError
from leeboard.surfaces.cli.flow.faults import SETTINGS, TAMPERED, UNREADABLE, WAS_UNREADABLE, faults_around, faults_of
from leeboard.surfaces.cli.flow.place import REFUSED, CurrentFlow, intent_option
from leeboard.surfaces.cli.person import require_person
from leeboard.surfaces.cli.screen import json_option, print_json, say, screen, words


@click.command(epilog="Example:  leeboard flow repair --apply")
@click.option("--apply", is_flag=True, help="Put right what can be; without it only say what is wrong.")
@click.option("--restore", is_flag=True, help="With --apply: bring back what can not be read from git. For people.")
@click.option("--yes", is_flag=True, help="You have looked at what was changed by hand, and it is right.")
@intent_option
@json_option
def repair(slug: str, **given: bool) -> int:
    """Show what is wrong with the workflow here, and repair it.

    Work trees and branches that no unit needs, intents that were never made to their end, steps that somebody killed:
    all of that is put right, and nothing that somebody wrote is lost by it. Fields of the engine that were changed by
    hand are a person's to judge: look at the named files (`git diff` shows what changed), then say yes. A file that can
    not be read is named with its line and the last version in git that can; --restore puts that one in its place, and
    keeps the other one aside.

    Exits 0 when nothing is wrong, or nothing is left; else 1.
    """
    flow, as_json = CurrentFlow(slug), given["as_json"]
    for option in ("restore", "yes"):
        if given[option] and not given["apply"]:
            raise ConfigError(f"--{option} goes with --apply: without it nothing is put right")
    if given["restore"]:
        require_person("flow repair --restore")
    left = 0
    found = _found(flow)
    if given["apply"] and any(fault.about in {SETTINGS, TAMPERED} for fault in found):
        require_person("flow repair --apply")
    if given["apply"] and any(fault.about == TAMPERED for fault in found):
        found = _judged(found, yes=given["yes"], as_json=as_json)
    for fault in found:
        wanted = given["apply"] and (given["restore"] or fault.about != UNREADABLE)
        done = _mended(fault) if wanted else ""
        left += not done and fault.state == "failed"
        _tell(fault, done, as_json=as_json)
    if not found and not as_json:
        screen().print(words("nothing is wrong"))
    elif left and not given["apply"] and not as_json:
        screen().print(words((_way_on(found), "dim")))
    return REFUSED if left else 0


def _way_on(found: list[DoctorCheck]) -> str:
    """What `--apply` would do; what nothing here can repair says itself what to do."""
    mended = [fault for fault in found if fault.repair is not None and fault.state == "failed"]
    if not mended:
        return "--apply repairs none of it: do what is said above"
    if all(fault.about == UNREADABLE for fault in mended):
        return "--apply --restore brings back what git has"
    if all(fault.about == TAMPERED for fault in mended):
        return (
            "--apply asks whether what was changed by hand is right, and takes it as it is. Where it is not, put the"
            " lines back as they were, with an editor: then nothing is wrong"
        )
    return "--apply repairs what can be" + ("" if len(mended) == len(found) else "; for the rest do what is said above")


def _found(flow: CurrentFlow) -> list[DoctorCheck]:
    """Of the intent that is named, else of all that are here, and of what belongs to none."""
    slugs = (flow.slug,) if flow.is_named else flow.engine.slugs(archived=True)
    of_intents = (fault for slug in slugs for fault in faults_of(flow.engine, slug))
    # what is wrong with git is wrong for each of them: it is told once
    once = {(fault.about, fault.detail): fault for fault in of_intents}
    return [*once.values(), *faults_around(flow.engine)]


def _judged(found: list[DoctorCheck], *, yes: bool, as_json: bool) -> list[DoctorCheck]:
    """A seal is made anew only over what a person says is right: without a yes it stays broken."""
    names = ", ".join(fault.detail for fault in found if fault.about == TAMPERED)
    question = f"Changed by somebody else than the engine: {names}. Did you look at it, and is it right?"
    if yes or (not as_json and click.confirm(question, default=False, err=True)):
        return found
    return [
        DoctorCheck(about=each.about, state=each.state, detail=each.detail) if each.about == TAMPERED else each
        for each in found
    ]


def _mended(fault: DoctorCheck) -> str:
    """What was done; empty: nothing could be."""
    if fault.repair is None:
        return ""
    try:
        return fault.repair()
    except LeeboardError as error:
        say(str(error))
        return ""


def _tell(fault: DoctorCheck, done: str, *, as_json: bool) -> None:
    if as_json:
        print_json({**msgspec.to_builtins(check_view(fault)), "done": done})
        return
    wrong = ("note      ", "yellow") if fault.state == "note" else ("wrong     ", "red")
    mark = ("repaired  ", "green") if done else wrong
    about = WAS_UNREADABLE if done and fault.about == UNREADABLE else fault.about
    screen().print(words(mark, f"{about}: {fault.detail}", (f"  {done}" if done else "", "dim")))
