"""A work tree checked against its contract: the tree compared, the rules asked, the report made."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from itertools import repeat

import msgspec
from msgspec.structs import replace

from leeboard.app.allowances import trusted_allowances
from leeboard.app.handle import EventFacts, RunSetting, handle, load_rules, world_of
from leeboard.app.install.kept_file import untouched_files
from leeboard.app.settings_files import read_settings
from leeboard.app.work_contract import WorkContract, allowances, directed, find_contract, held_by, strayed
from leeboard.clients.call import HookCall
from leeboard.contracts.disk import acceptance
from leeboard.contracts.disk.drift_folder import DriftFolder
from leeboard.contracts.manifest.kind import is_lock_file
from leeboard.contracts.report import drift_report
from leeboard.errors import ConfigError, EffectError, LeeboardError
from leeboard.io import clock, system
from leeboard.io.file import is_forbidden
from leeboard.io.git.tree_files import DiskFiles, StagedFiles
from leeboard.io.git.work_tree import SECONDS, BaseTexts, base_for, collect, landed_since, parted_from
from leeboard.io.places import secret_key
from leeboard.judge.score import detect, is_allowed
from leeboard.model.contract import Allowance, Contract
from leeboard.model.event import Event, Stopped, TreeChecked
from leeboard.model.lookup import Around, Store, Tree
from leeboard.model.session import Session
from leeboard.model.task import DriftReport
from leeboard.model.text import digest, matches
from leeboard.model.touch import AcceptanceRun, TreeChange
from leeboard.model.verdict import TOLD, Evidence, Finding, Moment, Verdict
from leeboard.model.workspace import Workspace
from leeboard.model.world import Analysis, World
from leeboard.rule import LoadedRule, listening, same_as
from leeboard.secrets.given_text import each_text
from leeboard.secrets.redaction import redact_shaped
from leeboard.settings.decisions import ALLOWED
from leeboard.settings.decisions.allowed import known_allowances
from leeboard.settings.toml import parse_tolerantly
from leeboard.store.memory import MemoryStore

SETTINGS = "leeboard.toml"


class CheckOptions(msgspec.Struct, frozen=True, kw_only=True):
    """How a tree is looked at."""

    base: str = ""
    """A revision somebody named: compared is with where the work left it. Empty: where the work began."""
    staged: bool = False
    git_seconds: float = SECONDS
    run_acceptance: bool = False
    seconds: float = acceptance.SECONDS
    state: str = ""
    """A file that streaks are taken from and handed on in, where each look is made by another machine."""
    reviewed: bool = False
    """A person has reviewed what the change decides about itself."""
    began: Callable[[str], None] | None = None
    """Hears of each acceptance command before it starts."""


class Checked(msgspec.Struct, frozen=True, kw_only=True):
    """A work tree as it was found, and how that compares with its contract."""

    work_contract: WorkContract
    event: TreeChecked
    report: DriftReport
    seconds: float = 0.0

    @property
    def contract(self) -> Contract | None:
        return self.work_contract.held.contract if self.work_contract.held else None


def check_tree(work_contract: WorkContract, env: Mapping[str, str], look: CheckOptions | None = None) -> Checked:
    """The report on a work tree. Raises rather than being green where something could not be looked at."""
    began = clock.monotonic()
    look = look or CheckOptions()
    event = observe(work_contract, look)
    world = _world(work_contract, event, env)
    base = BaseTexts(event.change.root, event.change.base, is_lock_file)
    files = _files(event.change, staged=look.staged)
    try:
        rules = listening(load_rules(_switched_off(world, event.change, base)), TreeChecked)
        findings = tuple(map(_with_idle, _findings(world, rules, files, base), repeat(files)))
        allowed = _allowances(work_contract, event, base, reviewed=look.reviewed)
        accepted = _let_stand(findings, world, (event.change, files, base), reviewed=look.reviewed)
    finally:
        base.close()
    if look.reviewed:
        allowed = (*allowed, Allowance(id="reviewed", rule="contract_changed"))
    told = tuple(
        _as_allowed(one) if is_allowed(one, allowed) or (one.fingerprint, one.line) in accepted else one
        for one in findings
    )
    task = work_contract.task.id if work_contract.task else ""
    report = _bare(_named(drift_report(event, told, rules, work_contract.held, task), work_contract))
    return Checked(work_contract=work_contract, event=event, report=report, seconds=clock.monotonic() - began)


def _allowances(
    work_contract: WorkContract, event: TreeChecked, base: BaseTexts, *, reviewed: bool
) -> tuple[Allowance, ...]:
    """What people let stand. What the work itself has added to the committed ones since it began counts once it was
    reviewed.
    """
    root, held = work_contract.root, work_contract.held
    found = allowances(root, event.time, held.session if held else "")
    if reviewed or ALLOWED not in event.change.paths:
        return found
    new = set(trusted_allowances(root)) - set(known_allowances(base.text(ALLOWED)))
    return tuple(one for one in found if one not in new)


def _let_stand(
    findings: tuple[Finding, ...], world: World, texts: tuple[TreeChange, DiskFiles, BaseTexts], *, reviewed: bool
) -> frozenset[tuple[str, int]]:
    """Secrets that people let stand otherwise, by fingerprint and line."""
    if not any(same_as(finding.rule) for finding in findings):
        return frozenset()
    from leeboard.app.accepted_secrets import Asked, accepted_secrets  # noqa: PLC0415 - only where one was found

    change, files, base = texts
    asked = Asked(change=change, files=files, base=base, key=world.secret_key, reviewed=reviewed)
    return accepted_secrets(findings, asked)


def observe(work_contract: WorkContract, look: CheckOptions) -> TreeChecked:
    """The tree as it is now, against where the work began. It belongs to no session yet."""
    base = _base(work_contract, look)
    change = collect(work_contract.root, base, staged_only=look.staged, seconds=look.git_seconds)
    change, runs = _accepted(work_contract, change, look)
    change = change if look.staged else _without_hooks(change)
    change = _without_state(change, look.state) if look.state else change
    return TreeChecked(
        session="check",
        cwd=work_contract.root,
        time=clock.now(),
        change=change,
        acceptance=runs,
        untrusted=work_contract.asleep if look.run_acceptance else (),
        shared=_shared(work_contract, change),
        directed=directed(work_contract.root, _since(work_contract)),
        strayed=strayed(work_contract.held, change.paths),
    )


def _without_state(change: TreeChange, state: str) -> TreeChange:
    """Without the file that streaks are handed on in: it is ours, and no part of the work."""
    name = Workspace(change.root).spell(system.realpath(state))
    return replace(change, files=tuple(file for file in change.files if name not in file.paths))


def _without_hooks(change: TreeChange) -> TreeChange:
    """Without what `init` put there and nobody changed since: no agent did that. The digest stays the tree's."""
    base = BaseTexts(change.root, change.base)

    def before(path: str) -> bytes | None:
        text = base.text(path) if base.exists(path) else None
        return text.encode("utf-8", "replace") if text is not None else None

    try:
        ours = untouched_files(change.root, change.paths, before)
    finally:
        base.close()
    return replace(change, files=tuple(file for file in change.files if not ours.issuperset(file.paths)))


def _base(work_contract: WorkContract, look: CheckOptions) -> str:
    """Where the work left the revision somebody named; else the one that was recorded, or was current when it began."""
    if look.base or look.staged:
        return parted_from(work_contract.root, look.base) if look.base else ""
    recorded = work_contract.folder.read().task(work_contract.name).base_commit if work_contract.task else ""
    known = recorded or (work_contract.held.contract.base if work_contract.held else "")
    started = work_contract.task.started_at if work_contract.task else ""
    try:
        return landed_since(work_contract.root, base_for(work_contract.root, known, started))
    except ConfigError as error:
        if not known:
            raise
        gone = f"the commit the work began at, {known[:12]}, is no longer here: name another with --base"
        raise EffectError(gone) from error


def _accepted(
    work_contract: WorkContract, change: TreeChange, look: CheckOptions
) -> tuple[TreeChange, tuple[AcceptanceRun, ...]]:
    """What the acceptance commands say of exactly this tree; they are run only where somebody asked for it."""
    commands = work_contract.held.contract.acceptance if work_contract.held else ()
    if look.run_acceptance and work_contract.asleep:
        change = replace(change, notes=(*change.notes, *map(_asleep, work_contract.asleep)))
        commands = tuple(command for command in commands if command not in work_contract.asleep)
    if not commands:
        return change, ()
    folder = work_contract.folder
    if not look.run_acceptance:
        return change, acceptance.known_runs(folder.acceptance, commands, change.digest)
    runs = acceptance.run_commands(commands, work_contract.root, change.digest, look.seconds, look.began)
    after = collect(work_contract.root, change.base, staged_only=look.staged)
    if after.digest != change.digest:
        note = "the acceptance commands changed the tree, so their results do not count"
        failed = tuple(replace(run, tree=after.digest) for run in runs if not run.passed)
        return replace(after, notes=(*change.notes, *after.notes, note)), failed
    notes = (*change.notes, *after.notes, *_unkept(folder, runs))
    return replace(after, notes=tuple(dict.fromkeys(notes))), runs


def _unkept(folder: DriftFolder, runs: tuple[AcceptanceRun, ...]) -> tuple[str, ...]:
    """The runs are kept for later looks; what is to be said where they may not be."""
    try:
        folder.make()
        acceptance.keep_runs(folder.acceptance, runs)
    except EffectError as error:
        if not is_forbidden(error):
            raise
        return (f"the results of the acceptance commands are not kept: {error}",)
    return ()


def _asleep(command: str) -> str:
    """On standard error too: whoever switched the rule off asked for it all the same."""
    from leeboard.trust.record import escaped  # noqa: PLC0415 - only where nobody trusted it

    said = f"not run: acceptance `{escaped(command)}` is not trusted here yet"
    return f"{said}; `leeboard trust` shows it and asks, a build server says `--trust`"


def _shared(work_contract: WorkContract, change: TreeChange) -> tuple[str, ...]:
    """What another task in progress may touch by its contract, and this one may not."""
    own = work_contract.held.contract.touch if work_contract.held else ()
    theirs = [held.contract.touch for task in work_contract.others if (held := held_by(task, work_contract.root))]
    return tuple(
        path for path in change.paths if not matches(path, own) and any(matches(path, touch) for touch in theirs)
    )


def _since(work_contract: WorkContract) -> float:
    """When the work began, in epoch seconds; zero where nobody knows."""
    try:
        return datetime.fromisoformat(work_contract.task.started_at).timestamp() if work_contract.task else 0.0
    except (ValueError, OverflowError):
        return 0.0


def _world(work_contract: WorkContract, event: TreeChecked, env: Mapping[str, str]) -> World:
    setting = RunSetting(
        workspace=Workspace(work_contract.root),
        policy=read_settings(work_contract.root, env)[0].policy,
        held=work_contract.held,
        secret_key=secret_key(),
    )
    session = Session(id="check", contract=work_contract.held.contract if work_contract.held else Contract())
    return world_of(Analysis(event=event), session, setting)


def _switched_off(world: World, change: TreeChange, base: BaseTexts) -> tuple[str, ...]:
    """Rules that nobody asks. What the work itself switched off since it began is asked all the same."""
    off = world.policy.disabled_rules
    if not off or SETTINGS not in change.paths:
        return off
    before = parse_tolerantly(base.text(SETTINGS) or "", SETTINGS)[0].policy.disabled_rules
    return tuple(rule for rule in off if rule in before)


def _files(change: TreeChange, *, staged: bool) -> DiskFiles:
    """What is staged may be something else than what lies on the disk."""
    return StagedFiles(change.root, change.paths, is_lock_file) if staged else DiskFiles(change.root, is_lock_file)


def _findings(world: World, rules: tuple[LoadedRule, ...], files: DiskFiles, base: BaseTexts) -> tuple[Finding, ...]:
    around = Around(MemoryStore(), world.session.id, Tree(files, base=base))
    return detect(world, rules, EventFacts(around=around).give, scored=True)


def _with_idle(finding: Finding, files: DiskFiles) -> Finding:
    """A comment that is said to let a finding stand may let none: then it says where it would have to be."""
    if finding.rule != "contract_changed" or not finding.line:
        return finding
    from leeboard.app.scan.comments import idle_at  # noqa: PLC0415 - for a comment that the work itself brought
    from leeboard.settings.decisions.loosened import idle_comment  # noqa: PLC0415 - as above

    text = files.text(finding.path)
    idle = idle_at(files.root, finding.path, finding.line, text) if text is not None else ""
    if not idle:
        return finding
    told = f"{idle_comment(finding.path, finding.line)}: {idle}"
    return replace(finding, message=f"{told}.", evidence=(Evidence(told, finding.delta),))


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


def _named(report: DriftReport, work_contract: WorkContract) -> DriftReport:
    """The report with the names of its task, which may have no contract."""
    task = work_contract.task
    if task is None:
        return report
    changes = {"touch_changes": list(task.touch_changes)} if task.touch_changes else {}
    return replace(report, task_id=task.id, task_title=task.title, telemetry=report.telemetry | changes)


# The work tree as an agent leaves it, compared once more when it stops.
#
# An edit is judged before it happens, a script's doing after it. What neither showed (a budget that ran out, a package
# that came in, commits on the way) is seen here, and goes through the same judge: one voice, said once.


GIT_SECONDS = 2.0


class TreeAtStop(msgspec.Struct, frozen=True, kw_only=True):
    """A tree that was compared, and the events of the hook that comes with it."""

    seen: TreeChecked
    events: tuple[Event, ...]
    setting: RunSetting

    def judge(self, moment: Moment, store: Store, slipped: tuple[Event, ...] = ()) -> Verdict | None:
        """`slipped` is what changed although it must not: it goes first."""
        base = BaseTexts(self.seen.change.root, self.seen.change.base)
        setting = replace(self.setting, tree=replace(self.setting.tree, base=base))
        try:
            return handle((*slipped, self.seen, *self.events), moment, store, setting)
        finally:
            base.close()


def tree_at_stop(
    call: HookCall, session: Session | None, setting: RunSetting, env: Mapping[str, str]
) -> TreeAtStop | None:
    """None where the agent did nothing yet, is kept going already, or nobody can tell what it works on."""
    stopped = next((event for event in call.events if isinstance(event, Stopped)), None)
    if stopped is None or stopped.already_blocked or session is None or not session.scored:
        return None
    try:
        work_contract = find_contract(setting.workspace.root, env, for_agent=True)
        if work_contract.held is None or not work_contract.held.contract.is_explicit:
            return None
        seen = observe(work_contract, CheckOptions(git_seconds=GIT_SECONDS))
    except LeeboardError as error:
        raise RuntimeError(str(error)) from error  # of this look alone: the hook goes on and notes it
    placed = replace(
        seen,
        session=call.session,
        key=f"tree:{digest(seen.change.digest + repr(work_contract.held.table), 12)}",
        agent=stopped.agent,
        cwd=stopped.cwd,
        time=stopped.time,
    )
    return TreeAtStop(seen=placed, events=call.events, setting=setting)
