"""One at a time."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from leeboard.errors import EffectError
from leeboard.surfaces._sole import Sole

HOLD = """
import sys
from leeboard.surfaces._sole import Sole
print(Sole(sys.argv[1]).take() and (held := Sole(sys.argv[1] + "2")).take(), flush=True)
sys.stdin.read()
"""


def test_only_one_has_it(tmp_path: Path) -> None:
    one, other = Sole(str(tmp_path / "lock")), Sole(str(tmp_path / "lock"))
    assert (one.take(), one.take(), other.take()) == (True, True, False)
    one.give_back()
    one.give_back()
    assert other.take()


def test_who_is_killed_has_it_no_longer(tmp_path: Path) -> None:
    command = [sys.executable, "-c", HOLD, str(tmp_path / "lock")]
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
