from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from leeboard.errors import EffectError, StateError
from leeboard.plan.disk.folder import PlanFolder, hold, hold_gates, hold_log


def test_one_holder_at_a_time(tmp_path: Path) -> None:
    folder = PlanFolder(str(tmp_path))
    inside: list[int] = []

    def enter() -> None:
        for _ in range(20):
            with hold(folder, "x"):
                inside.append(1)
                assert sum(inside) == 1
                inside.pop()

    threads = [threading.Thread(target=enter) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert inside == []


def test_intents_and_gates_do_not_wait_for_each_other(tmp_path: Path) -> None:
    folder = PlanFolder(str(tmp_path))
    with hold(folder, "x"), hold(folder, "y", 0.1), hold_gates(folder, "x"):
        assert len(folder.names("locks")) == 3


def test_a_lock_is_held_until_an_inheritor_ends(tmp_path: Path) -> None:
    """SH-06: a git process that outlives a killed engine keeps the next one out."""
    folder = PlanFolder(str(tmp_path))
    with hold(folder, "x") as lock:
        child = subprocess.Popen(
            [sys.executable, "-c", "input()"], stdin=subprocess.PIPE, pass_fds=(lock,), stderr=subprocess.DEVNULL
        )
    with pytest.raises(EffectError, match="not given free"), hold(folder, "x", 0.1):
        pass
    child.communicate(b"\n")
    with hold(folder, "x", 5):
        pass


def test_a_lock_goes_with_its_holder(tmp_path: Path) -> None:
    folder = PlanFolder(str(tmp_path))
    child = os.fork()
    if not child:
        hold(folder, "x").__enter__()
        os._exit(0)
    os.waitpid(child, 0)
    with hold(folder, "x", 1):
        pass


def test_a_link_is_no_lock(tmp_path: Path) -> None:
    folder = PlanFolder(str(tmp_path))
    folder.make("locks")
    Path(folder.spelled("locks/x.lock")).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(StateError, match=r"x.lock"), hold(folder, "x"):
        pass
    assert not (tmp_path / "elsewhere").exists()


def test_the_log_is_written_whoever_holds_the_intent(tmp_path: Path) -> None:
    folder = PlanFolder(str(tmp_path))
    with hold(folder, "x"), hold_gates(folder, "x"), hold_log(folder, "x"):
        assert folder.names("locks") == ("x.gates.lock", "x.lock", "x.log.lock")
