"""A file that is only ever seen whole: written beside its place, flushed to the disk, then moved there."""

from __future__ import annotations

import os
from posixpath import basename, dirname, join

from leeboard.errors import EffectError

MODE = 0o644


def replace_file(path: str, data: bytes, temporary: str = "") -> None:
    """Put `data` in the place of the file, which keeps its mode. A symbolic link there is replaced, never followed.

    `temporary` is the name of the file beside it while it is written. Raises EffectError, leaving things as they were.
    """
    folder = dirname(path)
    beside = join(folder, temporary or f".{basename(path)}.{os.getpid()}.tmp")
    try:
        _write(beside, data, _mode_of(path))
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
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode)
    try:
        view = memoryview(data)
        while view:
            view = view[os.write(file, view) :]
        os.fchmod(file, mode)
        os.fsync(file)
    finally:
        os.close(file)


def _flush_folder(folder: str) -> None:
    """The move itself is on the disk only once the folder is."""
    file = os.open(folder or ".", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(file)
    finally:
        os.close(file)


def _remove(path: str) -> None:
    try:
        os.unlink(path)  # noqa: PTH108 - as above
    except OSError:
        return
