"""A work tree checked against its contract: the tree compared, the rules asked, the report made."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime

import msgspec
from msgspec.structs import replace

from leeboard.app.facts import Facts, load_rules
from leeboard.app.given import each_text
from leeboard.app.promise import Promise, allowances, directed, held_by, strayed
from leeboard.app.settings_files import read_settings
from leeboard.app.world import Setting, world_of
from leeboard.code.redaction import redact_shaped
from leeboard.errors import ConfigError, EffectError
from leeboard.io import acceptance, clock
from leeboard.io.files import DiskFiles
from leeboard.io.secret_key import secret_key
from leeboard.io.store.memory import MemoryStore
from leeboard.io.work_tree import SECONDS, BaseTexts, base_for, collect, landed_since
from leeboard.judge.assess import is_allowed
from leeboard.judge.detect import detect
from leeboard.model.analysis import Analysis
from leeboard.model.contract import Contract
from leeboard.model.drift import DriftReport
from leeboard.model.event import TreeChecked
from leeboard.model.glob import matches
from leeboard.model.session import Session
from leeboard.model.surroundings import Around, Tree
from leeboard.model.tree import AcceptanceRun, TreeChange
from leeboard.model.verdict import TOLD, Evidence, Finding
from leeboard.model.workspace import Workspace
from leeboard.model.world import World
from leeboard.report.drift import drift_report
from leeboard.rule import LoadedRule, listening
from leeboard.wire.leeboard_toml import parse_tolerantly

SETTINGS = "leeboard.toml"


class Look(msgspec.Struct, frozen=True, kw_only=True):
    """How a tree is looked at."""

    base: str = ""
    """A revision somebody named; empty: where the work began."""
    staged: bool = False
    git_seconds: float = SECONDS
    run_acceptance: bool = False
    seconds: float = acceptance.SECONDS
    began: Callable[[str], None] | None = None
    """Hears of each acceptance command before it starts."""


class Checked(msgspec.Struct, frozen=True, kw_only=True):
    """A tree as it was found."""

    promise: Promise
    event: TreeChecked
    report: DriftReport
    seconds: float = 0.0

    @property
    def contract(self) -> Contract | None:
        return self.promise.held.contract if self.promise.held else None


def check_tree(promise: Promise, env: Mapping[str, str], look: Look | None = None) -> Checked:
    """The report on a work tree. Raises rather than being green where something could not be looked at."""
    began = clock.monotonic()
    event = observe(promise, look or Look())
    world = _world(promise, event, env)
    base = BaseTexts(event.change.root, event.change.base)
    try:
        rules = listening(load_rules(_switched_off(world, event.change, base)), TreeChecked)
        findings = _findings(world, rules, event.change, base)
    finally:
        base.close()
    allowed = allowances(promise.root, event.time)
    told = tuple(_as_allowed(finding) if is_allowed(finding, allowed) else finding for finding in findings)
    task = promise.task.id if promise.task else ""
    report = _bare(_named(drift_report(event, told, rules, promise.held, task), promise))
    return Checked(promise=promise, event=event, report=report, seconds=clock.monotonic() - began)


def observe(promise: Promise, look: Look) -> TreeChecked:
    """The tree as it is now, against where the work began. It belongs to no session yet."""
    base = _base(promise, look)
    change = collect(promise.root, base, staged_only=look.staged, seconds=look.git_seconds)
    change, runs = _accepted(promise, change, look)
    return TreeChecked(
        session="check",
        cwd=promise.root,
        time=clock.now(),
        change=change,
        acceptance=runs,
        untrusted=promise.asleep if look.run_acceptance else (),
        shared=_shared(promise, change),
        directed=directed(promise.root, _since(promise)),
        strayed=strayed(promise.held, change.paths),
    )


def _base(promise: Promise, look: Look) -> str:
    """The revision somebody named, the one that was recorded, or the one that was current when the work began."""
    if look.base or look.staged:
        return base_for(promise.root, look.base) if look.base else ""
    recorded = promise.folder.read().task(promise.name).base_commit if promise.task else ""
    known = recorded or (promise.held.contract.base if promise.held else "")
    started = promise.task.started_at if promise.task else ""
    try:
        return landed_since(promise.root, base_for(promise.root, known, started))
    except ConfigError as error:
        if not known:
            raise
        gone = f"the commit the work began at, {known[:12]}, is not here any more: name another with --base"
        raise EffectError(gone) from error


def _accepted(promise: Promise, change: TreeChange, look: Look) -> tuple[TreeChange, tuple[AcceptanceRun, ...]]:
    """What the acceptance commands say of exactly this tree; they are run only where somebody asked for it."""
    commands = promise.held.contract.acceptance if promise.held else ()
    if look.run_acceptance and promise.asleep:
        change = replace(change, notes=(*change.notes, *map(_asleep, promise.asleep)))
        commands = tuple(command for command in commands if command not in promise.asleep)
    if not commands:
        return change, ()
    folder = promise.folder
    if not look.run_acceptance:
        return change, acceptance.known_runs(folder.acceptance, commands, change.digest)
    runs = acceptance.run_commands(commands, promise.root, change.digest, look.seconds, look.began)
    after = collect(promise.root, change.base, staged_only=look.staged)
    if after.digest != change.digest:
        note = "the acceptance commands changed the tree: their result counts for none"
        failed = tuple(replace(run, tree=after.digest) for run in runs if not run.passed)
        return replace(after, notes=(*change.notes, *after.notes, note)), failed
    folder.make()
    acceptance.keep_runs(folder.acceptance, runs)
    return replace(after, notes=tuple(dict.fromkeys((*change.notes, *after.notes)))), runs


def _asleep(command: str) -> str:
    """On standard error too: whoever switched the rule off asked for it all the same."""
    from leeboard.io.trust import escaped  # noqa: PLC0415 - only where nobody trusted it

    said = f"not run: acceptance `{escaped(command)}` is not trusted here yet"
    return f"{said}; `leeboard trust` shows it and asks, a build server says `--trust`"


def _shared(promise: Promise, change: TreeChange) -> tuple[str, ...]:
    """What another task in progress may touch by its contract, and this one may not."""
    own = promise.held.contract.touch if promise.held else ()
    theirs = [held.contract.touch for task in promise.others if (held := held_by(task, promise.root))]
    return tuple(
        path for path in change.paths if not matches(path, own) and any(matches(path, touch) for touch in theirs)
    )


def _since(promise: Promise) -> float:
    """When the work began, in epoch seconds; zero where nobody knows."""
    try:
        return datetime.fromisoformat(promise.task.started_at).timestamp() if promise.task else 0.0
    except (ValueError, OverflowError):
        return 0.0


def _world(promise: Promise, event: TreeChecked, env: Mapping[str, str]) -> World:
    setting = Setting(
        workspace=Workspace(promise.root),
        policy=read_settings(promise.root, env)[0].policy,
        held=promise.held,
        secret_key=secret_key(),
    )
    session = Session(id="check", contract=promise.held.contract if promise.held else Contract())
    return world_of(Analysis(event=event), session, setting)


def _switched_off(world: World, change: TreeChange, base: BaseTexts) -> tuple[str, ...]:
    """Rules that nobody asks. What the work itself switched off since it began is asked all the same."""
    off = world.policy.disabled_rules
    if not off or SETTINGS not in change.paths:
        return off
    before = parse_tolerantly(base.text(SETTINGS) or "", SETTINGS)[0].policy.disabled_rules
    return tuple(rule for rule in off if rule in before)


def _findings(world: World, rules: tuple[LoadedRule, ...], change: TreeChange, base: BaseTexts) -> tuple[Finding, ...]:
    around = Around(MemoryStore(), world.session.id, Tree(DiskFiles(change.root), base=base))
    return detect(world, rules, Facts(around=around).give, scored=True)


def _as_allowed(finding: Finding) -> Finding:
    """What a person let stand is named all the same."""
    first, *rest = finding.evidence
    kept = (Evidence(f"{first.text} (user-directed)", TOLD), *(Evidence(item.text, TOLD) for item in rest))
    return replace(finding, evidence=kept, message=f"{finding.message.rstrip('.')} (user-directed).")


def _bare(report: DriftReport) -> DriftReport:
    """Without what shows as a secret in the names of files and tasks: a report is written into events and logs."""
    plain = msgspec.to_builtins(report)
    bare = each_text(plain, redact_shaped)
    return report if bare == plain else msgspec.convert(bare, DriftReport)


def _named(report: DriftReport, promise: Promise) -> DriftReport:
    """The report with the names of its task, which may have no contract."""
    task = promise.task
    if task is None:
        return report
    changes = {"touch_changes": list(task.touch_changes)} if task.touch_changes else {}
    return replace(report, task_id=task.id, task_title=task.title, telemetry=report.telemetry | changes)
