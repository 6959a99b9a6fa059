"""Locks between processes: one to wait for, and one that is had at once or not at all.

`flock` is released by the kernel when its holder dies, so a lock can not be left behind; the file itself stays, because
removing it would let two processes hold locks on two files of one name. A free lock costs one system call. A taken one
is waited for inside the kernel, which wakes exactly one waiter at once: fifty waiters that poll would each sleep past
their turn. `flock` knows no deadline, so the waiting is done by a bare thread and the deadline is kept by the caller.
"""

from __future__ import annotations

import _thread
import fcntl
import os

from leeboard.errors import BusyError, EffectError
from leeboard.io.file import open_written

DEADLINE = 10.0
"""Seconds. Holders keep the lock for milliseconds; who waits this long waits for a stopped process."""


def file_lock(path: str, deadline: float = DEADLINE) -> FileLock:
    """To hold the lock of `path` for the length of a with block; BusyError when it does not come free in time."""
    return FileLock(path, deadline)


class FileLock:
    def __init__(self, path: str, deadline: float) -> None:
        self._path = path
        self._deadline = deadline
        self._file = -1

    def __enter__(self) -> None:
        try:
            file = open_written(self._path, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise EffectError(f"can not open the lock {self._path}: {error.strerror}") from error
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            _wait(file, self._path, self._deadline)
        except OSError as error:
            os.close(file)
            raise EffectError(f"can not lock {self._path}: {error.strerror}") from error
        self._file = file

    def __exit__(self, *exc_info: object) -> None:
        os.close(self._file)


def _wait(file: int, path: str, deadline: float) -> None:
    """Give the file over locked. Past the deadline it belongs to the thread, which closes it when the lock comes."""
    decided, arrived = _thread.allocate_lock(), _thread.allocate_lock()
    arrived.acquire()

    def block() -> None:
        fcntl.flock(file, fcntl.LOCK_EX)
        if decided.acquire(blocking=False):
            arrived.release()
        else:
            os.close(file)

    _thread.start_new_thread(block, ())
    if not arrived.acquire(timeout=deadline) and decided.acquire(blocking=False):
        raise BusyError(f"{path} was not given free within {deadline:g} s: a process that holds it may be stopped")


class Sole:
    """The right to be the only one at `path`, once it was taken."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._file = -1

    def take(self) -> bool:
        """Whether it is ours now; False while another process has it."""
        if self._file >= 0:
            return True
        try:
            file = open_written(self.path, os.O_RDWR | os.O_CREAT, 0o600)
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BaseException:
                os.close(file)
                raise
        except BlockingIOError:
            return False
        except OSError as error:
            raise EffectError(f"can not lock {self.path}: {error.strerror or error}") from error
        self._file = file
        return True

    def give_back(self) -> None:
        if self._file >= 0:
            os.close(self._file)
            self._file = -1
