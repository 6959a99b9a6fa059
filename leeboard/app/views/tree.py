"""What a work tree looks like to a person: the report of a check, and the contract that holds there."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from leeboard.app.check import Checked, CheckOptions, check_tree
from leeboard.app.tasks.drift_actions import Recorded, Wanted, Work, acted_on, record
from leeboard.app.work_contract import WorkContract, find_contract, notes_of
from leeboard.contracts.disk.drift_folder import DriftFolder
from leeboard.contracts.report import TreeCheck
from leeboard.errors import EffectError
from leeboard.io import clock
from leeboard.io.file import is_forbidden
from leeboard.io.git.work_tree import EMPTY_TREES
from leeboard.model.contract import Held
from leeboard.model.task import DriftReport


class CheckPage(msgspec.Struct, frozen=True, kw_only=True):
    """A check of a work tree, its report and what was recorded for it."""

    checked: Checked
    report: DriftReport
    """With what the streak adds to it."""
    recorded: Recorded | None = None
    notes: tuple[str, ...] = ()


def check_page(root: str, env: Mapping[str, str], task_id: str, look: CheckOptions, wanted: Wanted) -> CheckPage:
    """Check the tree of a task, remember it, and do what it calls for as far as that is `wanted`."""
    work_contract = find_contract(root, env, task_id)
    folder = work_contract.folder if look.state else None
    if folder is not None:
        folder.take_in(look.state)
    checked = check_tree(work_contract, env, look)
    recorded, unkept = _kept(checked, wanted, look)
    if folder is not None:
        folder.hand_out(look.state)
    kept = notes_of(work_contract.tasks) if work_contract.tasks else ()
    if (wanted.log or wanted.followups) and work_contract.task is None:
        kept = (*kept, "there is no task to write to: this contract belongs to none")
    return CheckPage(
        checked=checked,
        report=recorded.report if recorded else checked.report,
        recorded=recorded,
        notes=(*work_contract.notes, *unkept, *kept, *checked.event.change.notes, *_said(folder, recorded)),
    )


def _said(folder: DriftFolder | None, recorded: Recorded | None) -> tuple[str, ...]:
    return (*(folder.notes if folder else ()), *(recorded.notes if recorded else ()))


def _kept(checked: Checked, wanted: Wanted, look: CheckOptions) -> tuple[Recorded | None, tuple[str, ...]]:
    """The check, remembered. Where nothing may be written nothing is, and that is said: the tree was looked at."""
    try:
        return _recorded(checked, wanted, look), ()
    except EffectError as error:
        if wanted.log or wanted.followups or look.state or not is_forbidden(error):
            raise
        return None, (f"this check is not remembered, so streaks do not grow: {error}",)


def _recorded(checked: Checked, wanted: Wanted, look: CheckOptions) -> Recorded | None:
    """The check, remembered; a look at the index alone, or from somewhere else, is no look at the work."""
    if look.staged or (checked.work_contract.held is None and checked.work_contract.task is None):
        return None
    work_contract, now = checked.work_contract, clock.now()
    work = Work(
        name=work_contract.name,
        folder=work_contract.folder,
        contract=checked.contract,
        tasks=work_contract.tasks if work_contract.task else None,
        base=checked.event.change.base,
        active=work_contract.task is not None and work_contract.task.is_active,
    )
    check = TreeCheck(report=checked.report, tree=checked.event.change.digest, now=now, stamp=clock.stamp(now))
    return acted_on(work, check, wanted) if look.base and not look.state else record(work, check, wanted)


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
    return page_of(find_contract(root, env, task_id))


def page_of(work_contract: WorkContract) -> ContractPage:
    task = work_contract.task
    return ContractPage(
        task_id=task.id if task else "",
        title=task.title if task else "",
        held=work_contract.held,
        base_commit=work_contract.folder.read().task(work_contract.name).base_commit if task else "",
        notes=(*work_contract.notes, *notes_of(work_contract.tasks)),
    )


def short_base(base: str) -> str:
    """A commit as people name it; the time before any commit has no name."""
    return "the beginning" if not base or base in EMPTY_TREES else base[:10]
