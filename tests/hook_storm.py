"""Hook calls from many processes at once while the resident is killed again and again, or hangs. Run as a program.

`python -m tests.hook_storm CALLS AT_ONCE` makes the calls twice, once with the resident killed every second and once with
it stopped, and prints what came of them. Every call has to be answered as it must be, by whoever answers it, within the
time a client waits; none may be missing from the record.
"""

from __future__ import annotations

import os
import signal
import socket
import struct
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from threading import Event, Lock, Thread

import msgspec

from leeboard.app.misses import misses
from leeboard.store.sqlite import open_store
from tests.hook_process import HookProcess, edit, hook_payload, prompt
from tests.leak import live_key

DEADLINE = 10.0
"""Seconds that a client waits for a hook."""
SESSIONS = 5


class Storm(msgspec.Struct, frozen=True, kw_only=True):
    """What came of the calls."""

    calls: int
    wrong: tuple[str, ...] = ()
    """Calls that were answered otherwise than they must be, and how."""
    slowest: float = 0.0


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


def payload(number: int, folder: str) -> tuple[bytes, bool]:
    """A call, and whether it must be refused: every second one writes a key into code."""
    session, call = f"s{number % SESSIONS}", f"t{number}"
    if number % 2:
        given = {"file_path": f"{folder}/repo/src/pay{number}.py", "content": f'KEY = "{live_key(number)}"\n'}
        told = {"session_id": session, "cwd": f"{folder}/repo", "tool_name": "Write", "tool_input": given}
        return hook_payload("PreToolUse", **told, tool_use_id=call), True
    return edit(call, f"{folder}/repo/src/part{number}.py", session_id=session, cwd=f"{folder}/repo"), False


def storm(process: HookProcess, calls: int, at_once: int, answered: Callable[[int], None]) -> Storm:
    """All calls, so many processes at a time. `answered` is told how many have been by now."""
    Path(process.folder, "repo").mkdir(parents=True, exist_ok=True)
    for number in range(SESSIONS):
        given = {"session_id": f"s{number}", "cwd": f"{process.folder}/repo"}
        assert process.run(prompt("add payments in src", **given)).returncode == 0
    done, lock, wrong, took = 0, Lock(), [], [0.0]

    def one(number: int) -> None:
        nonlocal done
        told, refused = payload(number, process.folder)
        began = time.monotonic()
        ran = process.run(told)
        seconds = time.monotonic() - began
        right = ran.returncode == 0 and (b'"permissionDecision":"deny"' in ran.stdout) is refused
        with lock:
            done += 1
            now = done
            took.append(seconds)
            if not right or ran.stderr:
                wrong.append(
                    f"t{number}: {ran.returncode} {ran.stdout[:200]!r} {ran.stderr[:200]!r} in {seconds:.1f} s"
                )
        answered(now)

    with ThreadPoolExecutor(at_once) as pool:
        list(pool.map(one, range(calls)))
    return Storm(calls=calls, wrong=tuple(wrong), slowest=max(took))


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
def every_second(strike: Callable[[], None]) -> Iterator[None]:
    ended = Event()

    def run() -> None:
        while not ended.wait(1.0):
            strike()

    thread = Thread(target=run, daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def main() -> None:
    calls, at_once = map(int, sys.argv[1:3])
    failed = False
    for name, strike in (("killed every second", signal.SIGKILL), ("stopped", signal.SIGSTOP)):
        with tempfile.TemporaryDirectory(prefix="lb-storm-") as folder:
            process = HookProcess(folder=folder)
            disturbance = Disturbance(process, strike)
            try:
                with every_second(disturbance.strike):
                    came = storm(process, calls, at_once, lambda _: None)
            finally:
                disturbance.end()
            lost = lost_calls(process, calls)
            bad = bool(came.wrong or lost or came.slowest > DEADLINE)
            failed = failed or bad
            print(  # noqa: T201 - a program
                f"resident {name} ({len(disturbance.struck)} times): {calls} calls from {at_once} processes, "
                f"{len(came.wrong)} answered wrongly, {len(lost)} lost, slowest {came.slowest:.1f} s"
                f"{': FAILED' if bad else ''}",
                flush=True,
            )
            for line in (*came.wrong, *lost, *misses(process.state_dir)[-5:]):
                print(f"  {line}", flush=True)  # noqa: T201 - as above
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
