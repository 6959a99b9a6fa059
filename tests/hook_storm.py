"""Hook calls from many processes at once while the resident is killed again and again, or hangs. Run as a program.

`python -m tests.hook_storm CALLS AT_ONCE [SECONDS]` makes the calls twice, once with the resident killed every second (or
every so many) and once with it stopped, and prints what came of them: who answered, which took longer than a client waits,
which were answered wrongly and which are missing from the record. All but the first have to be none.

A machine that others use has less to give than it seems. Beside the storm bare interpreters are started, one after the
other and in a session of their own, which the scheduler serves apart from the storm's; a second in which they got a
tenth of a processor counts as a tenth of a second. Both counts of late calls are printed, and the second one decides.
"""

from __future__ import annotations

import os
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from threading import Event, Lock, Thread
from typing import Self

import msgspec

from leeboard.app.misses import misses
from leeboard.store.sqlite import open_store
from tests.hook_process import HookProcess, edit, hook_payload, prompt
from tests.leak import live_key

DEADLINE = 10.0
"""Seconds that a client waits for a hook."""
SESSIONS = 5
YARDSTICK_SECONDS = 0.25
"""How often a bare interpreter is started, at most."""


class Yardstick:
    """Bare interpreters, one after the other while the block lasts: how much of a processor one got, and when."""

    def __init__(self) -> None:
        self._got: list[tuple[float, float, float]] = []
        self._ended = Event()
        self._thread = Thread(target=self._run, daemon=True)

    def __enter__(self) -> Self:
        for _ in range(10):
            self._got.append(self._one())
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()

    def _run(self) -> None:
        while True:
            self._got.append(self._one())
            if self._ended.wait(max(self._got[-1][0] + YARDSTICK_SECONDS - time.monotonic(), 0)):
                return

    @staticmethod
    def _one() -> tuple[float, float, float]:
        """From when to when, and the processor time it took."""
        began = time.monotonic()
        line = (sys.executable, "-I", "-S", "-c", "pass")
        bare = subprocess.Popen(line, stdin=subprocess.DEVNULL, start_new_session=True)
        _, status, used = os.wait4(bare.pid, 0)
        bare.returncode = os.waitstatus_to_exitcode(status)
        return began, time.monotonic(), used.ru_utime + used.ru_stime

    def given(self, began: float, seconds: float) -> float:
        """What the machine gave in that time, in seconds of one that had nothing else to do."""
        best = max(self._share(one) for one in self._got)
        total, at = 0.0, began
        for one, after in zip(self._got, [*self._got[1:], None], strict=True):
            until = min(began + seconds, after[0] if after else began + seconds)
            if until > at:
                total += (until - at) * min(self._share(one) / best, 1.0)
                at = until
        return total

    @staticmethod
    def _share(one: tuple[float, float, float]) -> float:
        return one[2] / (one[1] - one[0])

    @property
    def line(self) -> str:
        taken = sorted(ended - began for began, ended, _ in self._got)
        used = sorted(processor for _, _, processor in self._got)
        return (
            f"{taken[len(taken) // 2] * 1000:.0f} ms median, {taken[-1] * 1000:.0f} slowest, "
            f"for {used[len(used) // 2] * 1000:.0f} of processor time"
        )


class Came(msgspec.Struct, frozen=True, kw_only=True):
    """What came of one call."""

    number: int
    code: int
    answer: bytes
    said: bytes
    began: float
    seconds: float
    faults: int
    """Pages that its processes had to be given: three times as many where the hook judges by itself."""

    @property
    def line(self) -> str:
        return f"t{self.number}: {self.code} {self.answer[:200]!r} {self.said[:200]!r} in {self.seconds:.1f} s"


class Storm(msgspec.Struct, frozen=True, kw_only=True):
    """What came of the calls."""

    calls: tuple[Came, ...]
    faults_asking: int
    faults_judging: int

    @property
    def wrong(self) -> tuple[str, ...]:
        """Calls that were answered otherwise than they must be, and how."""
        return tuple(came.line for came in self.calls if not _is_right(came))

    @property
    def late(self) -> tuple[Came, ...]:
        return tuple(came for came in self.calls if came.seconds > DEADLINE)

    def answered_by(self) -> Counter[str]:
        between = (self.faults_asking + self.faults_judging) / 2
        return Counter("the resident" if came.faults < between else "the hook itself" for came in self.calls)

    def seconds(self, share: float) -> float:
        taken = sorted(came.seconds for came in self.calls)
        return taken[min(int(share * len(taken)), len(taken) - 1)]


def _is_right(came: Came) -> bool:
    refuses = b'"permissionDecision":"deny"' in came.answer
    return came.code == 0 and not came.said and refuses is bool(came.number % 2)


class Disturbance:
    """Does something to the resident, as often as it is told."""

    def __init__(self, process: HookProcess, strike: signal.Signals) -> None:
        self._folder = Path(process.folder, "r")
        self._strike = strike
        self._lock = Lock()
        self.struck: list[int] = []

    def strike(self) -> None:
        with self._lock:
            found = self._resident()
            if found and (self._strike != signal.SIGSTOP or found not in self.struck):
                with suppress(ProcessLookupError):
                    os.kill(found, self._strike)
                    self.struck.append(found)

    def end(self) -> None:
        """None of those that were stopped stays."""
        for process in {*self.struck, self._resident()} - {0}:
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)

    def _resident(self) -> int:
        """The process that listens; 0 where none does."""
        for path in self._folder.glob("*.sock"):
            with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as client:
                client.settimeout(0.5)
                client.connect(str(path))
                told = client.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
                return int(struct.unpack("3i", told)[0])
        return 0


def payload(number: int, folder: str) -> bytes:
    """A call. Every second one must be refused: it writes a key into code."""
    session, call = f"s{number % SESSIONS}", f"t{number}"
    if number % 2:
        given = {"file_path": f"{folder}/repo/src/pay{number}.py", "content": f'KEY = "{live_key(number)}"\n'}
        told = {"session_id": session, "cwd": f"{folder}/repo", "tool_name": "Write", "tool_input": given}
        return hook_payload("PreToolUse", **told, tool_use_id=call)
    return edit(call, f"{folder}/repo/src/part{number}.py", session_id=session, cwd=f"{folder}/repo")


def call(process: HookProcess, number: int, env: Mapping[str, str | None] | None = None) -> Came:
    """One call through the registered line, with what it cost."""
    began = time.monotonic()
    pipe = subprocess.PIPE
    client = subprocess.Popen(process.registered(), env=process.environment(env), stdin=pipe, stdout=pipe, stderr=pipe)
    assert client.stdin is not None
    assert client.stdout is not None
    assert client.stderr is not None
    with client.stdin, client.stdout, client.stderr:
        client.stdin.write(payload(number, process.folder))
        client.stdin.close()
        answer, said = client.stdout.read(), client.stderr.read()
    _, status, used = os.wait4(client.pid, 0)
    client.returncode = os.waitstatus_to_exitcode(status)
    return Came(
        number=number,
        code=client.returncode,
        answer=answer,
        said=said,
        began=began,
        seconds=time.monotonic() - began,
        faults=used.ru_minflt,
    )


def storm(process: HookProcess, calls: int, at_once: int, answered: Callable[[int], None]) -> Storm:
    """All calls, so many processes at a time. `answered` is told how many have been by now."""
    Path(process.folder, "repo").mkdir(parents=True, exist_ok=True)
    for number in range(SESSIONS):
        given = {"session_id": f"s{number}", "cwd": f"{process.folder}/repo"}
        assert process.run(prompt("add payments in src", **given)).returncode == 0
    asking, judging = _cost_of_each_way(process, calls)
    done, lock = 0, Lock()

    def one(number: int) -> Came:
        nonlocal done
        came = call(process, number)
        with lock:
            done += 1
            now = done
        answered(now)
        return came

    with ThreadPoolExecutor(at_once) as pool:
        made = tuple(pool.map(one, range(calls)))
    return Storm(calls=made, faults_asking=asking, faults_judging=judging)


def _cost_of_each_way(process: HookProcess, calls: int) -> tuple[int, int]:
    """Of a hook that asks the resident, and of one that judges by itself. What the resident is asked it has answered
    before, and the least of several counts: the first may find none.
    """
    numbers = (calls, calls + 2)
    judging = min(call(process, number, {"LEEBOARD_RESIDENT": "0"}).faults for number in numbers)
    return min(call(process, number).faults for number in numbers * 4), judging


def recorded_late(process: HookProcess) -> int:
    """How many calls wait in files to be put on record."""
    files = Path(process.folder).rglob("late.jsonl*")
    return sum(len(path.read_bytes().splitlines()) for path in files)


def lost_calls(process: HookProcess, calls: int) -> tuple[str, ...]:
    """Calls that neither an answer nor a receipt on record names, once the storm is over: what was answered without
    the store is taken in by the next hook.
    """
    for _ in range(20):
        for taken in Path(process.folder).rglob("late.jsonl.*"):
            os.utime(taken, (0, 0))  # who took it was killed: as if that were long ago, so that nobody waits for it
        told = hook_payload("Stop", session_id="s0", cwd=f"{process.folder}/repo")
        assert process.run(told, {"LEEBOARD_RESIDENT": "0"}).returncode == 0
        if not list(Path(process.folder).rglob("late.jsonl*")):
            break
    with closing(open_store(f"{process.state_dir}/leeboard.db")) as store:
        heard = {call for number in range(SESSIONS) for call in store.calls_heard(f"s{number}")[0]}
        answered = (store.answered(f"s{number % SESSIONS}", f"call:t{number}") for number in range(calls))
        return tuple(
            f"t{number}" for number, found in enumerate(answered) if found is None and f"t{number}" not in heard
        )


@contextmanager
def again_and_again(strike: Callable[[], None], seconds: float) -> Iterator[None]:
    ended = Event()

    def run() -> None:
        while not ended.wait(seconds):
            strike()

    thread = Thread(target=run, daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def weather(calls: int, at_once: int, strike: signal.Signals, seconds: float) -> Iterator[str]:
    """One storm in a folder of its own: what is said of it, line by line. The first ends in FAILED where it failed."""
    with tempfile.TemporaryDirectory(prefix="lb-storm-") as folder:
        process = HookProcess(folder=folder)
        disturbance = Disturbance(process, strike)
        try:
            with Yardstick() as yardstick, again_and_again(disturbance.strike, seconds):
                came = storm(process, calls, at_once, lambda _: None)
        finally:
            disturbance.end()
        late = tuple(one.line for one in came.late if yardstick.given(one.began, one.seconds) > DEADLINE)
        told_late = recorded_late(process)
        lost = lost_calls(process, calls)
        bad = " FAILED" if came.wrong or lost or late else ""
        name = "stopped" if strike is signal.SIGSTOP else "killed"
        yield f"resident {name} every {seconds:g} s, {len(disturbance.struck)} times:{bad}"
        yield f"  calls               {calls} from {at_once} processes"
        for who, many in sorted(came.answered_by().items()):
            yield f"  answered by         {who}: {many}"
        yield f"  without the store   {told_late}"
        yield f"  bare interpreter    {yardstick.line}"
        yield f"  over {DEADLINE:g} s           {len(came.late)}, {len(late)} of them by what the machine gave"
        yield f"  wrong               {len(came.wrong)}"
        yield f"  lost                {len(lost)}"
        yield f"  seconds             {came.seconds(0.5):.2f} median, {came.seconds(0.99):.2f} p99, {came.seconds(1):.2f} slowest"
        for kind, lines in (
            ("late", late),
            ("wrong", came.wrong),
            ("lost", lost),
            ("miss", misses(process.state_dir)),
        ):
            yield from (f"  {kind}: {line}" for line in lines[-20:])


def main() -> None:
    calls, at_once = map(int, sys.argv[1:3])
    seconds = float(sys.argv[3]) if len(sys.argv) > 3 else 1.0
    failed = False
    for strike in (signal.SIGKILL, signal.SIGSTOP):
        for line in weather(calls, at_once, strike, seconds):
            failed = failed or line.endswith("FAILED")
            print(line, flush=True)  # noqa: T201 - a program
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
