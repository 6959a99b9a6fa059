"""Several git commands side by side, within one time limit and with an end to what each may print.

A command that fails, is not there or takes too long is an EffectError with git's own words: nothing that could not be
looked at ever reads as unchanged.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Mapping
from typing import Self

import msgspec

from leeboard.errors import EffectError
from leeboard.io import process as child
from leeboard.io.git.settings import Settings, started
from leeboard.io.pipes import open_pipes
from leeboard.io.process import NOTHING, Process, Streams, end

_CHUNK = 1 << 20
_WORDS = 600
_ALWAYS = (
    # Settings that would print otherwise.
    *("-c", "diff.autoRefreshIndex=true", "-c", "core.bigFileThreshold=64m", "--literal-pathspecs"),
    # Or that would let a file look unchanged by its time and size.
    *("-c", "core.trustctime=true", "-c", "core.checkStat=default"),
)
_REFUSED = "dubious ownership"
_NEXT_STEPS = (
    ("not a git repository", "Run it inside a repository, or make one with `git init`."),
    ("must be run in a work tree", "It is a bare repository; run it in a work tree of it (`git worktree add`)."),
    (_REFUSED, "Do as git says if you trust the folder."),
    ("bad object", "Name a commit that is here, or run `git fetch --unshallow` in a shallow clone."),
    ("lazy fetching disabled", "Objects of a partial clone are not here: `git fetch --refetch` brings them."),
    ("missing", "Objects are not here: run `git fetch --unshallow` in a shallow clone, or name another commit."),
    ("index file", "The index is damaged; `rm .git/index && git reset` makes it anew and keeps the files."),
)


class GitError(EffectError):
    """Git ran, and said no."""

    def __init__(self, message: str, code: int) -> None:
        super().__init__(message)
        self.code = code
        """1 is a plain no of a command that answers a question."""

    @property
    def is_refusal(self) -> bool:
        """Git does not look into this repository at all: it is somebody else's, as often in a container."""
        return _REFUSED in str(self)


class Command(msgspec.Struct, frozen=True, kw_only=True):
    arguments: tuple[str, ...]
    given: bytes = b""
    """What it reads."""
    most: int = 1 << 32
    """It is stopped when it printed so many bytes."""


class Output(msgspec.Struct, frozen=True, kw_only=True):
    text: bytes
    cut: bool = False
    warnings: str = ""


class Processes:
    """`with Processes(root, commands, seconds) as running`: all start at once; `running.output(name)` waits for one."""

    def __init__(
        self,
        root: str,
        commands: Mapping[str, Command],
        seconds: float,
        settings: Mapping[str, str] | None = None,
        inside: Settings = (),
    ) -> None:
        """`inside` is what keeps the programs of submodules off, where git is to look into them."""
        self._root = root
        self._seconds = seconds
        self._until = time.monotonic() + seconds
        self._commands = dict(commands)
        self._settings = settings or {}
        self._inside = inside
        self._pipes = open_pipes()
        self._running: dict[str, Process] = {}
        self._parts: dict[tuple[str, str], list[bytes]] = {}
        self._open: dict[str, set[str]] = {}
        """The pipes of each that are still to be read."""
        self._sizes: dict[str, int] = dict.fromkeys(commands, 0)

    def __enter__(self) -> Self:
        try:
            for name, command in self._commands.items():
                self._start(name, command)
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *exc_info: object) -> None:
        for process in self._running.values():
            end(process)
        self._pipes.close()

    def output(self, name: str) -> Output:
        """EffectError where it failed."""
        while self._open[name]:
            self._read()
        process, printed = self._running[name], b"".join(self._parts[name, "out"])
        cut = self._sizes[name] > self._commands[name].most
        if cut:
            end(process)
            return Output(text=printed[: self._commands[name].most], cut=True)
        words = b"".join(self._parts[name, "err"]).decode("utf-8", "replace").strip()
        code = child.wait(process, max(self._until - time.monotonic(), 0.1))
        if code is None:
            raise self._too_late()
        if code:
            raise _failure(self._root, self._commands[name].arguments, words, code)
        return Output(text=printed, warnings=words)

    def in_time(self) -> None:
        """EffectError where the time is over: for what is done while they run."""
        if time.monotonic() > self._until:
            raise self._too_late()

    def _start(self, name: str, command: Command) -> None:
        if command.given:
            # From a file: a process that is not read yet can not keep one waiting that is still to be written to.
            from tempfile import TemporaryFile  # noqa: PLC0415 - for what is too long to be given otherwise

            with TemporaryFile() as given:
                given.write(command.given)
                given.seek(0)
                process = start(self._root, command.arguments, given.fileno(), self._settings, self._inside)
        else:
            process = start(self._root, command.arguments, None, self._settings, self._inside)
        self._running[name] = process
        self._open[name] = {"out", "err"}
        for kind, pipe in (("out", process.stdout), ("err", process.stderr)):
            self._parts[name, kind] = []
            if pipe:
                self._pipes.add((name, kind), pipe)

    def _read(self) -> None:
        ready = self._pipes.read(self._until - time.monotonic())
        if not ready:
            raise self._too_late()
        for (name, kind), part in ready:
            self._parts[name, kind].append(part)
            self._sizes[name] += len(part) if kind == "out" else 0
            if not part or self._sizes[name] > self._commands[name].most:
                self._pipes.drop((name, kind))
                # The other pipe of one that printed too much is of no interest.
                self._open[name] -= {kind} if not part else {"out", "err"}

    def _too_late(self) -> EffectError:
        waiting = [self._commands[name].arguments[0] for name, pipes in self._open.items() if pipes]
        what = f"git {', '.join(waiting)}" if waiting else "Reading what git does not know yet"
        return EffectError(
            f"{what} did not end within {self._seconds:g} seconds in {self._root}. Leave out what is large"
            " (.gitignore), or allow more time."
        )


def start(
    root: str,
    arguments: tuple[str, ...],
    given: int | None,
    settings: Mapping[str, str] | None = None,
    inside: Settings = (),
) -> Process:
    """One git process in a group of its own, so that what it starts ends with it."""
    try:
        process = child.start(
            *started(root, (*_ALWAYS, *arguments), settings, inside), Streams(read=NOTHING if given is None else given)
        )
    except FileNotFoundError as error:
        if error.filename == "git":
            raise EffectError("git is not on PATH. Install it, or add it to PATH.") from error
        raise EffectError(f"{root} does not exist. Name the folder of a repository.") from error
    except (OSError, ValueError) as error:
        raise EffectError(f"git could not be started in {root}: {error}. Name the folder of a repository.") from error
    _widen(process)
    return process


def run_one(root: str, arguments: tuple[str, ...], seconds: float) -> bytes:
    """EffectError where it fails."""
    with Processes(root, {"": Command(arguments=arguments)}, seconds) as running:
        return running.output("").text


def ask_one(root: str, arguments: tuple[str, ...], seconds: float) -> str:
    """What it says, without the space around it. EffectError where it fails."""
    return run_one(root, arguments, seconds).decode("utf-8", "surrogateescape").strip()


def _failure(root: str, arguments: tuple[str, ...], words: str, code: int) -> GitError:
    step = next((step for sign, step in _NEXT_STEPS if sign in words), f"Try `git -C {root} status`.")
    said = " ".join(words[-_WORDS:].split()).rstrip(".") or f"it ended with {code}"
    return GitError(f"git {arguments[0]} failed in {root}: {said}. {step}", code)


def _widen(process: Process) -> None:
    """So that git need not wait for whoever reads; where the system does not allow it, it waits."""
    if process.stdout:
        with contextlib.suppress(ImportError, OSError):
            from fcntl import F_SETPIPE_SZ, fcntl  # noqa: PLC0415 - not every system has it

            fcntl(process.stdout, F_SETPIPE_SZ, _CHUNK)
