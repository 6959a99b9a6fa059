"""Findings about a work tree, to the drift report of the seed: score, findings by kind, telemetry, countersteer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from leeboard.model.contract import Contract, Held, Mode
from leeboard.model.event import TreeChecked
from leeboard.model.task import Drifted, DriftReport, Recommendation, Score, Task, TaskState
from leeboard.model.touch import TreeChange
from leeboard.model.verdict import Finding, Severity
from leeboard.rule import LoadedRule, Rule
from leeboard.text.language import is_test_path, language_of

NAMED = 6
_LAST = 99
_SEVERITIES: tuple[Severity, ...] = ("info", "warn", "error")
_CRASH = Rule(
    summary="a rule that failed: what it looks for is not known", kind="not_analysed", detail="rules", order=13
)


def drift_report(
    event: TreeChecked, findings: Iterable[Finding], rules: Iterable[LoadedRule], held: Held | None, task: str = ""
) -> DriftReport:
    """What the findings amount to. `task` is the id of a task that may have no contract."""
    by_id = {loaded.id: loaded.rule for loaded in rules} | {"detector_crash": _CRASH}
    groups: dict[str, list[Finding]] = {}
    for finding in findings:
        groups.setdefault(kind_of(finding, by_id), []).append(finding)
    drifted = tuple(_drifted(kind, tuple(groups[kind]), by_id) for kind in _told_in_order(groups, by_id))
    task = task or (held.contract.task if held else "")
    return DriftReport(
        task_id=task,
        task_title=held.title if held else "",
        git_root=event.change.root,
        score=score_of(drifted),
        contract=_written(held),
        telemetry=telemetry(event, drifted),
        findings=drifted,
        recommendations=_recommended(drifted, by_id, task),
    )


def _told_in_order(kinds: Iterable[str], rules: Mapping[str, Rule]) -> list[str]:
    """As the rules say; others follow by name."""
    orders = {rule.kind or id_: rule.order for id_, rule in rules.items()}
    return sorted(kinds, key=lambda kind: (orders.get(kind, _LAST), kind))


def kind_of(finding: Finding, rules: Mapping[str, Rule]) -> str:
    rule = rules.get(finding.rule)
    return (rule.kind if rule else "") or finding.rule


def score_of(drifted: Iterable[Drifted]) -> Score:
    """Green, yellow with a warning, red with an error. What is only worth knowing changes nothing."""
    worst = max((_SEVERITIES.index(one.severity) for one in drifted), default=0)
    return "red" if worst == 2 else "yellow" if worst == 1 else "green"


def _drifted(kind: str, findings: tuple[Finding, ...], rules: Mapping[str, Rule]) -> Drifted:
    rule = rules.get(findings[0].rule)
    counted = [finding for finding in findings if finding.delta]
    details: dict[str, Any] = {}
    if rule is not None and rule.detail:
        details[rule.detail] = [finding.subject for finding in counted]
        told = [finding.subject for finding in findings if not finding.delta]
        details |= {"told": told} if told else {}
    details["fingerprints"] = [finding.fingerprint for finding in findings]
    return Drifted(
        kind=kind,
        severity=_severity(kind, findings),
        summary=_summary(counted or list(findings), rule),
        details=details,
        findings=findings,
    )


def _severity(kind: str, findings: tuple[Finding, ...]) -> Severity:
    """A rule that failed makes no tree green."""
    worst = max(findings, key=lambda finding: -finding.delta).severity
    return "warn" if kind == _CRASH.kind else worst


def _summary(findings: list[Finding], rule: Rule | None) -> str:
    first = findings[0]
    if len(findings) == 1 or rule is None:
        return first.message or first.evidence[0].text
    if all(finding.line for finding in findings):
        findings = sorted(findings, key=lambda finding: (finding.path, finding.line))
    names = ", ".join(dict.fromkeys(map(_shown_place, findings[:NAMED])))
    more = f" and {len(findings) - NAMED} more" if len(findings) > NAMED else ""
    return f"{rule.summary} ({len(findings)}): {names}{more}"


def _shown_place(finding: Finding) -> str:
    """Where a person finds it: what a secret is known by is a digest."""
    return f"{finding.path}:{finding.line}" if finding.path and finding.line else finding.subject


def _written(held: Held | None) -> dict[str, Any] | None:
    if held is None:
        return None
    if held.table or not held.problems:
        return held.table or {"objective": held.contract.objective}
    return {"parse_error": held.problems[0].text}


def telemetry(event: TreeChecked, drifted: Iterable[Drifted] = ()) -> dict[str, Any]:
    """The cheap numbers. Lines of generated and vendored files are not among them."""
    change = event.change
    counted = [one for one in change.files if not one.generated]
    found = {one.kind: one for one in drifted}
    numbers: dict[str, Any] = {
        "files_changed": len(change.files),
        "loc_changed": sum(one.loc for one in change.files),
        "loc_added": sum(one.added for one in counted),
        "loc_deleted": sum(one.deleted for one in counted),
        "untracked_loc": sum(one.added for one in counted if "untracked" in one.states),
        "files_by_state": _by_state(change),
        "files_by_language": _by_language(change),
        "generated_files": len(change.files) - len(counted),
        "tests_touched": sum(1 for one in change.files if is_test_path(one.path)),
        "base_commit": change.base or None,
        "commits_since_start": change.commits,
    }
    if change.notes:
        numbers["notes"] = list(change.notes)
    return numbers | _found_numbers(event, found)


def _found_numbers(event: TreeChecked, found: Mapping[str, Drifted]) -> dict[str, Any]:
    """Numbers that are there only where something was found."""
    numbers: dict[str, Any] = {}
    if scope := found.get("scope_drift"):
        numbers["out_of_scope_files"] = sum(1 for finding in scope.findings if finding.delta)
    if packages := found.get("dependency_drift"):
        numbers["dependency_files"] = list(dict.fromkeys(finding.path for finding in packages.findings))
    if hardening := found.get("hardening_in_core"):
        signals = (finding.subject.rpartition(":")[2] for finding in hardening.findings)
        numbers["hardening_signals"] = list(dict.fromkeys(signals))
    if event.shared:
        numbers["shared_files"] = list(event.shared)
    return numbers


def _by_state(change: TreeChange) -> dict[str, int]:
    counts: Counter[str] = Counter(state for one in change.files for state in one.states)
    counts.update(one.kind for one in change.files if one.kind in {"renamed", "deleted"})
    counts.update("binary" for one in change.files if one.binary)
    counts.update("submodule" for one in change.files if one.submodule)
    return dict(sorted(counts.items()))


def _by_language(change: TreeChange) -> dict[str, int]:
    counts = Counter(language_of(one.path) or "other" for one in change.files)
    return dict(sorted(counts.items()))


def _recommended(drifted: tuple[Drifted, ...], rules: Mapping[str, Rule], task: str) -> tuple[Recommendation, ...]:
    made: dict[str, Recommendation] = {}
    for one in drifted:
        steer = rules[one.findings[0].rule].countersteer if one.findings[0].rule in rules else None
        if steer is None or one.severity == "info":
            continue
        made.setdefault(
            steer.action,
            Recommendation(
                priority=steer.priority,
                action=steer.action,
                rationale=steer.rationale,
                commands=tuple(_for_task(command, task) for command in steer.commands if _works(command, task)),
            ),
        )
    return tuple(made.values())


def _works(command: str, task: str) -> bool:
    """A command about a task helps where there is one, one that starts a contract where there is none."""
    starts = " contract start " in command
    return bool(task) != starts if starts or "{task}" in command or " ensure " in command else True


def _for_task(command: str, task: str) -> str:
    return command.replace("{task}", task)


# Drift turned into later work: which tasks a report calls for, and what stands in them.
#
# Their ids follow from the task's, so asking twice makes nothing twice. They wait for the task they came from and block
# nothing. Each carries a contract fit for its own mode, so a follow-up calls for no follow-ups. What we write in one
# stands between two marks: only that is refreshed while it is open, whatever people write around it stays theirs.


HARDEN, SCOPE, PIT = "drift-harden-", "drift-scope-", "speedrift-pit-"
PREFIXES = (HARDEN, SCOPE, PIT)
MOST_ORIGINS = 10
"""Tasks that may have open follow-ups at a time. A task that has one gets its others too: no cap tears them apart."""
_START, _END = "<!-- speedrift: refreshed while this task is open -->", "<!-- /speedrift -->"
_ACTIONS = 5


def followups(report: DriftReport, contract: Contract | None, state: TaskState, *, pit_stop: bool) -> tuple[Task, ...]:
    """The tasks that the findings of a report call for: none for work that is a follow-up itself or asked for none."""
    contract = contract or Contract()
    if not report.task_id or not contract.auto_followups or contract.mode != "core" or is_followup(report.task_id):
        return ()
    found = {one.kind: one for one in report.findings if one.severity != "info"}
    made: list[Task] = []
    if one := found.get("hardening_in_core"):
        made.append(_hardening(report, contract, one))
    if one := found.get("scope_drift"):
        made.append(_scope(report, contract, one))
    if pit_stop:
        made.append(_pit_stop(report, contract, state))
    return tuple(made)


def is_followup(task_id: str) -> bool:
    return task_id.startswith(PREFIXES)


def has_room(task_id: str, tasks: Iterable[Task]) -> bool:
    """Whether this task may get follow-ups, by the number of tasks that have open ones."""
    origins = {task.after[0] for task in tasks if is_followup(task.id) and task.after and not task.is_ended}
    return task_id in origins or len(origins) < MOST_ORIGINS


def pit_id(task_id: str, earlier: Iterable[Task]) -> str:
    """The id of the pit stop that stands for the present drift: one that has ended belongs to an earlier drift."""
    known = {task.id: task for task in earlier}
    name, number = f"{PIT}{task_id}", 1
    while name in known and known[name].is_ended:
        number += 1
        name = f"{PIT}{task_id}-{number}"
    return name


def refreshed(description: str, newer: str) -> str:
    """A follow-up's description with our part of it as it is now."""
    start, end = description.find(_START), description.find(_END)
    new_start, new_end = newer.find(_START), newer.find(_END)
    if start < 0 or end < start or new_start < 0:
        return description
    return f"{description[:start]}{newer[new_start:new_end]}{description[end:]}"


def _hardening(report: DriftReport, contract: Contract, found: Drifted) -> Task:
    purpose = "Guardrails that crept into the task belong here: decide which are needed, and make them good."
    task = Task(id=f"{HARDEN}{report.task_id}", title=f"harden: {report.task_title}", tags=("drift", "harden"))
    return _with_body(task, report, _block(task, "harden", contract), (purpose, f"Finding: {found.summary}"))


def _scope(report: DriftReport, contract: Contract, found: Drifted) -> Task:
    purpose = "The task reached beyond its contract: decide whether that work is wanted, and plan it if so."
    task = Task(id=f"{SCOPE}{report.task_id}", title=f"scope: {report.task_title}", tags=("drift", "scope"))
    return _with_body(task, report, _block(task, "explore", contract), (purpose, f"Finding: {found.summary}"))


def _pit_stop(report: DriftReport, contract: Contract, state: TaskState) -> Task:
    purpose = "The task has stayed off course: bring plan and work back together before more is built on it."
    lines = [f"Streak: {state.streak} checks", "Findings:"]
    lines += [f"- {one.kind}: {one.summary}" for one in report.findings if one.severity != "info"]
    lines += ["Recommended:", *(f"- {one.action}" for one in report.recommendations[:_ACTIONS])]
    tags = ("speedrift", "pit-stop", "drift")
    task = Task(id=f"{PIT}{report.task_id}", title=f"pit-stop: {report.task_title}", tags=tags)
    return _with_body(task, report, _block(task, "explore", contract), (purpose, "\n".join(lines)))


def _block(task: Task, mode: Mode, contract: Contract) -> str:
    from leeboard.contracts.block_text import new_block  # noqa: PLC0415 - most reports ask for no new task

    return new_block(task.title, mode, contract.touch)


def _with_body(task: Task, report: DriftReport, block: str, words: tuple[str, str]) -> Task:
    purpose, found = words
    body = f"{block}\n\n{purpose}\n\n{_START}\nOrigin: {report.task_id}\n{_unmarked(found)}\n{_END}\n"
    return replace(task, description=body, after=(report.task_id,))


def _unmarked(text: str) -> str:
    """A path or title may hold anything, our marks and fences too."""
    return text.replace("<!--", "<! --").replace("```", "` ` `")


# How long a task has been off course: persistence, not the number of calls.
#
# Any check that is not green counts, whatever its kinds, but only where the tree changed or some time passed since the
# last one that counted: three looks at one dirty tree within a second are one look. A green check ends the streak and
# arms the pit stop again.


LEAST_SECONDS = 300.0
"""After which an unchanged tree counts again."""


class TreeCheck(msgspec.Struct, frozen=True, kw_only=True):
    """One look at a task's tree."""

    report: DriftReport
    tree: str
    """Digest of the tree."""
    now: float
    stamp: str
    """The same moment as people read it."""


class StreakStep(msgspec.Struct, frozen=True, kw_only=True):
    """How a check moves the streak of its task, and what is due because of it."""

    state: TaskState
    counted: bool = False
    changed: bool = False
    """Score or kinds are others than those that were last written onto the task."""
    pit_stop_due: bool = False


def advance(state: TaskState, check: TreeCheck, contract: Contract | None) -> StreakStep:
    """The streak of a task after one more check, and whether it is time for a pit stop."""
    report = check.report
    drifting = report.score != "green"
    counted = _counts(state, check)
    moved = replace(
        state,
        score=report.score,
        kinds=report.kinds,
        updated_at=check.stamp,
        first_seen=state.first_seen or check.stamp,
        tree=check.tree if counted else state.tree,
        counted_at=check.now if counted or check.now < state.counted_at else state.counted_at,
    )
    if not drifting:
        moved = replace(moved, streak=0, pit_stop_created=False, last_green_at=check.stamp)
    elif counted:
        moved = replace(moved, streak=state.streak + 1)
    return StreakStep(
        state=moved,
        counted=counted,
        changed=signature(report) != state.logged,
        pit_stop_due=drifting and _is_due(moved, contract),
    )


def _counts(state: TaskState, check: TreeCheck) -> bool:
    """A clock that goes backwards lets no time pass."""
    if not state.counted_at or state.tree != check.tree:
        return True
    if state.score == "green" and check.report.score != "green":
        return True
    return check.now - state.counted_at >= LEAST_SECONDS


def _is_due(state: TaskState, contract: Contract | None) -> bool:
    """Only work in the mode `core` is called in; a task without a contract is such work."""
    contract = contract or Contract()
    wanted = contract.mode == "core" and contract.auto_followups and contract.pit_stop_after > 0
    return wanted and state.streak >= contract.pit_stop_after and not state.pit_stop_created


def is_stuck(state: TaskState, contract: Contract | None) -> bool:
    """Off course for twice as long as calls for a pit stop: that is red, whatever the findings are."""
    after = (contract or Contract()).pit_stop_after
    return after > 0 and state.streak >= 2 * after


def stopped(state: TaskState) -> TaskState:
    """The state once the pit stop was made."""
    return replace(state, pit_stop_created=True, pit_stops=state.pit_stops + 1)


def signature(report: DriftReport) -> str:
    return " ".join((report.score, *report.kinds))
