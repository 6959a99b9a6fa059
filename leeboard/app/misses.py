"""Hook calls that went unanswered because something failed: a short log beside the database, shown by `doctor`.

It has to work where the store does not, and where no package but this one can be imported.
"""

from __future__ import annotations

import os
import posixpath

from leeboard.errors import LeeboardError
from leeboard.io import clock, places, system
from leeboard.model.workspace import is_whole

LIMIT = 32_768
"""Bytes. A longer log is set aside; the one set aside before is forgotten."""
LONGEST_LINE = 400
_LONGEST_MARK = 250
"""Characters at the end of a line that say which project it is of."""


def note_miss(state_dir: str, event: str, failure: BaseException, folder: str = "") -> None:
    """Add one line, as well as that can be done. `folder` is where it happened, as far as that is known."""
    words = " ".join(f"{clock.iso(clock.now())} {_bare(event) or 'hook'} {_bare(describe(failure))}".split())
    mark = _mark(folder)
    line = words[: LONGEST_LINE - len(mark)] + mark
    try:
        places.make_private_dir(state_dir)
        _append(posixpath.join(state_dir, "misses.log"), line.encode("utf-8", "replace") + b"\n")
    except (OSError, ValueError):
        return


def misses(state_dir: str) -> list[str]:
    """What was noted, oldest first."""
    path = posixpath.join(state_dir, "misses.log")
    return [line for part in (f"{path}.1", path) for line in _lines(part)]


def misses_at(state_dir: str, root: str) -> list[str]:
    """Those of a project and those of nobody, in words alone."""
    mark = _mark(root)
    told = (line.partition("\t") for line in misses(state_dir))
    return [words for words, tab, place in told if not tab or tab + place == mark]


def misses_about(state_dir: str, root: str) -> list[str]:
    """Lines of this project or that name a file in it, also of a log that was set aside; without one, all of them."""
    return [line for path in _logs(state_dir) for line in _lines(path) if _is_about(line, root)]


def forget_misses(state_dir: str, root: str) -> None:
    """Without those lines; a log that has no other goes."""
    from leeboard.io.file import replace_file  # noqa: PLC0415 - only for a person who asks for it

    for path in _logs(state_dir):
        lines = _lines(path)
        kept = [line for line in lines if not _is_about(line, root)]
        if not kept:
            os.unlink(path)  # noqa: PTH108 - pathlib costs the hook process its import
        elif kept != lines:
            replace_file(path, "".join(f"{line}\n" for line in kept).encode("utf-8", "replace"))


def _is_about(line: str, root: str) -> bool:
    return not root or line.endswith(_mark(root) or "\n") or f"{root}/" in line.partition("\t")[0]


def _logs(state_dir: str) -> list[str]:
    try:
        names = sorted(os.listdir(state_dir))  # noqa: PTH208 - pathlib costs the hook process its import
    except OSError:
        return []
    return [posixpath.join(state_dir, name) for name in names if name.startswith("misses") and ".log" in name]


def hook_folder(told: str, process: int) -> str:
    """Where a hook belongs: to the folder its client told, else to the one its process runs in; empty where nobody can
    tell.
    """
    told = system.slashed(told)
    if is_whole(told):
        return told
    try:
        if process == os.getpid():
            return os.getcwd()  # noqa: PTH109 - pathlib costs the hook process its import
        return os.readlink(f"/proc/{process}/cwd") if process else ""  # noqa: PTH115 - as above
    except OSError:
        return ""


def set_aside(state_dir: str) -> str:
    """Begin a new log; where the old one is kept."""
    aside = posixpath.join(state_dir, f"misses-{clock.iso(clock.now()).replace(':', '')}.log")
    lines = misses(state_dir)
    file = os.open(aside, os.O_WRONLY | os.O_APPEND | os.O_CREAT | system.CLOEXEC, 0o600)
    try:
        os.write(file, "".join(f"{line}\n" for line in lines).encode("utf-8", "replace"))
    finally:
        os.close(file)
    for name in ("misses.log.1", "misses.log"):
        path = posixpath.join(state_dir, name)
        if posixpath.exists(path):
            os.unlink(path)  # noqa: PTH108 - pathlib costs the hook process its import
    return aside


def describe(failure: BaseException) -> str:
    """What went wrong, in words that hold nothing of what the agent sent: only our own errors may speak freely."""
    if isinstance(failure, LeeboardError):
        return f"{type(failure).__name__}: {failure}"
    if isinstance(failure, OSError):
        return f"{type(failure).__name__}: {failure.strerror}: {failure.filename}"
    if isinstance(failure, ImportError):
        return f"{type(failure).__name__}: {failure.msg}"
    return f"{type(failure).__name__} in {_place(failure)}"


def _bare(text: str) -> str:
    """Our own errors name files and fields, which may be called after a key. Where nobody can look: what kind it is."""
    from leeboard.secrets.redaction import redact  # noqa: PLC0415 - only where something failed

    try:
        return redact(text)
    except ImportError:
        return text.partition(":")[0]


def _place(failure: BaseException) -> str:
    step = failure.__traceback__
    while step is not None and step.tb_next is not None:
        step = step.tb_next
    if step is None:
        return "an unknown place"
    return f"{posixpath.basename(step.tb_frame.f_code.co_filename)}:{step.tb_lineno}"


def _mark(folder: str) -> str:
    """Written so that no name can break the line."""
    try:
        mark = f"\t{places.project_root(system.realpath(folder))!r}" if folder else ""
    except (OSError, ValueError):
        return ""
    return mark if len(mark) <= _LONGEST_MARK else ""


def _append(path: str, line: bytes) -> None:
    file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | system.CLOEXEC, 0o600)
    try:
        if os.fstat(file).st_size > LIMIT:
            os.rename(path, f"{path}.1")  # noqa: PTH104 - pathlib costs the hook process its import
            os.close(file)
            file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | system.CLOEXEC, 0o600)
        os.write(file, line)
    finally:
        os.close(file)


def _lines(path: str) -> list[str]:
    try:
        with open(path, "rb") as file:  # noqa: PTH123 - as above
            return file.read(3 * LIMIT).decode("utf-8", "replace").splitlines()
    except (OSError, ValueError):
        return []


class NotedFailure:
    """Turns a failure inside a with block into a note. Errors of our own pass: a store that fails fails for all.

    `ours_too`: what is done inside reads and writes files of the project, which raise errors of our own as well.
    """

    def __init__(self, notes: list[str], name: str, *, ours_too: bool = False) -> None:
        self._notes = notes
        self._name = name
        self._ours_too = ours_too

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, failure: BaseException | None, trace: object) -> bool:
        passes = isinstance(failure, LeeboardError) and not self._ours_too
        if not isinstance(failure, Exception) or passes:
            return False
        self._notes.append(f"{self._name}: {describe(failure)}")
        return True
