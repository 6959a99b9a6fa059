"""A workgraph's tasks where `wg` is at hand: read from the file, changed through the program.

The program keeps its own records of a change and tells its dispatcher, so it is asked first. It is never believed:
what it did is looked up in the graph, and what it did not do is written into the file, with a note. So nothing is
lost to a program that fails, hangs or is too old, and nothing is done twice by one that fails after it has written.

`wg` locks the graph itself, so it can not be called under that lock. Who asks it takes turns by a lock of our own,
which the program inherits: when a caller is killed in the middle, the next one waits until its program has ended, and
then sees in the graph what that one did.
"""

from __future__ import annotations

import os
import select
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from posixpath import join

import msgspec

from leeboard.contracts import workgraph
from leeboard.contracts.disk.drift_folder import DriftFolder
from leeboard.contracts.disk.workgraph import LOCK_SECONDS, Workgraph
from leeboard.io import clock
from leeboard.io.file import FileLock
from leeboard.io.process import NOTHING, Process, Streams, kill_group, start, wait
from leeboard.model.task import Task

TURN = "wg.lock"
_EXISTS = "already exists"
_WORDS = 200


class WgProgram(Workgraph):
    """The tasks of one workgraph, through the program at `program`."""

    def __init__(self, folder: str, program: str, env: Mapping[str, str]) -> None:
        super().__init__(folder)
        self._calls = WgCalls(program, folder, env)
        self.notes: list[str] = []
        """What the program did not do, for people."""

    def redescribe(self, task_id: str, change: Callable[[str], str]) -> Task:
        with self._turn() as held:
            there = self._known(task_id)
            words = change(there.description) if there else ""
            if there is not None and words == there.description:
                return there

            def is_done() -> bool:
                now = self._known(task_id)
                return now is not None and now.description == words

            asked = there is not None and self._ask("edit", (f"--description={words}", "--", task_id), held, is_done)
            return self._task(task_id) if asked else super().redescribe(task_id, change)

    def log(self, task_id: str, message: str, key: str = "") -> bool:
        """The program writes the moment of its own call: with a key, our same words since then are the entry."""
        with self._turn() as held:
            before = self._moments(task_id, message)
            if key and any(_not_before(moment, key) for moment in before):
                return False

            def is_done() -> bool:
                return len(self._moments(task_id, message)) > len(before)

            words = ("--actor", workgraph.ACTOR, "--", task_id, message)
            if self._ask("log", words, held, is_done) is not None:
                return True
            return super().log(task_id, message, key)

    def add(self, task: Task) -> bool:
        with self._turn() as held:
            if self._known(task.id) is not None:
                return False
            if _is_draft(task):
                ran = self._ask("add", _new(task), held, lambda: self._known(task.id) is not None)
                if ran is not None:
                    return _EXISTS not in ran.words
            return super().add(task)

    @contextmanager
    def _turn(self) -> Iterator[int]:
        """The descriptor of the lock that is held meanwhile."""
        folder = DriftFolder(self._folder)
        folder.make()
        turn = _Turn(join(folder.path, TURN), SECONDS + LOCK_SECONDS)
        with turn:
            yield turn.descriptor

    def _ask(self, verb: str, words: tuple[str, ...], held: int, is_done: Callable[[], bool]) -> WgResult | None:
        """None where the program did not do it, whatever it says."""
        if not fits(words) or not self._can(verb):
            return None
        ran = self._calls.call(verb, words, held)
        if is_done():
            return ran
        said = " ".join(ran.words.split())[-_WORDS:] or f"it ended with {ran.code}"
        self.notes.append(f"wg {verb} did not do it ({said}): written to {self._path} directly")
        return None

    def _can(self, verb: str) -> bool:
        able = self._calls.can(verb)
        if self._calls.hangs:
            self.notes.append(f"wg does not answer: written to {self._path} directly")
        return able

    def _known(self, task_id: str) -> Task | None:
        return next((task for task in self.all() if task.id == task_id), None)

    def _moments(self, task_id: str, message: str) -> list[str]:
        """When we said this, by the task's log."""
        found = [line for line in workgraph.parse(self._read()) if line.task_id == task_id]
        log = found[-1].fields.get("log") if found else None
        entries = [entry for entry in log if isinstance(entry, dict)] if isinstance(log, list) else []
        ours = [entry for entry in entries if (entry.get("actor"), entry.get("message")) == (workgraph.ACTOR, message)]
        return [str(entry.get("timestamp", "")) for entry in ours]


class _Turn(FileLock):
    @property
    def descriptor(self) -> int:
        return self._file


def _is_draft(task: Task) -> bool:
    """What `wg add` makes; it splits names at commas, and a title with a dot at its front would be no draft."""
    names = (*task.after, *task.tags)
    plain = not any("," in name for name in names) and not task.title.startswith(".")
    return plain and task.status == "open" and not task.started_at


def _new(task: Task) -> tuple[str, ...]:
    after = (f"--after={one}" for one in task.after)
    tags = (f"--tag={tag}" for tag in task.tags)
    return (f"--id={task.id}", f"--description={task.description}", *after, *tags, "--", task.title)


def _not_before(moment: str, key: str) -> bool:
    """Times that are none are told apart as texts."""
    try:
        return _time(moment) >= _time(key)
    except ValueError:
        return moment == key


def _time(text: str) -> datetime:
    found = datetime.fromisoformat(text)
    return found if found.tzinfo else found.replace(tzinfo=UTC)


# One call of the `wg` program, which is somebody else's: it may be old, hang, or be another program of that name.
#
# It gets none of the variables that tell it that an agent is calling: `wg log` would print that agent's messages and
# mark them as read, and `wg add` would put a task to work at once. What it prints is of no interest but for the end of
# its complaint; what it did is seen in the graph.


SECONDS = 30.0
LONGEST = 100_000
"""Bytes of one argument. The system takes 128 KiB."""
REST_SECONDS = 600.0
"""For how long a program that hung is not asked again."""
USER = "speedrift"
_KEPT = frozenset({"WG_GLOBAL_DIR", "WG_LOCK_RETRY_BUDGET_MS", "WG_LOCK_INITIAL_DELAY_MS"})
_TAIL, _CHUNK = 4_096, 65_536
_SLICE_MS = 100

_verbs: dict[tuple[str, str], bool] = {}
_hung: dict[str, float] = {}
"""Programs that did not end, and when they may be asked again."""


class WgResult(msgspec.Struct, frozen=True):
    code: int | None
    """None: it could not be started, or did not end in time."""
    words: str = ""
    """The end of its complaint."""


class WgCalls:
    """The program at a path, for one store."""

    def __init__(self, program: str, folder: str, env: Mapping[str, str]) -> None:
        self._program = program
        self._folder = folder
        self._env = environment(env)

    def can(self, verb: str) -> bool:
        """Whether it knows the verb; found out once in a process. WireGuard's `wg` knows none of them."""
        known = _verbs.get((self._program, verb))
        if known is None and not self.hangs:
            ran = self._run((self._program, verb, "--help"))
            if ran.code is not None:
                known = _verbs[self._program, verb] = ran.code == 0
        return bool(known) and not self.hangs

    @property
    def hangs(self) -> bool:
        """It did not end a while ago."""
        return clock.monotonic() < _hung.get(self._program, 0.0)

    def call(self, verb: str, arguments: tuple[str, ...], held: int) -> WgResult:
        """`held` is a lock's descriptor: the program holds the lock too, also when who called it was killed."""
        return self._run((self._program, "--dir", self._folder, verb, *arguments), held)

    def _run(self, words: tuple[str, ...], held: int = -1) -> WgResult:
        until = clock.monotonic() + SECONDS
        try:
            where = os.path.dirname(self._folder)  # noqa: PTH120 - names that are no valid text pass through
            process = start(words, where, self._env, Streams(written=NOTHING), (held,) if held >= 0 else ())
        except (OSError, ValueError) as error:
            return WgResult(None, f"could not be started: {error}")
        with process:
            try:
                tail = _complaint(process, until)
                code = wait(process, until - clock.monotonic())
            finally:
                kill_group(process)
        if code is None:
            _hung[self._program] = clock.monotonic() + REST_SECONDS
            return WgResult(None, f"did not end within {SECONDS:g} s and was killed")
        return WgResult(code, tail.decode("utf-8", "replace").strip())


def environment(env: Mapping[str, str]) -> dict[str, str]:
    """The environment of a person at a terminal who is called speedrift."""
    kept = {name: value for name, value in env.items() if not name.startswith("WG_") or name in _KEPT}
    return kept | {"WG_USER": USER, "NO_COLOR": "1"}


def fits(arguments: Iterable[str]) -> bool:
    """Whether they reach the program as they are. It takes a bare -h or --help for a question wherever it stands."""
    return all(argument not in {"-h", "--help"} and _is_plain(argument) for argument in arguments)


def _is_plain(argument: str) -> bool:
    try:
        return len(argument.encode()) <= LONGEST and "\0" not in argument
    except UnicodeEncodeError:  # half a surrogate pair
        return False


def _complaint(process: Process, until: float) -> bytes:
    """The end of what it wrote to stderr, however much that is. What it left behind is not waited for."""
    assert process.stderr is not None  # noqa: S101 - it was asked for
    pipe, tail = process.stderr.fileno(), b""
    waiting = select.poll()
    waiting.register(pipe, select.POLLIN)
    while clock.monotonic() < until:
        if waiting.poll(_SLICE_MS):
            chunk = os.read(pipe, _CHUNK)
            if not chunk:
                break
            tail = (tail + chunk)[-_TAIL:]
        elif process.poll() is not None:
            break
    return tail
