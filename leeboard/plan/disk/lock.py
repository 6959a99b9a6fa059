"""One lock for each intent, between processes: held for a look and its effects, never while gates run or a person is
awaited.

The lock is the kernel's and goes with its holder. A git process that outlives a killed engine inherits it, so the next
tick begins only when the repository is at rest.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from posixpath import lexists

from leeboard.errors import StateError
from leeboard.io.lock import FileLock
from leeboard.plan.disk.folder import PlanFolder

DEADLINE = 60.0
"""Seconds. Holders make worktrees and merge, which takes a while in a large repository."""
GATES_DEADLINE = 3600.0
LOG_DEADLINE = 10.0


class IntentLock(FileLock):
    def fileno(self) -> int:
        """To be inherited by what has to end before the lock may be given away."""
        return self._file


@contextlib.contextmanager
def hold(folder: PlanFolder, slug: str, deadline: float = DEADLINE) -> Iterator[int]:
    """The intent's lock, for the length of a with block. EffectError when it does not come free in time."""
    with _held(folder, f"{slug}.lock", deadline) as lock:
        yield lock


@contextlib.contextmanager
def hold_gates(folder: PlanFolder, slug: str) -> Iterator[None]:
    """That quality gates are run once: whoever waits here finds the results of the one before."""
    with _held(folder, f"{slug}.gates.lock", GATES_DEADLINE):
        yield


@contextlib.contextmanager
def hold_log(folder: PlanFolder, slug: str) -> Iterator[None]:
    """That lines of the action log are written one after another: for moments, whoever holds the intent's lock."""
    with _held(folder, f"{slug}.log.lock", LOG_DEADLINE):
        yield


@contextlib.contextmanager
def _held(folder: PlanFolder, name: str, deadline: float) -> Iterator[int]:
    if "/" in name:
        raise StateError(f"{name} is no name of a lock")
    if not lexists(folder.spelled("locks")):
        from leeboard.plan.disk.worktrees import hide_transient  # noqa: PLC0415 - once in the life of a clone

        hide_transient(folder.home)
    folder.refuse_link(f"locks/{name}", make=True)
    lock = IntentLock(folder.spelled(f"locks/{name}"), deadline)
    with lock:
        yield lock.fileno()
