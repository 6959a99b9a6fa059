"""The one way to read or write a file where a repository or an agent could have put another one.

What lies at a name may be a link to somewhere else, a FIFO that never answers, a device that never ends or a file
larger than memory. Only regular files are read, without waiting for anybody, and up to a size. All that is wrong is an
OSError.
"""

from __future__ import annotations

import _thread
import errno
import os
import stat
from posixpath import basename, dirname, islink, join

from leeboard.errors import BusyError, EffectError
from leeboard.io import system
from leeboard.io.system import realpath

CHUNK = 1 << 20
_READ = os.O_RDONLY | system.NONBLOCK | system.CLOEXEC | system.NOCTTY


def read_regular(path: str | bytes, most: int, *, follow: bool = False) -> bytes:
    """The whole file. With `follow` a link at its name may lead to it; OSError past `most` bytes."""
    file = open_regular(path, follow=follow)
    try:
        return read_open(file, most, path)
    finally:
        os.close(file)


def read_start(path: str | bytes, most: int, *, follow: bool = False) -> bytes:
    """As much of a file as is wanted of it, however large it is."""
    file = open_regular(path, follow=follow)
    try:
        return os.read(file, most)
    finally:
        os.close(file)


def open_regular(path: str | bytes, *, follow: bool = False, around: int | None = None) -> int:
    """A descriptor for reading, which the caller closes. `around` is the folder that the name is relative to."""
    try:
        file = os.open(path, _READ if follow else _READ | system.NOFOLLOW, dir_fd=around)
    except ValueError as error:  # a NUL in the name
        raise OSError(errno.EINVAL, str(error), path) from error
    if stat.S_ISREG(os.fstat(file).st_mode):
        return file
    os.close(file)
    raise OSError(errno.EINVAL, "not a regular file", path)


def read_open(file: int, most: int, path: str | bytes = "") -> bytes:
    """All of an open regular file; the path is for the words of the error."""
    too_large = OSError(errno.EFBIG, f"larger than {most} bytes", path)
    if os.fstat(file).st_size > most:
        raise too_large
    parts, left = [], most + 1  # some that say they are empty, such as those of /proc, go on
    while left > 0 and (part := os.read(file, min(CHUNK, left))):
        parts.append(part)
        left -= len(part)
    if left <= 0:
        raise too_large
    return b"".join(parts)


# The one way to open a file for writing where a repository or an agent could have put another one.
#
# A link at its name is never followed, and nothing but a regular file is written to: a line meant for a log of ours
# must not end in somebody's start file, nor wait for whoever reads a FIFO.


def open_written(path: str, flags: int, mode: int = 0o644) -> int:
    """A descriptor, which the caller closes. OSError where the name leads elsewhere or is no regular file."""
    file = os.open(path, flags | system.NOFOLLOW | system.NONBLOCK | system.CLOEXEC | system.NOCTTY, mode)
    if stat.S_ISREG(os.fstat(file).st_mode):
        return file
    os.close(file)
    raise OSError(errno.EINVAL, "not a regular file", path)


def own_folder(path: str) -> None:
    """OSError where a folder that we make inside of a repository is a link to another place."""
    if islink(path):
        raise OSError(errno.ELOOP, "it is a link; nothing is written through it", path)


def is_forbidden(error: EffectError) -> bool:
    """Whether it failed because nothing may be written there: a read-only mount, a folder of somebody else."""
    cause = error.__cause__
    return isinstance(cause, OSError) and cause.errno in {errno.EROFS, errno.EACCES, errno.EPERM}


def leads_out(path: str, root: str) -> bool:
    """Whether a file of the project at `root` really lies outside of it, through a link at any part of its name."""
    real, inside = realpath(path), realpath(root)
    return not f"{real}/".startswith(f"{inside}/") and f"{path}/".startswith(f"{root}/")


# A file that is only ever seen whole: written beside its place, flushed to the disk, then moved there.


MODE = 0o644


def replace_file(path: str, data: bytes, temporary: str = "", mode: int | None = None) -> None:
    """Put `data` in the place of the file, which keeps its mode unless another one is given. A symbolic link there is
    replaced, never followed.

    `temporary` is the name of the file beside it while it is written. Raises EffectError, leaving things as they were.
    """
    folder = dirname(path)
    beside = join(folder, temporary or f".{basename(path)}.{os.getpid()}.tmp")
    try:
        _write(beside, data, _mode_of(path) if mode is None else mode)
        os.replace(beside, path)  # noqa: PTH105 - names that are no valid text pass through
        _flush_folder(folder)
    except OSError as error:
        _remove(beside)
        raise EffectError(f"can not write {path}: {error.strerror or error}") from error
    except BaseException:
        _remove(beside)
        raise


def set_aside(path: str, stamp: str) -> str:
    """Move a file that can not be read out of the way; where it is then."""
    kept = f"{path}.corrupt-{stamp}"
    number = 1
    while os.path.lexists(kept):
        number += 1
        kept = f"{path}.corrupt-{stamp}-{number}"
    try:
        os.rename(path, kept)  # noqa: PTH104 - as above
    except OSError as error:
        raise EffectError(f"can not set {path} aside: {error.strerror or error}") from error
    return kept


def _mode_of(path: str) -> int:
    try:
        return os.lstat(path).st_mode & 0o777 or MODE
    except OSError:
        return MODE


def _write(path: str, data: bytes, mode: int) -> None:
    _remove(path)  # of a process of this number that died while it wrote
    fill(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | system.CLOEXEC, mode), data, mode)


def fill(file: int, data: bytes, mode: int) -> None:
    """All of it into an open file, which is on the disk then, and closed."""
    try:
        view = memoryview(data)
        while view:
            view = view[os.write(file, view) :]
        system.set_mode(file, mode)
        os.fsync(file)
    finally:
        os.close(file)


def _flush_folder(folder: str) -> None:
    """The move itself is on the disk only once the folder is."""
    if not system.DIRECTORY:
        return  # where a folder can not be opened, it can not be flushed either
    file = os.open(folder or ".", os.O_RDONLY | system.DIRECTORY | system.CLOEXEC)
    try:
        os.fsync(file)
    finally:
        os.close(file)


def _remove(path: str) -> None:
    try:
        os.unlink(path)  # noqa: PTH108 - as above
    except OSError:
        return


# Locks between processes: one to wait for, and one that is had at once or not at all.
#
# `flock` is released by the kernel when its holder dies, so a lock can not be left behind; the file itself stays,
# because removing it would let two processes hold locks on two files of one name. A free lock costs one system call.
# A taken one is waited for inside the kernel, which wakes exactly one waiter at once: fifty waiters that poll would
# each sleep past their turn. `flock` knows no deadline, so the waiting is done by a bare thread and the deadline is
# kept by the caller.


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
            system.lock(file)
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
        system.lock(file, wait=True)
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
                system.lock(file)
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
