"""`.haiku` as a folder nobody can lead out of: every path is walked one name at a time and no link is ever followed.

A file is written to one place below `.haiku/tmp`, flushed to the disk and moved, so it is only ever seen whole; what a
killed writer left there is overwritten by the next one, or taken away by whoever looks next. Whatever the disk refuses
is an EffectError with the path and the next step, and leaves things as they were.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from posixpath import basename, dirname, join, lexists
from typing import Protocol

from leeboard.errors import EffectError, LeeboardError, StateError
from leeboard.io import system
from leeboard.io.file import FileLock, read_regular, replace_file
from leeboard.io.git.place import GitPlace
from leeboard.io.system import realpath
from leeboard.plan.disk.layout import HOME, TRANSIENT, own_homes, place_of, spare_file, top_of

MOST_BYTES = 8 << 20
"""A plan file larger than this is nobody's plan."""
MOST_NOTED = 4096
"""What is written at once, whoever else reads."""
_FOLDER = os.O_RDONLY | system.DIRECTORY | system.NOFOLLOW | system.CLOEXEC
_FILE = os.O_RDONLY | system.NOFOLLOW | system.NONBLOCK | system.CLOEXEC
_STEPS = {
    errno.ENOSPC: "The disk is full: free some space and call again.",
    errno.EDQUOT: "The quota is used up: free some space and call again.",
    errno.EROFS: "The disk is read-only: mount it writable and call again.",
    errno.EACCES: "Make it writable for this user and call again.",
    errno.EPERM: "Make it writable for this user and call again.",
}


class FileKnowledge(Protocol):
    """Texts of plan files that were read before, so that a look need not read all of them again."""

    def texts(
        self, place: str, folder: int, names: Sequence[str], read: Callable[[str], str | None]
    ) -> Mapping[str, str]:
        """The texts of those names in the open folder that are still there."""


class PlanFolder:
    """The plan of the work tree at `home`. Paths are relative to `.haiku`."""

    def __init__(self, home: str) -> None:
        self.home = home

    def spelled(self, path: str) -> str:
        return join(self.home, HOME, path)

    def sealed_at(self, path: str) -> str:
        """The place that seals and signatures are bound to: the same whichever of its work trees an intent is in."""
        return realpath(join(top_of(self.home), HOME, path))

    def read(self, path: str, most: int = MOST_BYTES) -> bytes | None:
        """None where there is none. StateError for a link, something that is no file, or one that is too large."""
        with self._within(path):
            try:
                with self._opened(dirname(path)) as folder:
                    return self._read(path, folder, most)
            except FileNotFoundError:
                return None

    def texts(self, path: str, ending: str, known: FileKnowledge | None = None) -> Mapping[str, str]:
        """All files of a folder whose names end so, sorted by name; the way there is walked once for all of them.

        `known` is asked for them first, and reads what it does not know.
        """
        with self._within(path), contextlib.suppress(FileNotFoundError), self._opened(path) as folder:
            names = sorted(name for name in os.listdir(folder) if name.endswith(ending))  # noqa: PTH208 - a descriptor

            def read(name: str) -> str | None:
                with self._within(f"{path}/{name}"), contextlib.suppress(FileNotFoundError):
                    return self._read(f"{path}/{name}", folder, MOST_BYTES).decode("utf-8", "surrogateescape")
                return None

            if known is not None:
                return known.texts(self.spelled(path), folder, names, read)
            return {name: text for name in names if (text := read(name)) is not None}
        return {}

    def listings(self, path: str, wanted: Iterable[str], known: FileKnowledge) -> Mapping[str, str]:
        """What lies in each of these folders of a folder, with slashes in between; those aside that are not there."""
        with self._within(path), contextlib.suppress(FileNotFoundError), self._opened(path) as folder:
            there = {*os.listdir(folder)}  # noqa: PTH208 - a descriptor

            def read(name: str) -> str | None:
                with self._within(f"{path}/{name}"), contextlib.suppress(FileNotFoundError):
                    inner = entered(name, folder, make=False)
                    try:
                        return "/".join(sorted(os.listdir(inner)))  # noqa: PTH208 - as above
                    finally:
                        os.close(inner)
                return None

            return known.texts(self.spelled(path), folder, [name for name in wanted if name in there], read)
        return {}

    def text(self, path: str) -> str | None:
        """Bytes that are no UTF-8 become lone surrogates, and are written back as they were."""
        data = self.read(path)
        return None if data is None else data.decode("utf-8", "surrogateescape")

    @contextlib.contextmanager
    def opened(self, path: str, *, make: bool = False) -> Iterator[int]:
        """A folder by its descriptor, for what is done in it by name alone. OSError as the system gives it."""
        with self._opened(path, make=make) as folder:
            yield folder

    def names(self, path: str) -> tuple[str, ...]:
        """What lies in a folder, sorted; nothing where there is none."""
        with self._within(path):
            try:
                with self._opened(path) as folder:
                    return tuple(sorted(os.listdir(folder)))  # noqa: PTH208 - a descriptor, not a path
            except FileNotFoundError:
                return ()

    def folders(self, path: str) -> tuple[str, ...]:
        """The folders in a folder, sorted: a file that somebody's desktop put there is none, nor is a link."""
        with self._within(path):
            try:
                with self._opened(path) as folder, os.scandir(folder) as entries:
                    return tuple(sorted(entry.name for entry in entries if entry.is_dir(follow_symlinks=False)))
            except FileNotFoundError:
                return ()

    def write(self, path: str, data: bytes) -> None:
        """Put `data` in the place of the file; folders on the way are made."""
        with self._within(path), self._opened("tmp", make=True) as spare, self._opened(dirname(path), make=True) as to:
            name = basename(spare_file(path.split("/")[1].removesuffix(".step") if "/" in path else "home"))
            self._refuse_link(path, to)
            try:
                _write_whole(name, spare, data)
                os.replace(name, basename(path), src_dir_fd=spare, dst_dir_fd=to)
            except BaseException:
                with contextlib.suppress(OSError):
                    os.unlink(name, dir_fd=spare)
                raise
            os.fsync(to)

    def note(self, path: str, data: bytes) -> None:
        """Write over what is there: one small write, padded with spaces and not flushed.

        A killed process loses nothing of it and leaves nothing half; a machine that loses its power may go back to an
        earlier note. It is for what every call writes down and nothing hangs on: flushing it is most of such a call.
        """
        with self._within(path):
            try:
                with self._opened(dirname(path)) as folder:
                    file = os.open(
                        basename(path), os.O_RDWR | system.NOFOLLOW | system.NONBLOCK | system.CLOEXEC, dir_fd=folder
                    )
            except FileNotFoundError:
                self.write(path, data)
                return
            try:
                seen = os.fstat(file)
                whole = data.ljust(seen.st_size)
                fits = stat.S_ISREG(seen.st_mode) and len(whole) <= MOST_NOTED
                noted = fits and system.write_at(file, whole, 0) == len(whole)
            finally:
                os.close(file)
        if not noted:
            self.write(path, data)

    def append(self, path: str, line: bytes) -> None:
        """One whole line at the end, in one write; what a killed writer left half is ended first."""
        with self._within(path), self._opened(dirname(path), make=True) as folder:
            flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | system.NOFOLLOW | system.CLOEXEC
            file = os.open(basename(path), flags, 0o644, dir_fd=folder)
            try:
                size = os.fstat(file).st_size
                torn = size and system.read_at(file, 1, size - 1) != b"\n"
                data = (b"\n" if torn else b"") + line + b"\n"
                if os.write(file, data) != len(data):
                    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
                os.fsync(file)
            finally:
                os.close(file)

    def tail(self, path: str, most: int) -> bytes:
        """The whole lines within the last `most` bytes."""
        with self._within(path):
            try:
                with self._opened(dirname(path)) as folder:
                    file = os.open(basename(path), _FILE, dir_fd=folder)
            except FileNotFoundError:
                return b""
            try:
                start = max(0, os.fstat(file).st_size - most)
                data = system.read_at(file, most, start)
            finally:
                os.close(file)
            return data.partition(b"\n")[2] if start else data

    def make(self, path: str) -> None:
        with self._within(path), self._opened(path, make=True):
            return

    def refuse_link(self, path: str, *, make: bool = False) -> None:
        """StateError for a link or something else that is no file; `make`: the folder it lies in."""
        with self._within(path), contextlib.suppress(FileNotFoundError), self._opened(dirname(path), make=make) as to:
            self._refuse_link(path, to)

    def remove(self, path: str) -> None:
        """A file that may be gone already."""
        with self._within(path), contextlib.suppress(FileNotFoundError), self._opened(dirname(path)) as folder:
            os.unlink(basename(path), dir_fd=folder)

    def move_folder(self, before: str, after: str) -> None:
        """To a place where nothing lies yet. FileExistsError where something does."""
        with self._within(after), self._opened(dirname(before)) as old, self._opened(dirname(after), make=True) as new:
            if basename(after) in os.listdir(new):  # noqa: PTH208 - a descriptor, not a path
                raise FileExistsError(self.spelled(after))
            os.rename(basename(before), basename(after), src_dir_fd=old, dst_dir_fd=new)
            os.fsync(new)

    def _read(self, path: str, folder: int, most: int) -> bytes:
        file = os.open(basename(path), _FILE, dir_fd=folder)
        try:
            seen = os.fstat(file)
            if not stat.S_ISREG(seen.st_mode) or seen.st_size > most:
                raise StateError(f"{self.spelled(path)} is no ordinary file of the plan: put it right or remove it.")
            return os.read(file, seen.st_size)
        finally:
            os.close(file)

    def _refuse_link(self, path: str, folder: int) -> None:
        try:
            seen = os.stat(basename(path), dir_fd=folder, follow_symlinks=False)
        except FileNotFoundError:
            return
        if not stat.S_ISREG(seen.st_mode):
            raise StateError(f"{self.spelled(path)} is no ordinary file of the plan: put it right or remove it.")

    def _within(self, path: str) -> _Within:
        return _Within(self, path)

    def failure(self, path: str, error: OSError | ValueError) -> LeeboardError:
        place = self.spelled(path)
        if not isinstance(error, OSError):
            return StateError(f"{place!r} is no path of a plan: {error}.")
        if error.errno in {errno.ELOOP, errno.ENOTDIR, errno.EISDIR}:
            return StateError(
                f"{place} leads over a symbolic link, or is a folder where a file belongs, or the reverse. No link"
                f" below {HOME} is followed: put the real folder or file in its place."
            )
        step = _STEPS.get(error.errno or 0, "Put that right and call again; the plan is as it was before.")
        return EffectError(f"can not use {place}: {error.strerror or error}. {step}")

    @contextlib.contextmanager
    def _opened(self, path: str, *, make: bool = False) -> Iterator[int]:
        folder = os.open(self.home, os.O_RDONLY | system.DIRECTORY | system.CLOEXEC)
        try:
            for name in (HOME, *(part for part in path.split("/") if part)):
                inner = entered(name, folder, make=make)
                os.close(folder)
                folder = inner
            yield folder
        finally:
            os.close(folder)


class _Within:
    """What goes wrong inside, said with the path and the next step."""

    def __init__(self, folder: PlanFolder, path: str) -> None:
        self._folder = folder
        self._path = path

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, OSError | ValueError) and not isinstance(error, LeeboardError | FileExistsError):
            raise self._folder.failure(self._path, error) from error


def entered(name: str, folder: int, *, make: bool) -> int:
    """The folder of this name in one that is open. OSError for a link, ValueError where it leads out."""
    if name == "..":
        raise ValueError("it leads out of its folder")
    try:
        return os.open(name, _FOLDER, dir_fd=folder)
    except FileNotFoundError:
        if not make:
            raise
    with contextlib.suppress(FileExistsError):
        os.mkdir(name, 0o755, dir_fd=folder)
        os.fsync(folder)
    return os.open(name, _FOLDER, dir_fd=folder)


def _write_whole(name: str, folder: int, data: bytes) -> None:
    with contextlib.suppress(FileNotFoundError):
        os.unlink(name, dir_fd=folder)
    file = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL | system.NOFOLLOW | system.CLOEXEC, 0o644, dir_fd=folder)
    try:
        view = memoryview(data)
        while view:
            view = view[os.write(file, view) :]
        os.fsync(file)
    finally:
        os.close(file)


# `.haiku` while one look is taken: each folder is walked to once and held open, for all that is read in it.
#
# A look under the intent's lock is of one moment. A folder that somebody puts in the place of another meanwhile is seen
# by the next look, as is everything else that changes behind this one. Links are followed no more than anywhere.


MOST_OPEN = 12
"""Descriptors of one look: many looks may be taken at once. What there is no room for is opened when it is read."""


@contextlib.contextmanager
def steady(folder: PlanFolder) -> Iterator[PlanFolder]:
    """The folder for the length of a look; the same one where a look is part of another."""
    if isinstance(folder, SteadyFolder) and folder.is_held:
        yield folder
        return
    held = SteadyFolder(folder.home)
    try:
        yield held
    finally:
        held.end()


class SteadyFolder(PlanFolder):
    """What is written is walked to anew, and so is everything once the look is over."""

    def __init__(self, home: str) -> None:
        super().__init__(home)
        self.is_held = True
        self._held: dict[str, int] = {}

    def end(self) -> None:
        self.is_held = False
        while self._held:
            os.close(self._held.popitem()[1])

    @contextlib.contextmanager
    def _opened(self, path: str, *, make: bool = False) -> Iterator[int]:
        if make or not self.is_held:
            with super()._opened(path, make=make) as folder:
                yield folder
        elif path in self._held:
            yield self._held[path]
        else:
            folder, is_kept = self._walked([part for part in path.split("/") if part])
            try:
                yield folder
            finally:
                if not is_kept:
                    os.close(folder)

    def _walked(self, parts: list[str]) -> tuple[int, bool]:
        """From the nearest folder that is held on the way; and whether the last one is held, too."""
        start = len(parts)
        while start and "/".join(parts[:start]) not in self._held:
            start -= 1
        folder, is_kept = self._held.get("/".join(parts[:start]), -1), True
        if folder < 0:
            folder = self._held[""] = self._top()
        for depth in range(start, len(parts)):
            try:
                inner = entered(parts[depth], folder, make=False)
            finally:
                if not is_kept:
                    os.close(folder)
            folder, is_kept = inner, len(self._held) < MOST_OPEN
            if is_kept:
                self._held["/".join(parts[: depth + 1])] = folder
        return folder, is_kept

    def _top(self) -> int:
        home = os.open(self.home, os.O_RDONLY | system.DIRECTORY | system.CLOEXEC)
        try:
            return entered(HOME, home, make=False)
        finally:
            os.close(home)


# One lock for each intent, between processes: held for a look and its effects, never while gates run or a person is
# awaited.
#
# The lock is the kernel's and goes with its holder. A git process that outlives a killed engine inherits it, so the
# next tick begins only when the repository is at rest.


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
    folder = PlanFolder(top_of(folder.home))  # one lock, whichever work tree the intent is in
    if not lexists(folder.spelled("locks")):
        hide_transient(folder.home)
    folder.refuse_link(f"locks/{name}", make=True)
    lock = IntentLock(folder.spelled(f"locks/{name}"), deadline)
    with lock:
        yield lock.fileno()


def intent_homes(top: str) -> dict[str, str]:
    """Each name that an intent of the project may bear, with the work tree it lies in."""
    return dict.fromkeys(PlanFolder(top).names("intents"), top) | dict(own_homes(top))


# What git need not see of a workflow, in this clone alone.


_MOST_EXCLUDED = 1 << 20
_HEADING = "# files of a leeboard workflow that belong to this machine alone"


def hide_transient(home: str) -> None:
    """Wherever the plan was made, by whatever tool: in this clone git need not see what the engine writes beside it."""
    place = place_of(home)
    if place is not None:
        exclude(place)


def exclude(place: GitPlace) -> None:
    """Tell git, for this clone alone, what it need not see."""
    path = join(place.shared, "info", "exclude")
    try:
        found = read_regular(path, _MOST_EXCLUDED)
    except FileNotFoundError:
        found = b""
    except OSError as error:
        raise EffectError(f"can not read {path}: {error.strerror}. Make it readable and call again.") from error
    missing = [line for line in TRANSIENT if line.encode() not in found.splitlines()]
    if missing:
        os.makedirs(dirname(path), exist_ok=True)  # noqa: PTH103 - as above
        before = found if not found or found.endswith(b"\n") else found + b"\n"
        replace_file(path, before + "\n".join([_HEADING, *missing, ""]).encode())
