"""What a work tree looks like to a person: the report of a check, and the contract that holds there."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from leeboard.app.check import Checked, CheckOptions, check_tree
from leeboard.app.promise import Promise, notes_of, promised
from leeboard.app.tasks.drift_actions import Recorded, Wanted, Work, acted_on, record
from leeboard.contracts.report import TreeCheck
from leeboard.io import clock
from leeboard.io.git.work_tree import EMPTY_TREES
from leeboard.model.contract import Held
from leeboard.model.task import DriftReport


class CheckPage(msgspec.Struct, frozen=True, kw_only=True):
    """All there is to tell of one check."""

    checked: Checked
    report: DriftReport
    """With what the streak adds to it."""
    recorded: Recorded | None = None
    notes: tuple[str, ...] = ()


def check_page(root: str, env: Mapping[str, str], task_id: str, look: CheckOptions, wanted: Wanted) -> CheckPage:
    """Check the tree of a task, remember it, and do what it calls for as far as that is `wanted`."""
    promise = promised(root, env, task_id)
    checked = check_tree(promise, env, look)
    recorded = _recorded(checked, wanted, look)
    kept = notes_of(promise.tasks) if promise.tasks else ()
    if (wanted.log or wanted.followups) and promise.task is None:
        kept = (*kept, "there is no task to write to: this contract belongs to none")
    return CheckPage(
        checked=checked,
        report=recorded.report if recorded else checked.report,
        recorded=recorded,
        notes=(*promise.notes, *kept, *checked.event.change.notes, *(recorded.notes if recorded else ())),
    )


def _recorded(checked: Checked, wanted: Wanted, look: CheckOptions) -> Recorded | None:
    """The check, remembered; a look at the index alone, or from somewhere else, is no look at the work."""
    if look.staged or (checked.promise.held is None and checked.promise.task is None):
        return None
    promise, now = checked.promise, clock.now()
    work = Work(
        name=promise.name,
        folder=promise.folder,
        contract=checked.contract,
        tasks=promise.tasks if promise.task else None,
        base=checked.event.change.base,
        active=promise.task is not None and promise.task.is_active,
    )
    check = TreeCheck(report=checked.report, tree=checked.event.change.digest, now=now, stamp=clock.stamp(now))
    return acted_on(work, check, wanted) if look.base else record(work, check, wanted)


class ContractPage(msgspec.Struct, frozen=True, kw_only=True):
    """What holds for a work tree, and where the work began."""

    task_id: str
    title: str
    held: Held | None
    base_commit: str
    """The commit that was recorded when the work began; empty where none was."""
    notes: tuple[str, ...]
    """What could not be read."""


def contract_page(root: str, env: Mapping[str, str], task_id: str = "") -> ContractPage:
    return page_of(promised(root, env, task_id))


def page_of(promise: Promise) -> ContractPage:
    task = promise.task
    return ContractPage(
        task_id=task.id if task else "",
        title=task.title if task else "",
        held=promise.held,
        base_commit=promise.folder.read().task(promise.name).base_commit if task else "",
        notes=(*promise.notes, *notes_of(promise.tasks)),
    )


def short_base(base: str) -> str:
    """A commit as people name it; the time before any commit has no name."""
    return "the beginning" if not base or base in EMPTY_TREES else base[:10]
