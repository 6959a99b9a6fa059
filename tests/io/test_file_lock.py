from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import leeboard
from leeboard.errors import EffectError
from leeboard.io.file import Sole, file_lock

ROOT = str(Path(leeboard.__file__).parent.parent)
HOLDER = """
import sys
from leeboard.io.file import file_lock
with file_lock(sys.argv[1]):
    print("held", flush=True)
    sys.stdin.read()
"""
SOLE_HOLDER = """
import sys
from leeboard.io.file import Sole
print(Sole(sys.argv[1]).take() and (held := Sole(sys.argv[1] + "2")).take(), flush=True)
sys.stdin.read()
"""
COUNTER = """
import sys
from leeboard.io.file import file_lock
sys.stdin.read()
for _ in range(20):
    with file_lock(sys.argv[1]):
        with open(sys.argv[2], "r+") as file:
            number = int(file.read())
            file.seek(0)
            file.write(str(number + 1))
"""


def start(code: str, *arguments: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", code, *map(str, arguments)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": ROOT},
        text=True,
    )


def hold(path: Path) -> subprocess.Popen[str]:
    holder = start(HOLDER, path)
    assert holder.stdout is not None
    assert holder.stdout.readline() == "held\n"
    return holder


def test_a_free_lock_is_had_again_and_again(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    for _ in range(3):
        with file_lock(str(path)):
            assert path.stat().st_mode & 0o777 == 0o600
    assert path.exists(), "removing it would let two processes lock two files of one name"


def test_one_holder_at_a_time(tmp_path: Path) -> None:
    (tmp_path / "number").write_text("0")
    counters = [start(COUNTER, tmp_path / "lock", tmp_path / "number") for _ in range(6)]
    for counter in counters:
        assert counter.stdin is not None
        counter.stdin.close()
    assert [counter.wait() for counter in counters] == [0] * 6
    assert (tmp_path / "number").read_text() == "120"
    for counter in counters:
        assert counter.stdout is not None
        counter.stdout.close()


def test_a_waiter_gets_the_lock_when_it_comes_free(tmp_path: Path) -> None:
    with hold(tmp_path / "lock") as holder:
        lock = file_lock(str(tmp_path / "lock"), deadline=30)
        assert holder.stdin is not None
        holder.stdin.close()
        with lock:
            pass


def test_a_lock_dies_with_its_holder(tmp_path: Path) -> None:
    with hold(tmp_path / "lock") as holder:
        holder.kill()
        with file_lock(str(tmp_path / "lock"), deadline=30):
            pass


def test_a_lock_that_stays_taken_is_an_error(tmp_path: Path) -> None:
    with hold(tmp_path / "lock") as holder:
        with pytest.raises(EffectError, match="not given free"), file_lock(str(tmp_path / "lock"), 0.05):
            pass
        assert holder.stdin is not None
        holder.stdin.close()
    with file_lock(str(tmp_path / "lock"), deadline=30):
        pass


def test_an_error_inside_gives_the_lock_free(tmp_path: Path) -> None:
    with pytest.raises(KeyError), file_lock(str(tmp_path / "lock")):
        raise KeyError
    with file_lock(str(tmp_path / "lock"), deadline=0.05):
        pass


def test_a_lock_that_can_not_be_made_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(EffectError, match="can not open the lock"), file_lock(str(tmp_path / "file" / "lock")):
        pass


def test_only_one_has_it(tmp_path: Path) -> None:
    one, other = Sole(str(tmp_path / "lock")), Sole(str(tmp_path / "lock"))
    assert (one.take(), one.take(), other.take()) == (True, True, False)
    one.give_back()
    one.give_back()
    assert other.take()


def test_who_is_killed_has_it_no_longer(tmp_path: Path) -> None:
    command = [sys.executable, "-c", SOLE_HOLDER, str(tmp_path / "lock")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        assert child.stdout
        assert child.stdout.readline() == b"True\n"
        assert not Sole(str(tmp_path / "lock2")).take()
        child.kill()
        child.wait(30)
        assert Sole(str(tmp_path / "lock2")).take()


def test_what_can_not_be_locked_is_named(tmp_path: Path) -> None:
    with pytest.raises(EffectError, match="gone"):
        Sole(str(tmp_path / "gone" / "lock")).take()
